"""jitcdde: smooth delay equations compiled to C, adaptive, one member after the other. A step here is h of the motion, however many steps it takes itself."""
import jitcdde
import numpy as np

MEMBERS = 8


def versions():
    return f"jitcdde {jitcdde.__version__}"


# user: smooth
def compile_fall(k, g, tau):
    y, t = jitcdde.y, jitcdde.t
    equations = [y(3), y(4), y(5), *(k * (y(c, t - tau) - y(c)) - (g if c == 2 else 0) for c in range(3))]
    system = jitcdde.jitcdde(equations, max_delay=tau, verbose=False)
    system.compile_C()
    system.set_integration_parameters(rtol=1e-8, atol=1e-10)
    return system


def fall(system, v0, end):
    system.purge_past()
    system.constant_past([0, 0, 1, v0, 0, 0], time=0)
    system.step_on_discontinuities()
    return system.integrate(end)
# end


def prepare(workload, inputs):
    from cases import GRAVITY, LAG, STIFFNESS
    v0 = inputs["columns"]["v0"][:MEMBERS]
    system = compile_fall(STIFFNESS, GRAVITY, LAG * inputs["h"])
    end = inputs["h"] * inputs["steps"]
    return (lambda: np.array([fall(system, v, end) for v in v0]).T), len(v0)
