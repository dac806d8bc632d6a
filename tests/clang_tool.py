"""Finds clang-format and clang-tidy, of one version: versions differ in what they make of one file."""
import re
import shutil
import subprocess

MAJOR = "14"  # Debian 12's
SKIP = 77     # exit code of a test that ctest takes for skipped


def find_tool(name):
    """The program, or None; and then why."""
    found = []
    for program in [f"{name}-{MAJOR}", name]:
        if shutil.which(program):
            said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
            version = re.search(r"version (\d+)", said)
            found.append(version[1] if version else "unknown")
            if found[-1] == MAJOR:
                return program, ""
    return None, f"skipped: needs {name} {MAJOR}, and " + (f"version {found[0]} is installed" if found else "it is not installed")
