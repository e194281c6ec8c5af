#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints a folder with the emulators bin/qemu-aarch64 and bin/qemu-x86_64 and, in arm64/, the
# libraries that Node needs on 64-bit Arm. Debian's packages are unpacked, not installed, on a first
# call. Everything else that it says goes to stderr.
set -euo pipefail
. "$(dirname "$0")/lib/apt.sh"

suite=${QEMU_SUITE:-trixie}
prefix=${QEMU_PREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/maskflow/qemu}/$suite

die() {
  say "$*"
  exit 1
}

lock "$prefix.lock"
if [ ! -e "$prefix/.complete" ]; then
  [ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || die "this needs Debian's packages for amd64"
  mirror=${DEBIAN_MIRROR:-$(host_mirror)}
  [ -n "$mirror" ] || die "there is no Debian archive among this host's apt sources"
  work=$prefix.partial
  rm -rf "$work"
  mkdir -p "$work/arm64"
  trap 'rm -rf "$work"' EXIT
  private_apt "$work/apt" "$mirror" "$suite" arm64 || die "cannot read Debian $suite"
  # The emulators of this suite are static: they run whatever libc the host has.
  (cd "$work/apt/deb" && apt-get -qq download qemu-user) || die "download failed"
  dpkg-deb --fsys-tarfile "$work"/apt/deb/*.deb | tar -x -C "$work" --strip-components=2 --no-same-owner \
    ./usr/bin/qemu-aarch64 ./usr/bin/qemu-x86_64
  rm "$work"/apt/deb/*.deb
  libraries=(libc6 libgcc-s1 libstdc++6 libatomic1)
  (cd "$work/apt/deb" && apt-get -qq download "${libraries[@]/%/:arm64}") || die "download failed"
  for deb in "$work"/apt/deb/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/arm64" --no-same-owner
  done
  [ -e "$work/arm64/lib" ] || ln -s usr/lib "$work/arm64/lib"
  rm -rf "$work/apt" "$work"/arm64/usr/share
  touch "$work/.complete"
  rm -rf "$prefix"
  mv "$work" "$prefix"
fi
echo "$prefix"
