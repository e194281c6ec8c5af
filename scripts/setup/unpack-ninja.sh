#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# unpack-ninja.sh DIR: unpacks the ninja of the host's own Debian suite into DIR, for users who may
# not install packages.
set -euo pipefail
. "$(dirname "$0")/../lib/apt.sh"
dir=$1
[ ! -x "$dir/usr/bin/ninja" ] || exit 0
mirror=${DEBIAN_MIRROR:-$(host_mirror)}
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ -n "$mirror" ] && [ -n "$suite" ] || {
  say "this host has no Debian archive to take ninja from"
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
private_apt "$work" "$mirror" "$suite"
(cd "$work/deb" && apt-get -qq download ninja-build)
mkdir -p "$dir"
dpkg-deb -x "$work"/deb/ninja-build_*.deb "$dir"
