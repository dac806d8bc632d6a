"""MuJoCo as it comes: default contact, default solver."""
import peer_mujoco

WORKLOADS, SAME_SCHEME = ["A", "G"], []
EXCLUDED = dict.fromkeys(["B", "B0", "C", "D", "E1", "E2", "F"], "see mujoco")
USER_FILE = "peer_mujoco.py"


def versions():
    return peer_mujoco.versions()


def prepare(workload, inputs):
    peer_mujoco.OPTIONS, peer_mujoco.CONTACT = "", ""
    return peer_mujoco.prepare(workload, inputs)
