"""The workloads: what is computed, as a scenario of ours and as numbers for the peers. The particles are those of `conesweep bench` (`fixed`, `member`, `curved`)."""

STEP, GRAVITY, STIFFNESS, RADIUS = 1e-3, 9.81, 5.0, 2.0
LAG = 100  # steps of the one delay in B
FINAL = ["x", "y", "z", "vx", "vy", "vz"]


def particle(delayed, wall, vary):
    forces = [f"k * (delay({c}, tau) - {c})" if delayed else "" for c in "xyz"]
    forces = [forces[0] or "0", forces[1] or "0", (forces[2] + " - g") if delayed else "-g"]
    contact = f'[[model.contact]]\ninside = "{wall}"\nfriction = "mu"\n' if wall else ""
    return f"""[model]
coordinates = ["x", "y", "z"]
force = ["{forces[0]}", "{forces[1]}", "{forces[2]}"]
[model.parameters]
g = {GRAVITY}
k = {STIFFNESS}
tau = {LAG * STEP}
mu = 0.3
v0 = 1.0
height = 1.0
{contact}[start]
x = "0"
y = "0"
z = "height"
vx = "v0"
[time]
end = 2.0
step = {STEP}
[ensemble]
members = 4096
[vary]
{vary}[observe]
standard = []
"""


MU, SPEED, TAU = "mu = { uniform = [0.1, 0.6] }\n", "v0 = { uniform = [1, 3] }\n", "tau = { uniform = [0.05, 0.15] }\n"
HEIGHT = "height = { uniform = [0.5, 1.5] }\n"
BALL = "x^2 + y^2 + z^2 <= 4"
SLOPE = f"""[model]
coordinates = ["x", "y", "z"]
force = ["g * sin(theta)", "0", "-g * cos(theta)"]
[model.parameters]
g = {GRAVITY}
theta = 0.3
mu = 0.35
[[model.contact]]
inside = "z >= 0"
friction = "mu"
[start]
x = "0"
y = "0"
z = "0"
[time]
end = 1000.0
step = {STEP}
[ensemble]
members = 8
[vary]
mu = {{ uniform = [0.32, 0.6] }}
[observe]
standard = []
"""


class Case:
    """One workload. `vary`: parameters that differ between members. `compared`: which final values are looked at."""

    def __init__(self, title, text, vary, steps=2000, members=4096, compared=FINAL):
        self.title, self.text, self.vary, self.steps, self.members, self.compared = title, text, vary, steps, members, compared


def make_cases(root):
    """All workloads by name. The two of E are those of bench/coupled."""
    coupled = {name: (root / "bench/coupled" / f"{name}.toml").read_text() for name in ("groove", "rod")}
    return {
        "A": Case("plane and friction", particle(False, "z >= 0", MU + SPEED), ["mu", "v0"]),
        "B": Case("A and one delay for all, 100 steps", particle(True, "z >= 0", MU + SPEED), ["mu", "v0"]),
        "B0": Case("B without the plane: the smooth part", particle(True, "", SPEED), ["v0"]),
        "C": Case("A and a delay a member, 50 to 150 steps", particle(True, "z >= 0", MU + SPEED + TAU), ["mu", "v0", "tau"]),
        "D": Case("C inside a rough ball", particle(True, BALL, MU + SPEED + TAU), ["mu", "v0", "tau"]),
        "E1": Case("two contacts: groove", coupled["groove"], ["theta", "mu"], 1000, 512),
        "E2": Case("two contacts and a mass: rod", coupled["rod"], ["mu", "a0", "vx0"], 1000, 512, ["x", "y", "a", "vx", "vy", "va"]),
        "F": Case("Sobol indices of A's final x", particle(False, "z >= 0", MU + SPEED + HEIGHT), ["mu", "v0", "height"], 2000, 5 * 4096),
        "G": Case("a block held on a slope", SLOPE, ["mu"], 1_000_000, 8),
    }
