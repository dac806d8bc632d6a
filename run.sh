#!/usr/bin/env bash
# Builds conesweep if needed and passes all arguments on; without arguments it runs the flagship sample and makes a page of it. --no-cuda, first, leaves CUDA out.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/cmake/prepare.sh"

if [ "${1:-}" = --no-cuda ]; then
  export CONESWEEP_CUDA=OFF
  shift
fi
install_packages $packages_to_build
build "$here" conesweep_app
bring_nvrtc "$here"
if [ $# -eq 0 ]; then
  say "run: conesweep run samples/slider.toml --force --report"
  cd "$here"
  exec build/bin/conesweep run samples/slider.toml --force --report
fi
exec "$here/build/bin/conesweep" "$@"
