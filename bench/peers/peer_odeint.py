"""Boost.odeint: C++ compiled with -O3 -march=native, its Euler stepper under a loop by the user (odeint.cpp)."""
import ctypes
import os
import pathlib
import subprocess
import tempfile


def versions():
    text = subprocess.run(["g++", "-x", "c++", "-E", "-dM", "-include", "boost/version.hpp", "/dev/null"], capture_output=True, text=True, check=True).stdout
    number = next(line.split()[2] for line in text.splitlines() if line.startswith("#define BOOST_LIB_VERSION"))
    return f"Boost.odeint {number.strip(chr(34))}, g++"


def prepare(workload, inputs):
    from cases import GRAVITY, LAG, RADIUS, STIFFNESS
    import math
    source, library = pathlib.Path(__file__).with_name("odeint.cpp"), tempfile.mkdtemp(dir=os.environ.get("PEERS_SCRATCH")) + "/odeint.so"
    subprocess.run(["g++", "-O3", "-march=native", "-std=c++17", "-shared", "-fPIC", str(source), "-o", library], check=True)
    code = ctypes.CDLL(library)
    columns, h, steps = inputs["columns"], inputs["h"], inputs["steps"]
    members = len(next(iter(columns.values())))
    numbers = lambda values: (ctypes.c_double * len(values))(*values)  # noqa: E731
    mu, start = numbers(columns.get("mu", [0.0] * members)), [0.0] * (6 * members)
    pull = numbers([0.0, 0.0, -GRAVITY])
    if workload == "slope":
        pull = numbers([GRAVITY * math.sin(inputs["theta"]), 0.0, -GRAVITY * math.cos(inputs["theta"])])
    else:
        start[2::6], start[3::6] = [1.0] * members, columns["v0"]
    tau = columns.get("tau", [LAG * h] * members)
    slots = max(int(x / h + 1e-9) for x in tau) + 1
    tau, start, state = numbers(tau), numbers(start), numbers(start)
    wall = {"smooth": 0, "ball": 2}.get(workload, 1)
    double = ctypes.c_double

    def run():
        ctypes.memmove(state, start, ctypes.sizeof(start))
        if workload in ("plane", "slope"):
            code.step_free(members, steps, double(h), mu, pull, state)
        else:
            code.step_delayed(members, steps, double(h), mu, pull, state, double(STIFFNESS), tau, slots, wall, double(RADIUS))
        return [state[c::6] for c in range(6)]

    return run, members
