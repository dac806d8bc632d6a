"""The workloads: what is computed, as a scenario of ours and as numbers for the peers. The particles are those of `conesweep bench` (`fixed`, `member`, `curved`)."""

STEP, GRAVITY, STIFFNESS, RADIUS = 1e-3, 9.81, 5.0, 2.0
LAG = 100  # steps of the one delay in `delay`
FINAL = ["x", "y", "z", "vx", "vy", "vz"]


def particle(delayed, wall, vary, sampler=None):
    forces = [f"k * (delay({c}, tau) - {c})" for c in "xyz"] if delayed else ["0", "0", ""]
    contact = f'[[model.contact]]\ninside = "{wall}"\nfriction = "mu"\n' if wall else ""
    parameters = {"g": GRAVITY, "v0": 1.0}
    parameters |= {"k": STIFFNESS, "tau": LAG * STEP} if delayed else {}
    parameters |= {"mu": 0.3} if wall else {}
    parameters |= {"height": 1.0} if "height" in vary else {}
    lines = "".join(f"{name} = {value}\n" for name, value in parameters.items())
    sampler = f'sampler = "{sampler}"\n' if sampler else ""
    return f"""[model]
coordinates = ["x", "y", "z"]
force = ["{forces[0]}", "{forces[1]}", "{forces[2]} - g"]
[model.parameters]
{lines}{contact}[start]
x = "0"
y = "0"
z = "{'height' if 'height' in vary else 1}"
vx = "v0"
[time]
end = 2.0
step = {STEP}
[ensemble]
members = 4096
{sampler}[vary]
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
    """All workloads by name. `groove` and `rod` are those of bench/islands."""
    coupled = {name: (root / "bench/islands" / f"{name}.toml").read_text() for name in ("groove", "rod")}
    return {
        "plane": Case("a particle falls on a rough plane", particle(False, "z >= 0", MU + SPEED), ["mu", "v0"]),
        "delay": Case("the same, pulled back by where it was 100 steps ago", particle(True, "z >= 0", MU + SPEED), ["mu", "v0"]),
        "smooth": Case("the same without the plane: the smooth part", particle(True, "", SPEED), ["v0"]),
        "delays": Case("plane, another delay for each member, 50 to 150 steps", particle(True, "z >= 0", MU + SPEED + TAU), ["mu", "v0", "tau"]),
        "ball": Case("delays inside a rough ball", particle(True, BALL, MU + SPEED + TAU), ["mu", "v0", "tau"]),
        "groove": Case("two contacts: a particle between two rough planes", coupled["groove"], ["theta", "mu"], 1000, 512),
        "rod": Case("two contacts and a mass matrix: a rod falls on a rough floor", coupled["rod"], ["mu", "a0", "vx0"], 1000, 512, ["x", "y", "a", "vx", "vy", "va"]),
        "indices": Case("Sobol indices of where `plane` ends: friction, speed, height; base 4096", particle(False, "z >= 0", MU + SPEED + HEIGHT, "sobol"), ["mu", "v0", "height"], 2000, 5 * 4096),
        "slope": Case("a block that friction holds on a slope, 10⁶ steps: how far it creeps", SLOPE, ["mu"], 1_000_000, 8),
    }
