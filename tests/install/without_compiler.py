"""Run in a bare system by a Python that has the wheel, and no C++ compiler: what it says, and that the reference executor works.

    python3 without_compiler.py SAMPLE
"""
import subprocess
import sys

import conesweep as cs

SENTENCE = "no C++ compiler was found for the cpu executor; install g++ or, by pip, conesweep[compiler], or use "
study = cs.Scenario(sys.argv[1]).with_(members=50, step=0.02)

try:
    study.run(backend="cpu")
except RuntimeError as error:
    assert str(error) == SENTENCE + "backend reference", error
else:
    sys.exit("the cpu executor runs without a compiler")

done = subprocess.run([f"{sys.prefix}/bin/conesweep", "run", sys.argv[1], "--backend", "cpu"], capture_output=True, text=True)
assert (done.returncode, done.stderr) == (3, f"conesweep: {SENTENCE}--backend reference\n"), done.stderr

run = study.run(backend="reference")
assert run.members == 50 and not run["status"].any()
assert (study.run()["reach"] == run["reach"]).all()   # auto takes it
print("without a compiler: as it should be")
