"""Numba: compiled scalar loops, a member after the other, its ring in the cache."""
import numba
# user: plane delay smooth delays ball groove rod slope
from math import cos, sin, sqrt

import numpy as np
from numba import njit
# end


def versions():
    return f"Numba {numba.__version__}"


# user: plane delay delays slope
@njit
def hit_plane(z, wx, wy, wz, mu):
    if z <= 0 and wz < 0:
        speed, grip = sqrt(wx * wx + wy * wy), mu * -wz
        keep = (speed - grip) / speed if speed > grip else 0.0
        return wx * keep, wy * keep, 0.0
    return wx, wy, wz
# end


# user: ball
@njit
def hit_ball(x, y, z, wx, wy, wz, mu, radius):
    square = x * x + y * y + z * z
    if square >= radius * radius:
        along = x * wx + y * wy + z * wz
        if along > 0:
            length = sqrt(square)
            nx, ny, nz, wn = -x / length, -y / length, -z / length, -along / length
            wx, wy, wz = wx - wn * nx, wy - wn * ny, wz - wn * nz
            speed, grip = sqrt(wx * wx + wy * wy + wz * wz), mu * -wn
            keep = (speed - grip) / speed if speed > grip else 0.0
            return wx * keep, wy * keep, wz * keep
    return wx, wy, wz
# end


# user: plane
@njit
def fall(mu, v0, height, h, steps, gravity, out):
    for m in range(len(mu)):
        x, y, z, vx, vy, vz = 0.0, 0.0, height[m], v0[m], 0.0, 0.0
        for i in range(steps):
            vx, vy, vz = hit_plane(z, vx, vy, vz - h * gravity, mu[m])
            x, y, z = x + h * vx, y + h * vy, z + h * vz
        out[0, m], out[1, m], out[2, m], out[3, m], out[4, m], out[5, m] = x, y, z, vx, vy, vz
# end


# user: delay smooth
@njit
def fall_delayed(mu, v0, h, steps, gravity, k, lag, floor, out):
    ring = np.empty((lag + 1, 3))
    for m in range(len(v0)):
        x, y, z, vx, vy, vz = 0.0, 0.0, 1.0, v0[m], 0.0, 0.0
        ring[:, 0], ring[:, 1], ring[:, 2] = x, y, z
        now = 0
        for i in range(steps):
            ring[now, 0], ring[now, 1], ring[now, 2] = x, y, z
            now = 0 if now == lag else now + 1
            wx = vx + h * (k * (ring[now, 0] - x))
            wy = vy + h * (k * (ring[now, 1] - y))
            wz = vz + h * (k * (ring[now, 2] - z) - gravity)
            vx, vy, vz = hit_plane(z, wx, wy, wz, mu[m]) if floor else (wx, wy, wz)
            x, y, z = x + h * vx, y + h * vy, z + h * vz
        out[0, m], out[1, m], out[2, m], out[3, m], out[4, m], out[5, m] = x, y, z, vx, vy, vz
# end


# user: delays ball
@njit
def fall_delays(mu, v0, tau, h, steps, gravity, k, radius, out):
    slots = int(tau.max() / h) + 1
    ring = np.empty((slots, 3))
    for m in range(len(v0)):
        x, y, z, vx, vy, vz = 0.0, 0.0, 1.0, v0[m], 0.0, 0.0
        ring[:, 0], ring[:, 1], ring[:, 2] = x, y, z
        lag = int(tau[m] / h)
        share = tau[m] / h - lag
        ox, oy, oz = x, y, z
        now, then = 0, (slots - lag) % slots
        for i in range(steps):
            ring[now, 0], ring[now, 1], ring[now, 2] = x, y, z
            px, py, pz = ring[then, 0], ring[then, 1], ring[then, 2]
            wx = vx + h * (k * (share * ox + (1 - share) * px - x))
            wy = vy + h * (k * (share * oy + (1 - share) * py - y))
            wz = vz + h * (k * (share * oz + (1 - share) * pz - z) - gravity)
            ox, oy, oz = px, py, pz
            if radius > 0:
                vx, vy, vz = hit_ball(x, y, z, wx, wy, wz, mu[m], radius)
            else:
                vx, vy, vz = hit_plane(z, wx, wy, wz, mu[m])
            x, y, z = x + h * vx, y + h * vy, z + h * vz
            now = 0 if now + 1 == slots else now + 1
            then = 0 if then + 1 == slots else then + 1
        out[0, m], out[1, m], out[2, m], out[3, m], out[4, m], out[5, m] = x, y, z, vx, vy, vz
