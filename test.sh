#!/usr/bin/env bash
# Builds everything and runs all tests. --all adds the long batteries; other arguments go to ctest (-R name, -L label).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/cmake/prepare.sh"

arguments=()
for argument in "$@"; do
  case $argument in
    --all) export CONESWEEP_ALL=1 ;;
    -h|--help) sed -n 2p "${BASH_SOURCE[0]}" | cut -c3-; exit 0 ;;
    *) arguments+=("$argument") ;;
  esac
done

install_packages "$here" tests
build "$here" all
say "test: ctest in build/${CONESWEEP_ALL:+ with the long batteries}"
cd "$here/build"
ctest --output-on-failure --parallel "$(nproc)" --no-tests=error "${arguments[@]}"
