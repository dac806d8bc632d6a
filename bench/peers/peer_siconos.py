"""Siconos: its own time stepping (Moreau-Jean, theta = 1/2) and its own friction solver, a model a member. It has no delay: the user keeps the past and sets the force."""
import subprocess

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

MEMBERS = {"plane": 8, "delay": 8, "delays": 8, "groove": 8, "slope": 1}


def versions():
    package = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "python3-siconos"], capture_output=True, text=True)
    return f"Siconos {package.stdout or 'unknown'}"


# user: plane delay delays groove slope
def make_model(q0, v0, pull, walls, mu, h, end):
    body = sk.LagrangianLinearTIDS(q0, v0, np.eye(3))
    body.setFExtPtr(pull)
    model = sk.NonSmoothDynamicalSystem(0, end)
    model.insertDynamicalSystem(body)
    for normal, tangent in walls:
        law = sk.NewtonImpactFrictionNSL(0.0, 0.0, mu, 3)
        rows = np.array([normal, tangent, np.cross(normal, tangent)])
        model.link(sk.Interaction(law, sk.LagrangianLinearTIR(rows)), body)
    solver = sk.FrictionContact(3, sn.SICONOS_FRICTION_3D_ONECONTACT_NSN if len(walls) == 1 else sn.SICONOS_FRICTION_3D_NSGS)
    solver.numericsSolverOptions().dparam[sn.SICONOS_DPARAM_TOL] = 1e-12
    solver.numericsSolverOptions().iparam[sn.SICONOS_IPARAM_MAX_ITER] = 10000
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0, h), sk.MoreauJeanOSI(0.5), solver)
    return model, simulation, body
# end


# user: plane groove slope
def run_free(q0, v0, pull, walls, mu, h, steps):
    model, simulation, body = make_model(q0, v0, pull, walls, mu, h, (steps + 1) * h)
    for _ in range(steps):
        simulation.computeOneStep()
        simulation.nextStep()
    return np.concatenate([body.q(), body.velocity()])
# end


# user: delay delays
def run_delayed(q0, v0, pull, walls, mu, h, steps, k, tau):
    model, simulation, body = make_model(q0, v0, pull, walls, mu, h, (steps + 1) * h)
    lag = int(tau / h + 1e-9)
    share = max(0.0, tau / h - lag)
    path, q = np.empty((steps + 1, 3)), body.q()
    path[0] = q0
    for i in range(steps):
        newer, older = path[max(0, i - lag)], path[max(0, i - lag - 1)]
        body.setFExtPtr(pull + k * (share * older + (1 - share) * newer - q))
        simulation.computeOneStep()
        simulation.nextStep()
        path[i + 1] = q
    return np.concatenate([q, body.velocity()])
# end


def prepare(workload, inputs):
    from cases import GRAVITY, LAG, STIFFNESS
    members = MEMBERS[workload]
    columns = {name: values[:members] for name, values in inputs["columns"].items()}
    h, steps, mu = inputs["h"], inputs["steps"], columns["mu"]
    floor, pull, fallen = [([0.0, 0.0, 1.0], [1.0, 0.0, 0.0])], np.array([0.0, 0.0, -GRAVITY]), [0.0, 0.0, 1.0]
    c, s = np.cos(0.7), np.sin(0.7)
    groove = [([0.0, c, s], [1.0, 0.0, 0.0]), ([0.0, -c, s], [1.0, 0.0, 0.0])]

    def slope(theta):
        return GRAVITY * np.array([np.sin(theta), 0.0, -np.cos(theta)])

    def one(m):
        if workload == "groove":
            return run_free([0.0] * 3, [0.0] * 3, slope(columns["theta"][m]), groove, mu[m], h, steps)
        if workload == "slope":
            return run_free([0.0] * 3, [0.0] * 3, slope(inputs["theta"]), floor, mu[m], h, steps)
        start = [columns["v0"][m], 0.0, 0.0]
        if workload == "plane":
            return run_free(fallen, start, pull, floor, mu[m], h, steps)
        return run_delayed(fallen, start, pull, floor, mu[m], h, steps, STIFFNESS, columns["tau"][m] if workload == "delays" else LAG * h)

    return (lambda: np.array([one(m) for m in range(members)]).T), members