# end


# user: groove
@njit
def slide_in_groove(theta, mu, beta, h, steps, gravity, out):
    n = np.array([[0, np.cos(beta), np.sin(beta)], [0, -np.cos(beta), np.sin(beta)]])
    r = np.zeros((2, 3))
    for m in range(len(mu)):
        q, v, w = np.zeros(3), np.zeros(3), np.zeros(3)
        for i in range(steps):
            w[0], w[1], w[2] = v[0] + h * gravity * sin(theta[m]), v[1], v[2] - h * gravity * cos(theta[m])
            r[:] = 0
            v[:] = w
            scale = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
            for sweep in range(10000):  # Gauss-Seidel over the two contacts, each solved exactly from what the other leaves
                moved = 0.0
                for c in range(2):
                    ux, uy, uz = v[0] - r[c, 0], v[1] - r[c, 1], v[2] - r[c, 2]
                    un = ux * n[c, 0] + uy * n[c, 1] + uz * n[c, 2]
                    nx = ny = nz = 0.0
                    if n[c, 0] * q[0] + n[c, 1] * q[1] + n[c, 2] * q[2] <= 1e-12 and un < 0:
                        tx, ty, tz = ux - un * n[c, 0], uy - un * n[c, 1], uz - un * n[c, 2]
                        speed = sqrt(tx * tx + ty * ty + tz * tz)
                        lose = min(1.0, mu[m] * -un / speed) if speed > 0 else 0.0
                        nx, ny, nz = -un * n[c, 0] - lose * tx, -un * n[c, 1] - lose * ty, -un * n[c, 2] - lose * tz
                    moved = max(moved, abs(nx - r[c, 0]), abs(ny - r[c, 1]), abs(nz - r[c, 2]))
                    r[c, 0], r[c, 1], r[c, 2] = nx, ny, nz
                    v[0], v[1], v[2] = ux + nx, uy + ny, uz + nz
                if moved <= 1e-14 * scale:
                    break
            for c in range(3):
                q[c] += h * v[c]
        out[:3, m], out[3:, m] = q, v
# end


