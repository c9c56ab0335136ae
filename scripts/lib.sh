# Shared by the scripts: where things are, and how a step is announced. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${BERTH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/berth/deps}
export BERTH_CACHE=$cache

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $1"; [ $# -lt 2 ] || say "hint: $2"; exit 1; }

# configure_and_build PRESET [TARGET...]: quiet unless it fails.
configure_and_build() {
  local preset=$1; shift
  local log
  log=$(mktemp)
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  if ! { cmake --preset "$preset" -S "$root" && cmake --build "$root/build/$preset" "${targets[@]}"; } >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    rm -f "$log"
    die "the build with preset $preset failed (its last lines are above)"
  fi
  rm -f "$log"
}
