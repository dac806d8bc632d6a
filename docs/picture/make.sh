#!/usr/bin/env bash
# Makes docs/picture.png anew from a run of 2000 members of samples/slider.toml. Needs gnuplot and python3 with h5py; builds the program if needed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CONESWEEP:-$here/../../run.sh}" run "$here/../../samples/slider.toml" --members 2000 --out "$work/run" --quiet
"${PYTHON:-python3}" "$here/extract.py" "$work/run" "$work"
gnuplot -e "data='$work'; picture='$here/../picture.png'" "$here/picture.gp"
