"""NumPy: all members at once, a Python loop over steps."""
import numpy as np


def versions():
    return f"NumPy {np.__version__}"


# user: plane delay delays ball slope
def slide_or_stick(w_t, w_n, mu):
    speed, grip = np.sqrt((w_t * w_t).sum(0)), mu * -w_n
    return w_t * np.where(speed > grip, (speed - grip) / speed, 0)
# end


# user: plane delay delays
def hit_plane(q, w, mu):
    active = np.flatnonzero((q[2] <= 0) & (w[2] < 0))
    if len(active):
        w[:2, active] = slide_or_stick(w[:2, active], w[2, active], mu[active])
        w[2, active] = 0
# end


# user: ball
def hit_ball(q, w, mu, radius):
    outside = np.flatnonzero((q * q).sum(0) >= radius * radius)
    p = q[:, outside]
    n = -p / np.sqrt((p * p).sum(0))
    w_n = (w[:, outside] * n).sum(0)
    into = w_n < 0
    active, n, w_n = outside[into], n[:, into], w_n[into]
    w[:, active] = slide_or_stick(w[:, active] - w_n * n, w_n, mu[active])
# end


# user: plane
def fall(mu, v0, h, steps, gravity):
    q, v = np.zeros((3, len(v0))), np.zeros((3, len(v0)))
    q[2], v[0] = 1, v0
    for _ in range(steps):
        v[2] -= h * gravity
        hit_plane(q, v, mu)
        q += h * v
    return q, v
# end


# user: delay smooth
def fall_delayed(mu, v0, h, steps, gravity, k, lag, floor):
    q, v = np.zeros((3, len(v0))), np.zeros((3, len(v0)))
    q[2], v[0] = 1, v0
    ring = np.repeat(q[None], lag + 1, 0)
    for i in range(steps):
        ring[i % (lag + 1)] = q
        v += (h * k) * (ring[(i + 1) % (lag + 1)] - q)
        v[2] -= h * gravity
        if floor:
            hit_plane(q, v, mu)
        q += h * v
    return q, v
# end


# user: delays ball
def fall_delays(mu, v0, tau, h, steps, gravity, k, radius):
    n = len(v0)
    q, v = np.zeros((3, n)), np.zeros((3, n))
    q[2], v[0] = 1, v0
    lag = (tau / h).astype(np.int64)
    share = tau / h - lag
    slots = lag.max() + 1
    ring, older, column = np.repeat(q[None], slots, 0), q, np.arange(3)[:, None] * n + np.arange(n)
    for i in range(steps):
        ring[i % slots] = q
        newer = ring.ravel()[(i - lag) % slots * (3 * n) + column]
        v += (h * k) * (share * older + (1 - share) * newer - q)
        older = newer
        v[2] -= h * gravity
        hit_ball(q, v, mu, radius) if radius else hit_plane(q, v, mu)
        q += h * v
    return q, v
# end


# user: slope
def lie_on_slope(mu, theta, h, steps, gravity):
    q, v = np.zeros((3, len(mu))), np.zeros((3, len(mu)))
    for _ in range(steps):
        v[0] += h * gravity * np.sin(theta)
        v[2] -= h * gravity * np.cos(theta)
        v[:2], v[2] = slide_or_stick(v[:2], v[2], mu), 0
        q += h * v
    return q, v
# end


def prepare(workload, inputs, real=np.float64):
    from cases import GRAVITY, LAG, RADIUS, STEP, STIFFNESS
    columns = {name: np.array(values, dtype=real) for name, values in inputs["columns"].items()}
    h, steps = real(inputs["h"]), inputs["steps"]
    g, k, lag = real(GRAVITY), real(STIFFNESS), round(LAG * STEP / inputs["h"])
    mu, v0, tau = columns.get("mu"), columns.get("v0"), columns.get("tau")
    run = {
        "plane": lambda: fall(mu, v0, h, steps, g),
        "delay": lambda: fall_delayed(mu, v0, h, steps, g, k, lag, True),
        "smooth": lambda: fall_delayed(mu, v0, h, steps, g, k, lag, False),
        "delays": lambda: fall_delays(mu, v0, tau, h, steps, g, k, None),
        "ball": lambda: fall_delays(mu, v0, tau, h, steps, g, k, real(RADIUS)),
        "slope": lambda: lie_on_slope(mu, real(inputs["theta"]), h, steps, g),
    }[workload]

    def both():
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.concatenate(run())

    return both, len(next(iter(columns.values())))
