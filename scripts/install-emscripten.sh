#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints the root of an Emscripten toolchain (emcc, emcmake, cmake/Modules/...), and makes one first
# if there is none. Everything else it says goes to stderr. Order of choice:
#   1. an emcc that is there already ($EMSCRIPTEN_ROOT, $EMSDK, PATH) and new enough;
#   2. a toolchain this script made earlier;
#   3. Debian's packages of a newer suite, unpacked (not installed) into a private prefix with the
#      C and C++ libraries they were built for: no root, nothing changed outside the prefix, and it
#      does not matter how old the host's libc is.
# Anything else: it stops and says how to get the upstream SDK.
#
#   --suite NAMES   Debian suites, the first that works  (EMSCRIPTEN_SUITE, "trixie forky")
#   --prefix DIR    where to, SUITE is appended; it cannot be moved afterwards
#                                        (EMSCRIPTEN_PREFIX, $XDG_CACHE_HOME/emscripten-debian)
#   --min X.Y.Z     oldest version accepted from (1)     (EMSCRIPTEN_MIN, 3.1.69)
#   --no-system     skip (1)
#   --force         make it again
set -euo pipefail
. "$(dirname "$0")/lib/apt.sh"

suites=${EMSCRIPTEN_SUITE:-trixie forky}
prefix=${EMSCRIPTEN_PREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/emscripten-debian}
min=${EMSCRIPTEN_MIN:-3.1.69}
system=1 force=0
while [ $# -gt 0 ]; do
  case $1 in
    --suite) suites=$2; shift 2 ;;
    --prefix) prefix=$2; shift 2 ;;
    --min) min=$2; shift 2 ;;
    --no-system) system=0; shift ;;
    --force) force=1; shift ;;
    -h | --help) sed -n '3,/^set -euo/{/^#/!d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;;
    *) echo "unknown option: $1" >&2; exit 2 ;;
  esac
done
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac

die() {
  say "$*"
  cat >&2 <<MSG
Install the upstream SDK instead (any version from $min on), then run this again:
    git clone --branch 4.0.10 https://github.com/emscripten-core/emsdk && cd emsdk
    ./emsdk install 4.0.10 && ./emsdk activate 4.0.10 && . ./emsdk_env.sh
MSG
  exit 1
}
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }
emcc_version() { "$1" --version 2>/dev/null | sed -nE '1s/.* ([0-9]+\.[0-9]+\.[0-9]+).*/\1/p'; }

from_system() {
  local emcc version
  for emcc in "${EMSCRIPTEN_ROOT:+$EMSCRIPTEN_ROOT/emcc}" \
    "${EMSDK:+$EMSDK/upstream/emscripten/emcc}" "$(command -v emcc || true)"; do
    [ -n "$emcc" ] && [ -x "$emcc" ] || continue
    version=$(emcc_version "$emcc" || true)
    if [ -n "$version" ] && at_least "$version" "$min"; then
      "$(dirname "$emcc")/em-config" EMSCRIPTEN_ROOT 2>/dev/null || dirname "$(readlink -f "$emcc")"
      return 0
    fi
    say "$emcc is version ${version:-unknown}, older than $min: not used"
  done
  return 1
}

if [ $system = 1 ] && from_system; then exit 0; fi
case $prefix in *[[:space:]]*) die "the prefix '$prefix' has a space in it" ;; esac
for suite in $suites; do
  if [ $force = 0 ] && [ -e "$prefix/$suite/.complete" ]; then
    echo "$prefix/$suite/usr/share/emscripten"
    exit 0
  fi
done

[ "$(uname -s)" = Linux ] || die "no usable emcc, and Debian's packages need Linux"
for tool in apt-get apt-cache dpkg dpkg-deb tar python3 node; do
  command -v "$tool" >/dev/null || die "no usable emcc, and '$tool' is not here to install one"
done
mirror=${DEBIAN_MIRROR:-$(host_mirror)}
[ -n "$mirror" ] || die "no usable emcc, and no Debian archive among this host's apt sources"
for suite in $suites; do
  if bash "$(dirname "$0")/lib/unpack-emscripten.sh" "$mirror" "$suite" "$prefix/$suite" "$min" >&2; then
    echo "$prefix/$suite/usr/share/emscripten"
    exit 0
  fi
done
die "no usable emcc, and none could be installed from Debian $suites"
