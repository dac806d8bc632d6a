"""What a user of Numba writes for the systems of bench/islands: compiled scalar loops, one member after the other, each law solved by a clamp where it meets no other one and by Gauss-Seidel
where it does. Called by islands.py, as the loops by hand are (loops.hpp):

islands_numba.py SYSTEM STEPS H MEMBERS.txt
"""
import math
import pathlib
import sys
import time

import numpy as np
from numba import njit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "peers"))
from peer_numba import drop_rod

G, K = 9.81, 10.0


@njit
def oscillate(m, start, mu, h, steps, out):
    for j in range(len(m)):
        x, v, most = start[j], 0.0, h * mu[j] * G
        for i in range(steps):
            v -= h * K / m[j] * x
            v -= max(min(v, most), -most)
            x += h * v
        out[j, 0], out[j, 1] = x, v


@njit
def slip(m, start, mu, h, steps, out):
    for j in range(len(m)):
        x, y, vx, vy = start[j], 0.0, 0.0, 0.0
        for i in range(steps):
            vx -= h * K / m[j] * x
            vy -= h * G
            if y <= 0 and vy < 0:
                most = mu[j] * -vy
                vx -= max(min(vx, most), -most)
                vy = 0.0
            x += h * vx
            y += h * vy
        out[j, 0], out[j, 1], out[j, 2], out[j, 3] = x, y, vx, vy


@njit
def belt(m1, m2, mu1, mu2, speed, h, steps, out):
    for j in range(len(m1)):
        x1, x2, v1, v2, most1, most2 = 0.0, 0.0, 0.0, 0.0, h * mu1[j] * G, h * mu2[j] * G
        for i in range(steps):
            between = 8 * (x2 - x1)
            u1 = v1 + h / m1[j] * (between - 10 * x1) - speed[j]
            u2 = v2 - h / m2[j] * (between + 15 * x2) - speed[j]
            v1 = speed[j] + u1 - max(min(u1, most1), -most1)
            v2 = speed[j] + u2 - max(min(u2, most2), -most2)
            x1 += h * v1
            x2 += h * v2
        out[j, 0], out[j, 1], out[j, 2], out[j, 3] = x1, x2, v1, v2


@njit
def chain(n, a, speed, s, h, steps, out):
    x, v = np.empty(n), np.empty(n)
    for j in range(len(a)):
        for b in range(n):
            x[b], v[b] = s[j] * math.sin((b + 1) ** 2), 0.0
        for i in range(steps):
            plate, left = speed[j] * i * h, x[0]
            for b in range(n):
                here, right = x[b], x[b + 1] if b + 1 < n else x[b]
                w = v[b] + h * (10 * (left - here + right - here) + plate - here)
                most = h / (1 + a[j] * abs(v[b]))
                v[b] = w - max(min(w, most), -most)
                x[b], left = here + h * v[b], here
        out[j, :n], out[j, n:] = x, v


@njit
def ball(force, direction, spin, h, steps, out):
    m, r = 0.5, 0.5
    inertia = 8 * m * r * r / 5
    whole = 1 / m + 4 * r * r / inertia
    for j in range(len(force)):
        x, y, vx, vy, p, vp = 0.0, 0.0, 0.0, 0.0, np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.0, spin[j] / 2])
        fx, fy = force[j] * math.cos(direction[j]) / m, force[j] * math.sin(direction[j]) / m
        for i in range(steps):
            vx += h * fx
            vy += h * fy
            p0, p1, p2, p3 = p
            v0, v1, v2, v3 = vp
            along = p0 * v0 + p1 * v1 + p2 * v2 + p3 * v3
            rx = -(vx - 2 * r * (-p2 * v0 + p3 * v1 + p0 * v2 - p1 * v3)) / whole
            ry = -(vy + 2 * r * (-p1 * v0 + p0 * v1 - p3 * v2 + p2 * v3)) / whole
            vx += rx / m
            vy += ry / m
            tx, ty = 2 * r / inertia * ry, -2 * r / inertia * rx
            vp[0] += -along * p0 - tx * p1 - ty * p2
            vp[1] += -along * p1 + tx * p0 + ty * p3
            vp[2] += -along * p2 - tx * p3 + ty * p0
            vp[3] += -along * p3 + tx * p2 - ty * p1
            square = 0.0
            for c in range(4):
                p[c] += h * vp[c]
                square += p[c] * p[c]
            for c in range(4):
                p[c] /= math.sqrt(square)
            x += h * vx
            y += h * vy
        out[j, 0], out[j, 1], out[j, 2:6], out[j, 6], out[j, 7], out[j, 8:12] = x, y, p, vx, vy, vp


