"""What a compiler made, kept by content: the same tool with the same words and inputs on the same kind of processor is not run again.

    done = kept_output.run([nvcc, "-O3", "-o", made, source], made, inputs=[source])

The folder is $CONESWEEP_KEPT; where it is not set, nothing is kept. It can be deleted at any time. Verdicts are never kept, only outputs.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess


def processor():
    """What -march=native may depend on."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return "\n".join(sorted({line for line in lines if line.startswith(("model name", "flags"))}))


def key_of(command, made, inputs):
    """Of the tool's own bytes, its words but for the names of what is made, and the bytes of every input with its name."""
    digest = hashlib.blake2b(digest_size=20)
    tool = shutil.which(command[0]) or command[0]
    digest.update(pathlib.Path(tool).read_bytes() if os.path.exists(tool) else b"")
    names = {str(made): "<made>", **{str(path): f"<{pathlib.Path(path).name}>" for path in inputs}}
    for word in command[1:]:
        digest.update(names.get(str(word), str(word)).encode() + b"\0")
    for path in sorted(map(str, inputs)):
        digest.update(pathlib.Path(path).name.encode() + b"\0" + pathlib.Path(path).read_bytes() + b"\0")
    digest.update(processor().encode())
    return digest.hexdigest()


def run(command, made, inputs):
    """Like subprocess.run(command, capture_output=True, text=True), where the command writes the file `made` from `inputs`."""
    folder = os.environ.get("CONESWEEP_KEPT")
    if not folder or "python" in pathlib.Path(command[0]).name:  # a tool that is a Python package: its bytes are not those of the first word
        return subprocess.run([str(word) for word in command], capture_output=True, text=True)
    place = pathlib.Path(folder) / key_of([str(word) for word in command], made, inputs)
    if (place / "made").exists():
        shutil.copy2(place / "made", made)
        return subprocess.CompletedProcess(command, 0, (place / "out").read_text(), (place / "err").read_text())
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode == 0:
        aside = place.with_name(f"{place.name}.{os.getpid()}")  # several tests at a time: whole, or not there
        aside.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made, aside / "made")
        (aside / "out").write_text(done.stdout)
        (aside / "err").write_text(done.stderr)
        try:
            aside.rename(place)
        except OSError:
            shutil.rmtree(aside, ignore_errors=True)
    return done
