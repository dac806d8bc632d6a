# Shared by run.sh and test.sh: packages, the build, and CUDA where it can be brought. Says what it does, on standard error.

unset CDPATH   # else cd says where it went, and may go elsewhere

say() { echo "== $*" >&2; }

packages_to_build="cmake g++ ninja-build libboost-dev libcli11-dev libeigen3-dev libhdf5-dev librandom123-dev libthrust-dev libtomlplusplus-dev nlohmann-json3-dev"
# libopenmpi-dev, openmpi-bin and shellcheck: some 60 MB with what they need
packages_to_test="clang-format libgtest-dev libgmock-dev libmpfr-dev libopenmpi-dev openmpi-bin shellcheck python3 python3-dev python3-h5netcdf python3-h5py python3-netcdf4 python3-numpy python3-openturns python3-scipy python3-venv python3-xarray zsh"
packages_to_test_quickly="libgtest-dev libgmock-dev python3"
compilers_to_try="clang-14 clang-16 clang-19"   # with --all, of those that the system has
packages_to_package="dpkg-dev file"   # cpack -G DEB asks them what is a program, and which packages its libraries are of
packages_to_bring="python3 python3-venv"   # what brings CUDA's compilers from PyPI

# missing_packages PACKAGE…: those that are not installed. A system without dpkg has what it has.
missing_packages() {
  command -v dpkg-query >/dev/null || return 0
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf ' %s' "$package"
  done
}

# known_packages PACKAGE…: those that this system could install.
known_packages() {
  command -v apt-cache >/dev/null || return 0
  local package
  for package in "$@"; do
    [ -z "$(apt-cache show "$package" 2>/dev/null)" ] || printf ' %s' "$package"
  done
}

# may_install: as root, or by a sudo that asks nothing or has a terminal to ask on.
may_install() { [ "$(id -u)" -eq 0 ] || { command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }; }

# install_packages PACKAGE…: by apt-get, as root or by sudo; otherwise prints the one command to run.
install_packages() {
  local missing sudo=""
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  say "install:$missing"
  if ! may_install; then
    echo "These packages are missing. Run this as root, then try again:" >&2
    echo "  apt-get update && apt-get install -y --no-install-recommends$missing" >&2
    exit 3
  fi
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  $sudo apt-get update -qq >&2
  # shellcheck disable=SC2086  # a list of words
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
}

# list_nvcc FOLDER: the CUDA compilers of this machine, then the one brought into FOLDER/build/cuda; nothing where CUDA is not wanted.
list_nvcc() {
  [ "${CONESWEEP_CUDA:-AUTO}" != OFF ] || return 0
  local candidate
  for candidate in "$(command -v nvcc || true)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" "$1/build/cuda/toolkit/bin/nvcc"; do
    [ -z "$candidate" ] || [ ! -x "$candidate" ] || echo "$candidate"
  done
}

# too_old NVCC: is it of a CUDA before 12, which has no C++20? Then prints its version.
too_old() { [[ $("$1" --version 2>/dev/null || true) =~ release\ (([0-9]+)\.[0-9]+) ]] && [ "${BASH_REMATCH[2]}" -lt 12 ] && echo "${BASH_REMATCH[1]}"; }

# find_nvcc FOLDER: the first of them that is not too old.
find_nvcc() {
  local candidate
  while IFS= read -r candidate; do
    too_old "$candidate" >/dev/null || { echo "$candidate"; return 0; }
  done < <(list_nvcc "$1")
}

# tell_too_old FOLDER: which of them are not used, and why.
tell_too_old() {
  local candidate version
  while IFS= read -r candidate; do
    ! version=$(too_old "$candidate") || say "$candidate is of CUDA $version and not used: conesweep needs CUDA 12 or later"
  done < <(list_nvcc "$1")
}

# bring_python_packages FOLDER PART REQUIREMENTS: what a file pins, into a Python environment of the build's own, FOLDER/build/PART/python. It is loaded into
# the program, so a wheel with another hash is not installed, and everything ends. tools/pin_wheels.py makes the files.
bring_python_packages() {
  local python=$1/build/$2/python log=$1/build/$2/bring.log
  mkdir -p "$(dirname "$log")"
  [ -x "$python/bin/python" ] || python3 -m venv "$python" >"$log" 2>&1 || return 1
  # python -m pip: the script pip itself does not start from a folder with a space
  "$python/bin/python" -m pip install --quiet --disable-pip-version-check --retries 2 --require-hashes --no-deps --only-binary :all: -r "$3" >>"$log" 2>&1 && return 0
  grep -qs "DO NOT MATCH THE HASHES" "$log" || return 1
  echo "What PyPI sent is not what this version of conesweep was tested with: a hash differs from the one that is pinned (log: build/$2/bring.log)." >&2
  echo "It was not installed. Try again; --no-cuda does without it." >&2
  exit 3
}

