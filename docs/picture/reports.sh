#!/usr/bin/env bash
# Makes docs/report_*.png anew: parts of three reports as Chromium shows them. Needs chromium and Debian's python3 with python3-pil; builds the program if needed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
conesweep=${CONESWEEP:-$root/run.sh}

# shoot PAGE NAME HEIGHT [SECTION]: so many pixels of a page; with a section its title, and the page from there on
shoot() {
  "${PYTHON:-/usr/bin/python3}" -c 'import re, sys
page = open(sys.argv[1]).read()
if len(sys.argv) > 3:
    page = re.sub(r"<p class=\"lead\">.*?(?=<h2 id=\"section-" + sys.argv[3] + "\")", "", page, flags=re.S)
open(sys.argv[2], "w").write(page)' "$1" "$work/page.html" ${4:+"$4"}
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size="1280,$3" --screenshot="$work/shot.png" "file://$work/page.html" 2>/dev/null
  "${PYTHON:-/usr/bin/python3}" -c 'import sys; from PIL import Image
shot = Image.open(sys.argv[1]).convert("RGB")
shot.resize((1000, shot.height * 1000 // shot.width), Image.LANCZOS).quantize(96).save(sys.argv[2], optimize=True)' "$work/shot.png" "$here/../$2.png"
}

"$conesweep" run "$root/samples/slider.toml" --members 5000 --out "$work/slider" --report --quiet
"$conesweep" run "$root/samples/ladder.toml" --out "$work/ladder" --report --quiet
"$conesweep" run "$root/samples/slider.toml" --members 5000 --set tau=0.1 --out "$work/early" --quiet
"$conesweep" report "$work/slider" "$work/early" --out "$work/compared.html" --quiet
shoot "$work/slider/report.html" report_slider 1000
shoot "$work/ladder/report.html" report_ladder 520 Dependence
shoot "$work/compared.html" report_compared 1000 Observables
