# Shared by run.sh and test.sh: packages and the build. Says what it does, on standard error.

say() { echo "== $*" >&2; }

packages_to_build="cmake g++ ninja-build libboost-dev libcli11-dev libeigen3-dev libhdf5-dev librandom123-dev libthrust-dev libtomlplusplus-dev nlohmann-json3-dev"
packages_to_test="make libgtest-dev libgmock-dev libmpfr-dev python3 python3-h5py python3-numpy python3-openturns python3-scipy"

# install_packages FOLDER [tests]: by apt-get, as root or by sudo; otherwise prints the one command to run.
install_packages() {
  command -v dpkg-query >/dev/null || return 0
  local wanted=$packages_to_build missing=""
  [ "${2:-}" = tests ] && wanted="$wanted $packages_to_test"
  for package in $wanted; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  say "install:$missing"
  local sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
      sudo=sudo
    else
      echo "These packages are missing. Install them and try again:" >&2
      echo "  sudo apt-get install$missing" >&2
      exit 3
    fi
  fi
  $sudo apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >&2
}

# build FOLDER TARGET: in FOLDER/build, with the CUDA toolkit where there is one.
build() {
  local preset=cpu log=$1/build/build.log
  command -v nvcc >/dev/null && preset=cuda
  mkdir -p "$1/build"
  say "build: preset $preset, target $2 (log: build/build.log)"
  (cd "$1" && cmake --preset "$preset" && cmake --build build --target "$2") >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 3; }
}