# bring_nvcc FOLDER: CUDA's compilers from PyPI, as FOLDER/build/cuda/toolkit.
bring_nvcc() {
  local cuda=$1/build/cuda toolkit
  say "bring: CUDA's compiler from PyPI into build/cuda, some 500 MB (--no-cuda leaves it out)"
  if ! bring_python_packages "$1" cuda "$1/cmake/cuda_requirements.txt"; then
    say "CUDA's compiler could not be brought from PyPI (log: build/cuda/bring.log): the tests of the cuda executor are skipped"
    return 0
  fi
  toolkit=$(cd "$cuda" && echo python/lib/python3*/site-packages/nvidia/cu13)
  # a toolkit has these two names, which Python packages leave out
  ln -sfn lib "$cuda/$toolkit/lib64"
  ln -sf libcudart.so.13 "$cuda/$toolkit/lib/libcudart.so"
  ln -sfn "$toolkit" "$cuda/toolkit"
  ln -sfn "$toolkit/lib" "$cuda/nvrtc"
}

# bring_zig FOLDER: a clang of this year from PyPI, as the module ziglang of FOLDER/build/zig/python.
bring_zig() {
  compgen -G "$1/build/zig/python/lib/python3*/site-packages/ziglang/zig" >/dev/null && return 0
  say "bring: clang as ziglang from PyPI into build/zig, some 450 MB"
  bring_python_packages "$1" zig "$1/cmake/zig_requirements.txt" || say "ziglang could not be brought from PyPI (log: build/zig/bring.log): models are not tried with it"
}

# choose_nvrtc FOLDER MAJOR MINOR: the line of the newest NVRTC that a driver for this CUDA understands; the lines are ordered.
choose_nvrtc() {
  local line chosen=""
  while IFS= read -r line; do
    [[ $line =~ ==([0-9]+)\.([0-9]+)\. ]] && [ $((1000 * BASH_REMATCH[1] + BASH_REMATCH[2])) -le $((1000 * $2 + $3)) ] || continue
    chosen=$line
  done <"$1/cmake/nvrtc_requirements.txt"
  [ -n "$chosen" ] && echo "$chosen"
}

# bring_nanobind FOLDER: what the Python package is compiled with, where CMake looks for it.
bring_nanobind() {
  compgen -G "$1/build/python-env/python/lib/python3*/site-packages/nanobind/cmake" >/dev/null && return 0
  say "bring: nanobind from PyPI into build/python-env, some 2 MB"
  bring_python_packages "$1" python-env "$1/cmake/python_requirements.txt" ||
    say "nanobind could not be brought from PyPI (log: build/python-env/bring.log): the Python package is left out, and its tests"
}

# bring_python_tests FOLDER: libraries that the Python package is tried with, and what checks it, as FOLDER/build/python-tests/python. The wheels are those of
# Debian 12's Python.
bring_python_tests() {
  local pins=$1/cmake/python_tests_requirements.txt brought=$1/build/python-tests/brought.txt
  ! cmp -s "$pins" "$brought" || return 0
  if ! python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
    say "the libraries that the Python package is tried with are pinned for Python 3.11, and python3 is another: tests with them are skipped where they are not there"
    return 0
  fi
  say "bring: SALib, emcee, JAX, Jupyter and others from PyPI into build/python-tests, some 230 MB"
  if bring_python_packages "$1" python-tests "$pins"; then
    cp "$pins" "$brought"
  else
    say "they could not be brought from PyPI (log: build/python-tests/bring.log): tests with them are skipped where they are not there"
  fi
}

# see_driver: is there an NVIDIA driver for the system's loader?
see_driver() {
  local folder known
  known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null || true)
  [[ $known != *libcuda.so.1* ]] || return 0
  while IFS= read -r -d : folder; do [ -n "$folder" ] && [ -e "$folder/libcuda.so.1" ] && return 0; done <<<"${LD_LIBRARY_PATH:-}:"
  return 1
}

