"""JAX: one member's step, vmapped over members, the time loop in one compiled fori_loop."""
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def versions():
    return f"JAX {jax.__version__}"


# user: plane delay delays ball slope
def slide_or_stick(w_t, w_n, mu):
    speed, grip = jnp.sqrt(w_t @ w_t), mu * -w_n
    return w_t * jnp.where(speed > grip, (speed - grip) / jnp.where(speed > grip, speed, 1), 0)
# end


# user: plane delay smooth delays ball slope
UP = jnp.array([0.0, 0.0, 1.0])
# end


# user: plane delay delays slope
def hit_plane(q, w, mu):
    return jnp.where((q[2] <= 0) & (w[2] < 0), slide_or_stick(w - w[2] * UP, w[2], mu), w)
# end


# user: ball
def hit_ball(q, w, mu, radius):
    square = q @ q
    n = -q / jnp.sqrt(square)
    w_n = w @ n
    return jnp.where((square >= radius * radius) & (w_n < 0), slide_or_stick(w - w_n * n, w_n, mu), w)
# end


# user: plane
@jax.jit
def fall(mu, v0, h, steps, gravity):
    def step(_, state):
        q, v = state
        v = jax.vmap(hit_plane)(q, v - h * gravity * UP, mu)
        return q + h * v, v

    zero = jnp.zeros_like(v0)
    q, v = jnp.stack([zero, zero, zero + 1], 1), jnp.stack([v0, zero, zero], 1)
    return jax.lax.fori_loop(0, steps, step, (q, v))
# end


# user: delay smooth
def fall_delayed(mu, v0, h, steps, gravity, k, lag, floor):
    def step(i, state):
        q, v, ring = state
        ring = ring.at[i % (lag + 1)].set(q)
        w = v + h * (k * (ring[(i + 1) % (lag + 1)] - q) - gravity * UP)
        v = jax.vmap(hit_plane)(q, w, mu) if floor else w
        return q + h * v, v, ring

    zero = jnp.zeros_like(v0)
    q, v = jnp.stack([zero, zero, zero + 1], 1), jnp.stack([v0, zero, zero], 1)
    return jax.lax.fori_loop(0, steps, step, (q, v, jnp.repeat(q[None], lag + 1, 0)))[:2]


fall_delayed = jax.jit(fall_delayed, static_argnames=("lag", "floor"))
# end


# user: delays ball
def fall_delays(mu, v0, tau, h, steps, gravity, k, slots, radius):
    hit = (lambda q, w, m: hit_ball(q, w, m, radius)) if radius else hit_plane
    lag = jnp.floor(tau / h).astype(jnp.int32)
    share = (tau / h - lag)[:, None]
    column = jnp.arange(len(tau))

    def step(i, state):
        q, v, ring, older = state
        ring = ring.at[i % slots].set(q)
        newer = ring[(i - lag) % slots, column]
        v = jax.vmap(hit)(q, v + h * (k * (share * older + (1 - share) * newer - q) - gravity * UP), mu)
        return q + h * v, v, ring, newer

    zero = jnp.zeros_like(v0)
    q, v = jnp.stack([zero, zero, zero + 1], 1), jnp.stack([v0, zero, zero], 1)
    return jax.lax.fori_loop(0, steps, step, (q, v, jnp.repeat(q[None], slots, 0), q))[:2]


fall_delays = jax.jit(fall_delays, static_argnames=("slots", "radius"))
# end


# user: slope
@jax.jit
def lie_on_slope(mu, theta, h, steps, gravity):
    pull = gravity * jnp.array([jnp.sin(theta), 0, -jnp.cos(theta)])

    def step(_, state):
        q, v = state
        v = jax.vmap(hit_plane)(q, v + h * pull, mu)
        return q + h * v, v

    return jax.lax.fori_loop(0, steps, step, (jnp.zeros((len(mu), 3)), jnp.zeros((len(mu), 3))))
# end


def prepare(workload, inputs):
    from cases import GRAVITY, LAG, RADIUS, STIFFNESS
    columns = {name: jnp.array(values) for name, values in inputs["columns"].items()}
    h, steps, members = inputs["h"], inputs["steps"], len(next(iter(inputs["columns"].values())))
    mu, v0, tau = columns.get("mu", jnp.zeros(members)), columns.get("v0"), columns.get("tau")
    slots = int(max(inputs["columns"].get("tau", [0])) / h) + 1
    call = {
        "plane": lambda: fall(mu, v0, h, steps, GRAVITY),
        "delay": lambda: fall_delayed(mu, v0, h, steps, GRAVITY, STIFFNESS, LAG, True),
        "smooth": lambda: fall_delayed(mu, v0, h, steps, GRAVITY, STIFFNESS, LAG, False),
        "delays": lambda: fall_delays(mu, v0, tau, h, steps, GRAVITY, STIFFNESS, slots, None),
        "ball": lambda: fall_delays(mu, v0, tau, h, steps, GRAVITY, STIFFNESS, slots, RADIUS),
        "slope": lambda: lie_on_slope(mu, inputs["theta"], h, steps, GRAVITY),
    }[workload]

    def run():
        q, v = call()
        return np.concatenate([np.asarray(q).T, np.asarray(v).T])

    return run, members