# user: rod
@njit
def drop_rod(mu, a0, vx0, mass, length, h, steps, gravity, out):
    inertia = mass * length * length / 12
    an, at, r = np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 2))
    inverse = np.array([1 / mass, 1 / mass, 1 / inertia])
    touching = np.zeros(2, dtype=np.bool_)
    for m in range(len(mu)):
        q, v = np.array([0.0, 0.1 + length / 2 * sin(a0[m]), a0[m]]), np.array([vx0[m], 0.0, 0.0])
        for i in range(steps):
            v[1] -= h * gravity
            s, c = length / 2 * sin(q[2]), length / 2 * cos(q[2])
            opens = True
            for e in range(2):
                side = 2 * e - 1
                an[e, 0], an[e, 1], an[e, 2] = 0, 1, side * c
                at[e, 0], at[e, 1], at[e, 2] = 1, 0, -side * s
                touching[e] = q[1] + side * s <= 1e-12 * (1 + sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]))
                if touching[e] and v[1] + an[e, 2] * v[2] < 0:
                    opens = False
            r[:] = 0
            scale = abs(v[0]) + abs(v[1]) + abs(v[2])
            for sweep in range(0 if opens else 10000):
                moved = 0.0
                for e in range(2):
                    if not touching[e]:
                        continue
                    wnn = inverse[1] + an[e, 2] * an[e, 2] * inverse[2]
                    wnt = an[e, 2] * at[e, 2] * inverse[2]
                    wtt = inverse[0] + at[e, 2] * at[e, 2] * inverse[2]
                    un = v[1] + an[e, 2] * v[2] - wnn * r[e, 0] - wnt * r[e, 1]  # without this contact's impulse
                    ut = v[0] + at[e, 2] * v[2] - wnt * r[e, 0] - wtt * r[e, 1]
                    rn = rt = 0.0
                    if un < 0:
                        det = wnn * wtt - wnt * wnt
                        rn, rt = (wnt * ut - wtt * un) / det, (wnt * un - wnn * ut) / det  # sticks
                        if rn < 0 or abs(rt) > mu[m] * rn:
                            for sign in (-1.0, 1.0):  # slides towards -sign
                                rn = -un / (wnn + sign * mu[m] * wnt)
                                rt = sign * mu[m] * rn
                                if rn >= 0 and sign * (ut + wnt * rn + wtt * rt) <= 0:
                                    break
                    dn, dt = rn - r[e, 0], rt - r[e, 1]
                    r[e, 0], r[e, 1] = rn, rt
                    v[0] += inverse[0] * dt
                    v[1] += inverse[1] * dn
                    v[2] += inverse[2] * (an[e, 2] * dn + at[e, 2] * dt)
                    moved = max(moved, abs(dn) * wnn, abs(dt) * wtt)
                if moved <= 1e-14 * scale:
                    break
            for e in range(3):
                q[e] += h * v[e]
        out[:3, m], out[3:, m] = q, v
# end


# user: slope
@njit
def lie_on_slope(mu, theta, h, steps, gravity, out):
    fx, fz = gravity * sin(theta), -gravity * cos(theta)
    for m in range(len(mu)):
        x, y, z, vx, vy, vz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(steps):
            vx, vy, vz = hit_plane(z, vx + h * fx, vy, vz + h * fz, mu[m])
            x, y, z = x + h * vx, y + h * vy, z + h * vz
        out[0, m], out[1, m], out[2, m], out[3, m], out[4, m], out[5, m] = x, y, z, vx, vy, vz
# end


def prepare(workload, inputs):
    from cases import GRAVITY, LAG, RADIUS, STIFFNESS
    columns = {name: np.array(values) for name, values in inputs["columns"].items()}
    h, steps, members = inputs["h"], inputs["steps"], len(next(iter(inputs["columns"].values())))
    mu, v0, tau = columns.get("mu", np.zeros(members)), columns.get("v0"), columns.get("tau")
    out = np.empty((6, members))
    call = {
        "plane": lambda: fall(mu, v0, np.ones(members), h, steps, GRAVITY, out),
        "delay": lambda: fall_delayed(mu, v0, h, steps, GRAVITY, STIFFNESS, LAG, True, out),
        "smooth": lambda: fall_delayed(mu, v0, h, steps, GRAVITY, STIFFNESS, LAG, False, out),
        "delays": lambda: fall_delays(mu, v0, tau, h, steps, GRAVITY, STIFFNESS, 0.0, out),
        "ball": lambda: fall_delays(mu, v0, tau, h, steps, GRAVITY, STIFFNESS, RADIUS, out),
        "groove": lambda: slide_in_groove(columns["theta"], mu, 0.7, h, steps, GRAVITY, out),
        "rod": lambda: drop_rod(mu, columns["a0"], columns["vx0"], 2.0, 1.0, h, steps, GRAVITY, out),
        "slope": lambda: lie_on_slope(mu, inputs["theta"], h, steps, GRAVITY, out),
    }[workload]

    def run():
        call()
        return out

    return run, members
