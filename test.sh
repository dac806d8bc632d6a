#!/usr/bin/env bash
# Builds everything and runs all tests; what passed before and sees the same content is not run again. --again runs all, --quick builds the program and runs what needs no compiler
# and no emulation, --all adds the long batteries, --no-cuda leaves CUDA out, --cuda-only leaves all else out; other arguments go to ctest (-R name, -L label).
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
source "$here/cmake/prepare.sh"

arguments=() target=all packages=$packages_to_test
for argument in "$@"; do
  case $argument in
    --all) export CONESWEEP_ALL=1 && packages="$packages clang-tidy$(known_packages $compilers_to_try) $packages_to_bring" ;;
    --quick) target=quick_tests packages=$packages_to_test_quickly arguments+=(-L '^quick$') && export CONESWEEP_CUDA=OFF ;;
    --no-cuda) export CONESWEEP_CUDA=OFF ;;
    # cuda.on.* are other tests' bodies, and their programs; random systems and all samples are long, and of more models than of compilers
    --cuda-only) target=cuda_tests arguments+=(-R '^(cuda|ptxrun)\.' -E '^cuda\.(on\.|Random|Selftest|Samples$)') ;;
    -h|--help) sed -n 2,3p "${BASH_SOURCE[0]}" | cut -c3-; exit 0 ;;
    *) arguments+=("$argument") ;;
  esac
done

# the CUDA tests run under an emulation where there is no GPU, so a compiler is all they need
bring=""
[ "${CONESWEEP_CUDA:-AUTO}" = OFF ] || [ -n "$(find_nvcc "$here")" ] || bring=$packages_to_bring
install_packages $packages_to_build $packages $bring
hold_build "$here"
[ -z "$bring" ] || bring_nvcc "$here"
[ -z "${CONESWEEP_ALL:-}" ] || { bring_zig "$here" && bring_python_tests "$here"; }
[ "$target" != all ] || bring_nanobind "$here"
build "$here" "$target" tests
release_build
say "test: ctest in build/${CONESWEEP_ALL:+ with the long batteries}"
exec python3 -B "$here/tests/support/run_tests.py" --build "$here/build" "${arguments[@]}"
