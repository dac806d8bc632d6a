"""MuJoCo as it comes: default contact, default solver."""
import peer_mujoco


def versions():
    return peer_mujoco.versions()


def prepare(workload, inputs):
    peer_mujoco.OPTIONS, peer_mujoco.CONTACT = "", ""
    return peer_mujoco.prepare(workload, inputs)