@njit
def relax(n, w, b, low, high, r):
    """Gauss-Seidel: u = b + W r, r within its bounds, u against it at them."""
    size = 0.0
    for k in range(n):
        size, r[k] = max(size, abs(b[k])), 0.0
    for sweep in range(100000):
        moved = 0.0
        for k in range(n):
            u = b[k]
            for i in range(n):
                u += w[k, i] * r[i]
            now = min(max(r[k] - u / w[k, k], low[k]), high[k])
            moved, r[k] = max(moved, abs(now - r[k]) * w[k, k]), now
        if moved <= 1e-14 * size:
            break


@njit
def strike(n, contacts, row, over, e, v, before, low, high, w, b, r):
    """What laws of one row each make of the velocity v; the first `contacts` of them rebound, as a rule of impact that nothing closes after."""
    rebound, touched, dimension = np.zeros(n), False, len(v)
    for k in range(n):
        b[k] = 0.0
        for c in range(dimension):
            b[k] += row[k, c] * v[c]
            if k < contacts:
                rebound[k] += e * row[k, c] * before[c]
        for i in range(n):
            w[k, i] = 0.0
            for c in range(dimension):
                w[k, i] += row[k, c] * over[i, c]
    for turn in range(2):
        for k in range(contacts):
            b[k] += rebound[k] if turn == 0 else 0.0
        relax(n, w, b, low, high, r)
        again = False
        for k in range(n):
            b[k] -= rebound[k] if turn == 0 and k < contacts else 0.0
            for i in range(n):
                b[k] += w[k, i] * r[i]
            again = again or (rebound[k] > 0 and b[k] < -1e-12)
            for c in range(dimension):
                v[c] += over[k, c] * r[k]
            if k >= contacts:
                low[k] -= r[k]
                high[k] -= r[k]
        if not again:
            break


@njit
def swing(a1, a2, e, lam, tau1, tau2, h, steps, out):
    m11, m22, half = 1 / 3 + 0.6, 0.6 * 0.64 / 3, 0.6 * 0.8 / 2
    row, over, w, b, r, low, high, v, free = np.zeros((4, 2)), np.zeros((4, 2)), np.zeros((4, 4)), np.zeros(4), np.zeros(4), np.zeros(4), np.zeros(4), np.zeros(2), np.zeros(2)
    for j in range(len(a1)):
        q1, q2, s1, s2 = a1[j], a2[j], 0.0, 0.0
        v[:] = 0
        resisted = 2 if tau1[j] > 0 else 0
        for i in range(steps):
            sine, m12 = math.sin(q1 - q2), half * math.cos(q1 - q2)
            det = m11 * m22 - m12 * m12
            f1 = lam[j] * sine - 3.5 * q1 + 1.5 * q2 - half * sine * v[1] * v[1]
            f2 = 1.5 * (q1 - q2) + half * sine * v[0] * v[0]
            free[0], free[1] = v[0] + h * (m22 * f1 - m12 * f2) / det, v[1] + h * (m11 * f2 - m12 * f1) / det
            y1 = math.sin(q1)
            y2 = y1 + 0.8 * math.sin(q2)
            near, n = 1e-12 * (1 + math.sqrt(q1 * q1 + q2 * q2)), 0
            if y1 < 1e-6 or y2 < 1e-6:
                for k in range(2):
                    row[n, 0], row[n, 1] = math.cos(q1), 0.8 * math.cos(q2) if k == 1 else 0.0
                    if (y1 if k == 0 else y2) <= near * math.hypot(row[n, 0], row[n, 1]):
                        n += 1
            contacts, n = n, n + resisted
            if resisted:
                row[contacts, 0], row[contacts, 1], row[contacts + 1, 0], row[contacts + 1, 1] = 1, 0, 1, -1
            for k in range(n):
                over[k, 0], over[k, 1] = (m22 * row[k, 0] - m12 * row[k, 1]) / det, (m11 * row[k, 1] - m12 * row[k, 0]) / det
                low[k], high[k] = 0, 1e300
            before, closes = v.copy(), False
            v[:] = free
            for turn in range(2):  # resistances alone, and with what closes then
                first = contacts if turn == 0 else 0
                if resisted:
                    high[contacts], high[contacts + 1] = h * tau1[j], h * tau2[j]
                    low[contacts], low[contacts + 1] = -h * tau1[j], -h * tau2[j]
                if n > first and (turn == 0 or closes):
                    v[:] = free
                    strike(n - first, contacts - first, row[first:], over[first:], e[j], v, before, low[first:], high[first:], w, b, r)
                if turn == 0:
                    for k in range(contacts):
                        closes = closes or row[k, 0] * v[0] + row[k, 1] * v[1] < 0
            s1 += h * q1
            s2 += h * q2
            q1 += h * v[0]
            q2 += h * v[1]
        out[j, 0], out[j, 1], out[j, 2], out[j, 3], out[j, 4], out[j, 5] = q1, q2, v[0], v[1], s1, s2


