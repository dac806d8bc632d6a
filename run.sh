#!/usr/bin/env bash
# Builds conesweep if needed and passes all arguments on; without arguments it runs the flagship sample and makes a page of it. --no-cuda, first, leaves CUDA out.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
source "$here/cmake/prepare.sh"

if [ "${1:-}" = --no-cuda ]; then
  export CONESWEEP_CUDA=OFF
  shift
fi
if ! use_finished "$here" conesweep_app; then
  install_packages $packages_to_build
  hold_build "$here"
  build "$here" conesweep_app
  bring_nvrtc "$here"
  release_build
fi
if [ $# -eq 0 ]; then
  say "run: conesweep run samples/slider.toml --force --report"
  [ ! -w "$here" ] || cd "$here"
  set -- run "$(realpath --relative-base=. "$here/samples/slider.toml")" --force --report
fi
exec "$here/build/bin/conesweep" "$@"
