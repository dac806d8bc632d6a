"""MuJoCo: its own contact model (soft, elliptic cones, as stiff as it goes at this step) and its own stepping, one member after the other. The user keeps the past."""
import mujoco
import numpy as np

MEMBERS = {"plane": 16, "delay": 8, "delays": 8, "groove": 16, "rod": 16, "slope": 1}


def versions():
    return f"MuJoCo {mujoco.__version__}"


# user: plane delay delays groove rod slope
OPTIONS = 'cone="elliptic" impratio="100" tolerance="1e-12" iterations="200"'
CONTACT = 'solref="0.002 1" solimp="0.99 0.9999 1e-4"'


def make_model(h, pull, mu, walls, joints, geom, mass="1", inertia="1e-3 1e-3 1e-3", options=None, contact=None):
    planes = "".join(f'<geom type="plane" size="1 1 1" zaxis="{n[0]} {n[1]} {n[2]}" friction="{mu} 0 0"/>' for n in walls)
    return mujoco.MjModel.from_xml_string(f"""<mujoco><option timestep="{h}" gravity="{pull[0]} {pull[1]} {pull[2]}" {OPTIONS if options is None else options}/>
        <default><geom {CONTACT if contact is None else contact} friction="{mu} 0 0"/></default>
        <worldbody>{planes}<body><inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia}"/>{joints}{geom}</body></worldbody></mujoco>""")
# end


# user: plane delay delays groove slope
SLIDES = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>'


def make_particle(h, pull, mu, walls, **settings):
    return make_model(h, pull, mu, walls, SLIDES, '<geom type="sphere" size="1e-3"/>', **settings)
# end


# user: plane groove rod slope
def run_free(model, q0, v0, steps):
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q0, v0
    mujoco.mj_step(model, data, steps)
    return np.concatenate([data.qpos, data.qvel])
# end


# user: delay delays
def run_delayed(model, q0, v0, steps, h, k, tau):
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q0, v0
    lag = int(tau / h + 1e-9)
    share = max(0.0, tau / h - lag)
    path, q, force = np.empty((steps + 1, 3)), data.qpos, data.qfrc_applied
    path[0] = q0
    for i in range(steps):
        newer, older = path[max(0, i - lag)], path[max(0, i - lag - 1)]
        force[:] = k * (share * older + (1 - share) * newer - q)
        mujoco.mj_step(model, data)
        path[i + 1] = q
    return np.concatenate([q, data.qvel])
# end


# user: groove
IN_GROOVE = {"options": 'cone="pyramidal" impratio="10" tolerance="1e-12" iterations="200"', "contact": 'solref="0.02 1" solimp="0.99 0.9999 1e-4"'}
# end


# user: rod
ON_ENDS = {"contact": 'solref="0.005 1" solimp="0.99 0.9999 1e-4"'}
PLANAR = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 -1 0"/>'
ENDS = '<geom type="sphere" size="1e-3" pos="-0.5 0 0"/><geom type="sphere" size="1e-3" pos="0.5 0 0"/>'


def make_rod(h, g, mu, mass, length):
    j = mass * length**2 / 12
    return make_model(h, [0, 0, -g], mu, [(0, 0, 1)], PLANAR, ENDS, mass, f"{j} {j} {j}", **ON_ENDS)
# end


def prepare(workload, inputs):
    from cases import GRAVITY, LAG, STIFFNESS
    members = MEMBERS[workload]
    columns = {name: values[:members] for name, values in inputs["columns"].items()}
    h, steps, mu = inputs["h"], inputs["steps"], columns["mu"]
    floor, c, s, r = [(0, 0, 1)], np.cos(0.7), np.sin(0.7), 1e-3  # r: of the small sphere that stands for the particle

    def slope(theta):
        return GRAVITY * np.array([np.sin(theta), 0.0, -np.cos(theta)])

    if workload == "groove":  # with elliptic cones, whose law is convexified, two walls hold it too strongly: x is wrong by half a metre; stiffer, it climbs out
        models = [make_particle(h, slope(columns["theta"][m]), mu[m], [(0, c, s), (0, -c, s)], **IN_GROOVE) for m in range(members)]
    elif workload == "rod":
        models = [make_rod(h, GRAVITY, mu[m], 2.0, 1.0) for m in range(members)]
    else:
        pull = slope(inputs["theta"]) if workload == "slope" else np.array([0.0, 0.0, -GRAVITY])
        models = [make_particle(h, pull, mu[m], floor) for m in range(members)]

    def one(m):
        if workload == "groove":
            return run_free(models[m], [0, 0, r / s], [0, 0, 0], steps) - [0, 0, r / s, 0, 0, 0]
        if workload == "rod":
            a0 = columns["a0"][m]
            return run_free(models[m], [0, 0.1 + r + 0.5 * np.sin(a0), a0], [columns["vx0"][m], 0, 0], steps) - [0, r, 0, 0, 0, 0]
        if workload == "slope":
            return run_free(models[m], [0, 0, r], [0, 0, 0], steps) - [0, 0, r, 0, 0, 0]
        start = [columns["v0"][m], 0, 0]
        if workload == "plane":
            return run_free(models[m], [0, 0, 1 + r], start, steps) - [0, 0, r, 0, 0, 0]
        tau = columns["tau"][m] if workload == "delays" else LAG * h
        return run_delayed(models[m], [0, 0, 1 + r], start, steps, h, STIFFNESS, tau) - [0, 0, r, 0, 0, 0]

    return (lambda: np.array([one(m) for m in range(members)]).T), members
