"""Who takes part in what, and why not in the rest. The file is peer_<name>.py; `same`: it steps by (P1)-(P6), as we do, and must agree to rounding; else its own method
stands beside the motion itself. `also`: lines of another file that the user writes too. No library is loaded here."""

ALONE = "no solver for several contacts; see numba"
NO_INDICES = "neither design nor estimator"
NO_FORCE_LAW = "design and estimator only"
CRASHES = "its contact relation would be a Python class of the user, which ends in a segmentation fault in Debian's package"


class Peer:
    def __init__(self, title, workloads, excluded, same=False, text=None, also=None, python=None):
        self.title, self.workloads, self.same, self.text, self.also, self.python = title, workloads.split(), same, text, also, python
        self.excluded = {name: why for names, why in excluded.items() for name in names.split()}


PEERS = {
    "numpy": Peer("NumPy", "plane delay smooth delays ball slope", {"groove rod": ALONE, "indices": NO_INDICES}, same=True),
    "numba": Peer("Numba", "plane delay smooth delays ball groove rod slope", {"indices": "it is the model of SALib and OpenTURNS there"}, same=True),
    "jax": Peer("JAX", "plane delay smooth delays ball slope", {"groove rod": ALONE, "indices": NO_INDICES}, same=True),
    "warp": Peer("Warp, CPU", "plane delay smooth delays ball slope", {"groove rod": ALONE, "indices": NO_INDICES}, same=True),
    "odeint": Peer("Boost.odeint", "plane delay smooth delays ball slope", {"groove rod": ALONE, "indices": NO_INDICES}, same=True, text="odeint.cpp"),
    "siconos": Peer("Siconos", "plane delay delays groove slope", {"smooth": "no contact there", "ball": CRASHES, "rod": CRASHES + "; its solver under a loop by hand is in bench/islands.py", "indices": NO_INDICES},
                    python="/usr/bin/python3"),
    "mujoco": Peer("MuJoCo, stiff", "plane delay delays groove rod slope", {"smooth": "no contact there", "ball": "no geometry for the inside of a ball", "indices": NO_INDICES}),
    "mujoco_default": Peer("MuJoCo as it comes", "plane slope", {"delay smooth delays ball groove rod indices": "see MuJoCo, stiff"}, text="peer_mujoco.py"),
    "diffrax": Peer("diffrax", "plane", {"delay smooth delays ball": "no delays", "groove rod": "no contact; what smoothing it costs shows in `plane`", "slope": "smoothed friction creeps by construction",
                                     "indices": NO_INDICES}),
    "jitcdde": Peer("jitcdde", "smooth", {"plane delay delays ball groove rod slope": "no contact or friction", "indices": NO_INDICES}),
    "salib": Peer("SALib, Numba", "indices", {"plane delay smooth delays ball groove rod slope": NO_FORCE_LAW}, also=("peer_numba.py", "plane")),
    "openturns": Peer("OpenTURNS, Numba", "indices", {"plane delay smooth delays ball groove rod slope": NO_FORCE_LAW}, also=("peer_numba.py", "plane")),
}
