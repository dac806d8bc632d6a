"""diffrax: smooth solvers without contact. The plane becomes a stiff damped spring and friction a steep slope, solved implicitly with adaptive steps, vmapped.
A step here is h of the motion, however many steps it takes itself."""
import diffrax
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
MEMBERS = 32


def versions():
    return f"diffrax {diffrax.__version__}"


# user: plane
STIFF, DAMP, SLOW = 1e6, 2e3, 1e-3


def force(t, y, args):
    mu, g = args
    q, v = y[:3], y[3:]
    depth = jnp.maximum(-q[2], 0)
    normal = jnp.maximum(0, STIFF * depth - DAMP * v[2] * depth / (depth + 1e-4))
    speed = jnp.sqrt(v[0] ** 2 + v[1] ** 2 + SLOW**2)
    return jnp.concatenate([v, jnp.array([-mu * normal * v[0] / speed, -mu * normal * v[1] / speed, normal - g])])


@jax.jit
def fall(mu, v0, end, g):
    def one(mu, v0):
        start = jnp.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).at[3].set(v0)
        control = diffrax.PIDController(rtol=1e-6, atol=1e-8)
        return diffrax.diffeqsolve(diffrax.ODETerm(force), diffrax.Kvaerno5(), 0.0, end, 1e-3, start, (mu, g), stepsize_controller=control, max_steps=100000).ys[0]

    return jax.vmap(one)(mu, v0)
# end


def prepare(workload, inputs):
    from cases import GRAVITY
    mu, v0 = (jnp.array(inputs["columns"][name][:MEMBERS]) for name in ("mu", "v0"))
    return (lambda: np.asarray(fall(mu, v0, inputs["h"] * inputs["steps"], GRAVITY)).T), len(mu)
