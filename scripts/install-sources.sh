#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Puts the C++ libraries the build uses (xsimd, Google Benchmark, GoogleTest, nlohmann-json) in a
# cache and prints where it is. They are Debian's packages of one fixed suite, unpacked rather than
# installed, so every Debian-like host builds with the same versions whatever it has itself.
# Elsewhere this prints nothing, and CMake fetches the same versions from their homes
# (scripts/cmake/dependencies.cmake).
set -euo pipefail

suite=trixie
cache=${XDG_CACHE_HOME:-$HOME/.cache}/maskflow/sources/$suite
if [ -e "$cache/.complete" ]; then
  echo "$cache"
  exit 0
fi

. "$(dirname "$0")/lib/apt.sh"
for tool in apt-get dpkg dpkg-deb tar; do
  command -v "$tool" >/dev/null || {
    say "no $tool here: CMake will fetch the sources itself"
    exit 0
  }
done
mirror=${DEBIAN_MIRROR:-$(host_mirror)}
if [ -z "$mirror" ]; then
  say "no Debian archive among this host's apt sources: CMake will fetch the sources itself"
  exit 0
fi

lock "$cache.lock"
if [ -e "$cache/.complete" ]; then
  echo "$cache"
  exit 0
fi
work=$cache.partial
rm -rf "$work" "$cache"
trap 'rm -rf "$work"' EXIT
private_apt "$work/apt" "$mirror" "$suite"

# Google Benchmark is packaged only as compiled libraries, so its source package is taken.
say "fetching xsimd, nlohmann-json, GoogleTest and Google Benchmark"
cd "$work/apt/deb"
apt-get -qq download libxsimd-dev nlohmann-json3-dev googletest >&2
apt-get -qq source --download-only benchmark >&2

unpack() { # unpack PACKAGE PATH-IN-IT TO
  mkdir -p "$work/tree" "$(dirname "$work/$3")"
  dpkg-deb -x "$1"_*.deb "$work/tree"
  mv "$work/tree/$2" "$work/$3"
  rm -rf "$work/tree"
}
unpack libxsimd-dev usr/include xsimd/include
unpack nlohmann-json3-dev usr/include nlohmann_json/include
unpack googletest usr/src/googletest googletest
mkdir "$work/benchmark"
tar -xf benchmark_*.orig.tar.* -C "$work/benchmark" --strip-components=1 --no-same-owner

sha256sum -- *.deb *.orig.tar.* >"$work/packages.sha256"
cd /
rm -rf "$work/apt"
touch "$work/.complete"
mv "$work" "$cache"
trap - EXIT
say "in $cache"
echo "$cache"
