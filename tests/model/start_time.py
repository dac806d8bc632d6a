"""How long `conesweep run` takes to its first members with an empty cache and with a warm one.

    python3 start_time.py --program build/bin/conesweep --sample samples/slider.toml

Bounds are on processor time (what others do on the machine does not count): 3 s cold, 0.2 s warm.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("--program", required=True)
parser.add_argument("--sample", required=True)
arguments = parser.parse_args()


def measure(folder):
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before, start = spent(), time.perf_counter()
    result = subprocess.run([os.path.abspath(arguments.program), "run", os.path.abspath(arguments.sample), "--backend", "cpu", "--members", "1", "--force", "--quiet", "--out", folder + "/run"],
                            env=dict(os.environ, CONESWEEP_CACHE=folder + "/cache"), cwd=folder)
    assert result.returncode == 0
    return spent() - before, time.perf_counter() - start


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([os.path.abspath(arguments.program), "info"], stdout=subprocess.DEVNULL)  # its files are read once
    cold, cold_wall = measure(folder)
    warm, warm_wall = min(measure(folder) for _ in range(5))
print(f"cold start {cold:.2f} s of processor time ({cold_wall:.2f} s by the clock), warm {warm:.3f} s ({warm_wall:.3f} s)")
sys.exit(0 if cold < 3 and warm < 0.2 else 1)