# bring_nvrtc FOLDER: where the program sees a driver and no NVRTC, or only newer ones, the newest NVRTC that this driver understands, from PyPI.
bring_nvrtc() {
  [ "${CONESWEEP_CUDA:-AUTO}" != OFF ] && [ ! -e "$1/build/cuda/nvrtc" ] && see_driver || return 0
  local facts major minor pinned found what="no NVRTC"
  facts=$("$1/build/bin/conesweep" info --json)
  [[ $facts =~ \"driver\":\ \"([0-9]+)\.([0-9]+)\" ]] || return 0
  major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
  if [[ $facts =~ \"nvrtc\":\ \"([0-9]+)\.([0-9]+)\" ]]; then
    [ $((1000 * BASH_REMATCH[1] + BASH_REMATCH[2])) -gt $((1000 * major + minor)) ] || return 0
    what="no NVRTC that it understands"
  fi
  if ! pinned=$(choose_nvrtc "$1" "$major" "$minor"); then
    say "there is an NVIDIA driver for CUDA $major.$minor, which is too old: the GPU is not used"
    return 0
  fi
  if [ -n "$(missing_packages $packages_to_bring)" ] && ! may_install; then
    say "there is an NVIDIA driver but $what, which this would bring: apt-get install -y --no-install-recommends$(missing_packages $packages_to_bring)"
    return 0
  fi
  # shellcheck disable=SC2086
  install_packages $packages_to_bring
  say "bring: NVRTC for the driver's CUDA $major.$minor from PyPI into build/cuda, some 130 MB (--no-cuda leaves it out)"
  mkdir -p "$1/build/cuda"
  echo "$pinned" >"$1/build/cuda/nvrtc_requirements.txt"
  if bring_python_packages "$1" cuda "$1/build/cuda/nvrtc_requirements.txt"; then
    for found in "$1"/build/cuda/python/lib/python3*/site-packages/nvidia/*/lib/libnvrtc.so.*; do
      found=$(dirname "${found#"$1/build/cuda/"}")
    done
    ln -sfn "$found" "$1/build/cuda/nvrtc"
  else
    say "NVRTC could not be brought from PyPI (log: build/cuda/bring.log): the GPU is not used"
  fi
}

# refuse_build FOLDER WHY: the build is another's, and something is to be written.
refuse_build() {
  echo "The folder $1/build is not yours to write, and $2." >&2
  echo "Its owner is $(stat -c %U "$1/build"). Copy the project, without build/, to a folder of your own." >&2
  exit 3
}

# use_finished FOLDER TARGET: is the build another's, who left nothing to do? Then it is used as it is. Ends where something is left to do.
use_finished() {
  [ -e "$1/build" ] && [ ! -w "$1/build" ] || return 1
  local left globs=$1/build/CMakeFiles/VerifyGlobs.cmake
  # ninja would only tell, and cmake only look; but lists of files count as out of date until they are looked at, so that is done by itself
  left=$(ninja -C "$1/build" -f <(sed '/: VERIFY_GLOBS /s/ | .*//' "$1/build/build.ninja") -n build.ninja "$2" 2>&1) && [[ $left == *"no work to do"* ]] &&
    { [ ! -e "$globs" ] || { left=$(cmake -P "$globs" 2>&1) && [[ $left != *mismatch* ]]; }; } || refuse_build "$1" "the build in it is not complete"
}

# hold_build FOLDER, release_build: one at a time works in FOLDER/build; the others wait. A lock ends with the process, however that ends.
hold_build() {
  mkdir -p "$1/build"
  [ -w "$1/build" ] || refuse_build "$1" "tests write there"
  command -v flock >/dev/null || return 0
  [ -e "$1/build/lock" ] || : >"$1/build/lock"
  exec {build_lock}<"$1/build/lock"
  flock -n "$build_lock" && return 0
  say "another run.sh or test.sh is at work in build/: waiting for it"
  flock "$build_lock"
}
release_build() { [ -z "${build_lock:-}" ] || exec {build_lock}<&-; }

# configure FOLDER PRESET SETTING…: a build folder that does not fit (moved, of another version, cut short) is configured afresh.
configure() {
  local log=$1/build/build.log preset=$2
  (
    cd "$1"
    shift 2
    cmake --preset "$preset" "$@" || { echo "== configure afresh" && cmake --fresh --preset "$preset" -DCONESWEEP_TESTS=OFF "$@"; }
  ) >>"$log" 2>&1 </dev/null
}

# build FOLDER TARGET [tests]: in FOLDER/build, with CUDA where there is a compiler for it that works.
build() {
  local preset=cpu log=$1/build/build.log nvcc settings=()
  # a newer compiler's warning must not stop a newcomer; a build that is there keeps what it has, else all of it would be compiled again
  [ -e "$1/build/CMakeCache.txt" ] || settings+=("-DCONESWEEP_WERROR=$([ -n "${CI:-}" ] && echo ON || echo OFF)")
  mkdir -p "$1/build"
  nvcc=$(find_nvcc "$1")
  [ -z "$nvcc" ] || preset=cuda
  tell_too_old "$1"
  if [ "${3:-}" = tests ]; then
    settings+=(-DCONESWEEP_TESTS=ON)
  elif ! configured_tests "$1"; then
    settings+=(-DCONESWEEP_TESTS=OFF)
  fi
  say "build: preset $preset, target $2 (log: build/build.log)"
  : >"$log"
  if [ $preset = cuda ] && ! configure "$1" cuda "${settings[@]}" "-DCMAKE_CUDA_COMPILER=$nvcc" && [ "${CONESWEEP_CUDA:-AUTO}" != ON ]; then
    say "the CUDA compiler $nvcc does not work (log: build/build.log): built without it"
    preset=cpu
  fi
  { [ $preset = cuda ] || configure "$1" cpu "${settings[@]}"; } && (cd "$1" && cmake --build build --target "$2") >>"$log" 2>&1 </dev/null || { tail -n 40 "$log" >&2; exit 3; }
}

# configured_tests FOLDER: are the tests part of a build that is there? Then run.sh leaves them in it.
configured_tests() { [ -e "$1/build/build.ninja" ] && grep -qs '^CONESWEEP_TESTS:BOOL=ON' "$1/build/CMakeCache.txt"; }
