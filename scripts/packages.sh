# Sourced by the other scripts: installs the Debian packages they need, if any is missing, and builds.

build_packages=(
  g++ cmake ninja-build pkg-config ccache mold
  libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc
  librocksdb-dev libfmt-dev libspdlog-dev libcli11-dev nlohmann-json3-dev
  libhighwayhash-dev libxxhash-dev libhwy-dev libarchive-dev zlib1g-dev libzstd-dev libjemalloc-dev libssl-dev librdkit-dev libboost-dev libsvm-dev
)
# What the Python package imports; the last two only for molecules and for kindred.sklearn.
python_packages=(python3 python3-grpcio python3-protobuf python3-numpy python3-rdkit python3-sklearn)
test_packages=(
  libgtest-dev libgmock-dev librapidcheck-dev grpc-proto
  "${python_packages[@]}" python3-pytest python3-networkx python3-pip python3-setuptools python3-wheel python3-venv mypy
  openssl
)
lint_packages=(clang-format-14 clang-tidy-14)
fuzz_packages=(clang-14 libclang-rt-14-dev)

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "These packages have to be installed by root; run this script as root, or install sudo." >&2
    exit 1
  fi
}

# install_packages NAME...: only what is missing, without questions; touches no network when all is there.
install_packages() {
  local missing=() name
  for name in "$@"; do
    is_installed "$name" || missing+=("$name")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    return
  fi
  echo "Installing Debian packages: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { as_root apt-get update -q &&
         as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"; } \
       >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "The packages could not be installed; see above." >&2
    exit 1
  fi
  rm -f "$log"
}

# Runs a build step quietly: its output shows only when it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "Failed: $*" >&2
    exit 1
  fi
  rm -f "$log"
}

# build_tests PRESET [TARGET...]: all that is to be tested, or these.
build_tests() {
  local preset=$1 targets=()
  shift
  [ $# -eq 0 ] || targets=(--target "$@")
  install_packages "${build_packages[@]}" "${test_packages[@]}"
  echo "Building (preset $preset)"
  quietly cmake --preset "$preset" -DKINDRED_TESTS=ON
  quietly cmake --build --preset "$preset" "${targets[@]}"
}
