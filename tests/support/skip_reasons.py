"""What was skipped in the run of ctest that just ended, and why: one line a reason. ctest calls it (CTestCustom.cmake).

    python3 skip_reasons.py BUILD
"""
import pathlib
import re
import sys


def find(log):
    """Reason -> names of the tests that gave it, from the text of LastTest.log; cases skipped inside a test that passed count too."""
    found = {}
    for block in re.split(r"(?m)^\d+/\d+ Testing: ", log)[1:]:
        name, _, text = block.partition("\n")
        output = re.search(r"(?ms)^Output:\n-+\n(.*?)^<end of output>$", text)
        for match in re.finditer(r"(?m)(?:^\S+: Skipped\n(?P<gtest>.+)|\.\.\. skipped (?P<quote>['\"])(?P<unittest>.*)(?P=quote)$|^skipped: (?P<script>.+))", output.group(1) if output else ""):
            reason = match["gtest"] or match["unittest"] or match["script"]
            names = found.setdefault(reason.strip(), [])
            if name not in names:
                names.append(name)
    return found


def main():
    folder = pathlib.Path(sys.argv[1]) / "Testing/Temporary"
    logs = [folder / "LastTest.log.tmp", folder / "LastTest.log"]  # the first while ctest still runs
    log = next((path.read_text(errors="replace") for path in logs if path.exists()), "")
    found = find(log)
    if found:
        print("\nskipped, in whole or in part:")
    for reason, names in sorted(found.items(), key=lambda item: item[1]):
        print(f"  {', '.join(names[:3])}{f' and {len(names) - 3} more' if len(names) > 3 else ''}: {reason}")


if __name__ == "__main__":
    main()