@njit
def rub(count, size, w, b, mu, r):
    """Contacts with friction, a normal row and one or two along the wall: Gauss-Seidel, in the plane contact by contact, in space by projection."""
    n, largest = count * size, 0.0
    for k in range(n):
        largest, r[k] = max(largest, abs(b[k])), 0.0
    for sweep in range(100000):
        moved = 0.0
        for c in range(0, n, size):
            u = b[c]
            for i in range(n):
                u += w[c, i] * r[i]
            if size == 2:
                t = b[c + 1]
                for i in range(n):
                    t += w[c + 1, i] * r[i]
                wnn, wnt, wtt = w[c, c], w[c, c + 1], w[c + 1, c + 1]
                u, t = u - wnn * r[c] - wnt * r[c + 1], t - wnt * r[c] - wtt * r[c + 1]
                rn = rt = 0.0
                if u < 0:
                    det, m = wnn * wtt - wnt * wnt, mu[c // 2]
                    rn, rt = (wnt * t - wtt * u) / det, (wnt * u - wnn * t) / det
                    if abs(rt) > m * rn:
                        sign = -1.0 if t * wnn - wnt * u > 0 else 1.0
                        rn = -u / (wnn + sign * m * wnt)
                        rt = sign * m * rn
                moved = max(moved, abs(rn - r[c]) * wnn, abs(rt - r[c + 1]) * wtt)
                r[c], r[c + 1] = rn, rt
                continue
            rn = max(0.0, r[c] - u / w[c, c])
            step, reach = rn - r[c], mu[c // 3] * rn
            r[c], moved = rn, max(moved, abs(step) * w[c, c])
            stiff = max(w[c + 1, c + 1], w[c + 2, c + 2]) + abs(w[c + 1, c + 2])
            x, y = r[c + 1], r[c + 2]
            ux, uy = b[c + 1], b[c + 2]
            for i in range(n):
                ux += w[c + 1, i] * r[i]
                uy += w[c + 2, i] * r[i]
            x, y = x - ux / stiff, y - uy / stiff
            length = math.sqrt(x * x + y * y)
            keep = reach / length if length > reach else 1.0
            moved = max(moved, abs(keep * x - r[c + 1]) * stiff, abs(keep * y - r[c + 2]) * stiff)
            r[c + 1], r[c + 2] = keep * x, keep * y
        if moved <= 1e-13 * largest:
            break


@njit
def push(count, size, row, inverse, mu, v, w, b, r):
    """What contacts with friction make of the velocity v."""
    n, closes = count * size, False
    for k in range(n):
        b[k] = 0.0
        for c in range(len(v)):
            b[k] += row[k, c] * v[c]
        closes = closes or (k % size == 0 and b[k] < 0)
        for i in range(n):
            w[k, i] = 0.0
            for c in range(len(v)):
                w[k, i] += row[k, c] * inverse[c] * row[i, c]
    if closes:
        rub(count, size, w, b, mu, r)
        for k in range(n):
            for c in range(len(v)):
                v[c] += inverse[c] * row[k, c] * r[k]


@njit
def ladder(angle, mu1, h, steps, out):
    inverse, row, w, b, r, mu, v = np.array([0.5, 0.5, 6.0]), np.zeros((4, 3)), np.zeros((4, 4)), np.zeros(4), np.zeros(4), np.zeros(2), np.zeros(3)
    for j in range(len(angle)):
        q = np.array([0.5 * math.cos(angle[j]), 0.5 * math.sin(angle[j]), angle[j]])
        v[:] = 0
        for i in range(steps):
            v[1] -= h * G
            near, x, y, count = (1e-9 if i == 0 else 1e-12) * (1 + math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2)), 0.5 * math.cos(q[2]), 0.5 * math.sin(q[2]), 0
            if q[1] - y <= near:
                row[0, 0], row[0, 1], row[0, 2], row[1, 0], row[1, 1], row[1, 2] = 0, 1, -x, 1, 0, -y
                mu[0], count = mu1[j], 1
            if q[0] - x <= near:
                c = 2 * count
                row[c, 0], row[c, 1], row[c, 2], row[c + 1, 0], row[c + 1, 1], row[c + 1, 2] = 1, 0, y, 0, 1, x
                mu[count], count = 0.4, count + 1
            push(count, 2, row, inverse, mu, v, w, b, r)
            q += h * v
        out[j, :3], out[j, 3:6] = q, v


@njit
def feet(mu0, turn, vx, vy, h, steps, out):
    row, w, b, r, mu, v = np.zeros((12, 6)), np.zeros((12, 12)), np.zeros(12), np.zeros(12), np.zeros(4), np.zeros(6)
    inverse = np.array([0.1, 0.1, 0.1, 0.4, 0.4, 0.4])
    for j in range(len(mu0)):
        q = np.array([0, 0, 0.42, 0, 0, turn[j]])
        v[:], mu[:], v[0], v[1], sx, sy = 0, mu0[j], vx[j], vy[j], 0.0, 0.0
        for i in range(steps):
            v[2] -= h * G
            near, a, tilt, count = (1e-9 if i == 0 else 1e-12) * (1 + math.sqrt((q * q).sum())), q[3], q[4], 0
            x, y = 0.5 * (math.cos(q[5]) - math.sin(q[5])), 0.5 * (math.sin(q[5]) + math.cos(q[5]))
            for foot in range(4):
                if q[2] - 0.4 + y * a - x * tilt <= near:
                    c = 3 * count
                    row[c : c + 3] = 0
                    row[c, 2], row[c, 3], row[c, 4], row[c, 5] = 1, y, -x, x * a + y * tilt
                    row[c + 1, 0], row[c + 1, 4], row[c + 1, 5] = 1, -0.4, -y
                    row[c + 2, 1], row[c + 2, 3], row[c + 2, 5] = 1, 0.4, x
                    count += 1
                x, y = -y, x
            push(count, 3, row, inverse, mu, v, w, b, r)
            sx += h * q[0]
            sy += h * q[1]
            q += h * v
        out[j, :6], out[j, 6:12], out[j, 12], out[j, 13] = q, v, sx, sy


@njit
def cradle(e, speed, h, steps, out):
    row, w, b, r, low, high, v = np.zeros((4, 5)), np.zeros((4, 4)), np.zeros(4), np.zeros(4), np.zeros(4), np.full(4, 1e300), np.zeros(5)
    for j in range(len(e)):
        q = np.array([-2.25, -1, 0, 1, 2])
        v[:], v[0], sa, sf = 0, speed[j], 0.0, 0.0
        for i in range(steps):
            before, near, count, closes = v.copy(), (1e-9 if i == 0 else 1e-12) * (1 + math.sqrt((q * q).sum())) * math.sqrt(2.0), 0, False
            v -= h * 4 * q
            for k in range(4):
                if 1 - (q[k + 1] - q[k]) >= -near:
                    row[count] = 0
                    row[count, k], row[count, k + 1] = -1, 1
                    count, closes = count + 1, closes or v[k + 1] < v[k]
            if closes:
                low[:] = 0
                strike(count, count, row, row, e[j], v, before, low, high, w, b, r)
            sa += h * q[0]
            sf += h * q[4]
            q += h * v
        out[j, :5], out[j, 5:10], out[j, 10], out[j, 11] = q, v, sa, sf


def systems(p, h, steps, out):
    """A call of each, by name."""
    zeros = np.zeros(len(out))
    return {
        "resistance": lambda: oscillate(np.ones(len(out)), p[0], p[1], h, steps, out),
        "mass": lambda: oscillate(p[0], p[1], p[2], h, steps, out),
        "slip": lambda: slip(p[0], p[1], p[2], h, steps, out),
        "belt": lambda: belt(*p, h, steps, out),
        "chain12": lambda: chain(12, *p, h, steps, out),
        "chain48": lambda: chain(48, *p, h, steps, out),
        "ball": lambda: ball(*p, h, steps, out),
        "pendulum": lambda: swing(p[0], p[1], p[2], p[3], zeros, zeros, h, steps, out),
        "pendulum_friction": lambda: swing(p[0], p[1], zeros + 0.6, zeros, p[2], p[3], h, steps, out),
        "rod": lambda: drop_rod(p[0], p[1], p[2], 2.0, 1.0, h, steps, G, out.T),
        "ladder": lambda: ladder(*p, h, steps, out),
        "feet": lambda: feet(*p, h, steps, out),
        "cradle": lambda: cradle(*p, h, steps, out),
    }


RESULTS = {"resistance": 2, "mass": 2, "slip": 4, "belt": 4, "chain12": 24, "chain48": 96, "ball": 12, "feet": 14, "cradle": 12}  # else six


def main(name, steps, h, path):
    members = np.loadtxt(path, ndmin=2)
    out = np.zeros((len(members), RESULTS.get(name, 6)))
    run = systems(np.ascontiguousarray(members.T), float(h), int(steps), out).get(name)
    if run is None:
        return 2
    run()  # compiles
    best, spent = math.inf, 0.0
    while spent < 0.1:
        begin = time.process_time()
        run()
        seconds = time.process_time() - begin
        best, spent = min(best, seconds), spent + seconds
    print(f"{1e9 * best / int(steps) / len(members):.6g}")
    for row in out:
        print(*(repr(float(x)) for x in row))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
