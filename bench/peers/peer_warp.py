"""NVIDIA Warp on the CPU: one kernel, the whole time loop of a member in it, its ring beside it in memory."""
import os
import tempfile

import numpy as np
import warp as wp

wp.config.quiet = True
wp.config.kernel_cache_dir = os.path.join(tempfile.mkdtemp(dir=os.environ.get("PEERS_SCRATCH")), "warp")  # a cold start compiles


def versions():
    return f"Warp {wp.config.version}"


# user: plane delay delays ball slope
ZERO, ONE = wp.constant(wp.float64(0)), wp.constant(wp.float64(1))


@wp.func
def slide_or_stick(w_t: wp.vec3d, w_n: wp.float64, mu: wp.float64):
    speed = wp.length(w_t)
    grip = -mu * w_n
    if speed > grip:
        return w_t * ((speed - grip) / speed)
    return wp.vec3d()
# end


# user: plane delay delays slope
@wp.func
def hit_plane(q: wp.vec3d, w: wp.vec3d, mu: wp.float64):
    if q[2] <= ZERO and w[2] < ZERO:
        return slide_or_stick(wp.vec3d(w[0], w[1], ZERO), w[2], mu)
    return w
# end


# user: ball
@wp.func
def hit_ball(q: wp.vec3d, w: wp.vec3d, mu: wp.float64, radius: wp.float64):
    square = wp.dot(q, q)
    if square >= radius * radius:
        n = -q / wp.sqrt(square)
        w_n = wp.dot(w, n)
        if w_n < ZERO:
            return slide_or_stick(w - w_n * n, w_n, mu)
    return w
# end


# user: plane slope
@wp.kernel
def step_free(mu: wp.array(dtype=wp.float64), q: wp.array(dtype=wp.vec3d), v: wp.array(dtype=wp.vec3d), pull: wp.vec3d, h: wp.float64, steps: int):
    m = wp.tid()
    x = q[m]
    u = v[m]
    friction = mu[m]
    for i in range(steps):
        u = hit_plane(x, u + h * pull, friction)
        x = x + h * u
    q[m] = x
    v[m] = u
# end


# user: delay smooth
@wp.kernel
def step_delayed(mu: wp.array(dtype=wp.float64), q: wp.array(dtype=wp.vec3d), v: wp.array(dtype=wp.vec3d), ring: wp.array2d(dtype=wp.vec3d), pull: wp.vec3d,
                 k: wp.float64, lag: int, floor: int, h: wp.float64, steps: int):
    m = wp.tid()
    x = q[m]
    u = v[m]
    friction = mu[m]
    for i in range(lag + 1):
        ring[m, i] = x
    now = int(0)
    for i in range(steps):
        ring[m, now] = x
        now = wp.where(now == lag, 0, now + 1)
        u = u + h * (k * (ring[m, now] - x) + pull)
        if floor != 0:
            u = hit_plane(x, u, friction)
        x = x + h * u
    q[m] = x
    v[m] = u
# end


# user: delays ball
def make_kernel(hit, name):
    def step_delays(mu: wp.array(dtype=wp.float64), q: wp.array(dtype=wp.vec3d), v: wp.array(dtype=wp.vec3d), ring: wp.array2d(dtype=wp.vec3d), pull: wp.vec3d,
                    k: wp.float64, tau: wp.array(dtype=wp.float64), slots: int, h: wp.float64, steps: int):
        m = wp.tid()
        x = q[m]
        u = v[m]
        older = x
        friction = mu[m]
        for i in range(slots):
            ring[m, i] = x
        lag = int(tau[m] / h)
        share = tau[m] / h - wp.float64(lag)
        rest = ONE - share
        now = int(0)
        then = int(slots - lag)
        if then == slots:
            then = int(0)
        for i in range(steps):
            ring[m, now] = x
            newer = ring[m, then]
            u = hit(x, u + h * (k * (share * older + rest * newer - x) + pull), friction)
            older = newer
            x = x + h * u
            now = wp.where(now + 1 == slots, 0, now + 1)
            then = wp.where(then + 1 == slots, 0, then + 1)
        q[m] = x
        v[m] = u

    return wp.Kernel(step_delays, key=name)
# end


# user: ball
@wp.func
def hit_this_ball(q: wp.vec3d, w: wp.vec3d, mu: wp.float64):
    return hit_ball(q, w, mu, wp.float64(2))
# end


def prepare(workload, inputs):
    from cases import GRAVITY, LAG, STIFFNESS
    members, h, steps = len(next(iter(inputs["columns"].values()))), inputs["h"], inputs["steps"]
    columns = {name: wp.array(values, dtype=wp.float64, device="cpu") for name, values in inputs["columns"].items()}
    mu = columns.get("mu") or wp.zeros(members, dtype=wp.float64, device="cpu")
    start, speed, pull = np.zeros((members, 3)), np.zeros((members, 3)), wp.vec3d(0.0, 0.0, -GRAVITY)
    if workload == "slope":
        pull = wp.vec3d(GRAVITY * np.sin(inputs["theta"]), 0.0, -GRAVITY * np.cos(inputs["theta"]))
    else:
        start[:, 2], speed[:, 0] = 1, inputs["columns"]["v0"]
    slots = LAG + 1 if workload in ("delay", "smooth") else int(max(inputs["columns"].get("tau", [0])) / h) + 1
    ring = wp.empty((members, slots), dtype=wp.vec3d, device="cpu")
    kernel, more = {
        "plane": (step_free, [pull]),
        "slope": (step_free, [pull]),
        "delay": (step_delayed, [ring, pull, STIFFNESS, LAG, 1]),
        "smooth": (step_delayed, [ring, pull, STIFFNESS, LAG, 0]),
        "delays": (lambda: make_kernel(hit_plane, "delays"), [ring, pull, STIFFNESS, columns.get("tau"), slots]),
        "ball": (lambda: make_kernel(hit_this_ball, "delays_ball"), [ring, pull, STIFFNESS, columns.get("tau"), slots]),
    }[workload]
    if workload in ("delays", "ball"):
        kernel = kernel()

    def run():
        q, v = wp.array(start, dtype=wp.vec3d, device="cpu"), wp.array(speed, dtype=wp.vec3d, device="cpu")
        wp.launch(kernel, dim=members, inputs=[mu, q, v, *more, h, steps], device="cpu")
        wp.synchronize()
        return np.concatenate([q.numpy().T, v.numpy().T])

    return run, members
