#!/usr/bin/env bash
# Builds conesweep if needed and passes all arguments on; without arguments it runs the flagship sample.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/cmake/prepare.sh"

install_packages "$here"
build "$here" conesweep_app
if [ $# -eq 0 ]; then
  say "run: conesweep run samples/slider.toml --force"
  cd "$here"
  exec build/bin/conesweep run samples/slider.toml --force
fi
exec "$here/build/bin/conesweep" "$@"
