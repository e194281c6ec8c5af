#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# unpack-emscripten.sh MIRROR SUITE PREFIX MIN: unpacks Debian SUITE's Emscripten, with the shared
# libraries it needs down to libc, into PREFIX. Called by ../install-emscripten.sh.
set -euo pipefail
. "$(dirname "$0")/apt.sh"
mirror=$1 suite=$2 prefix=$3 min=$4
work=$prefix.partial
root=$prefix/usr/share/emscripten

die() {
  say "$*"
  exit 1
}

lock "$prefix.lock"
# Another run may have finished while this one waited for the lock.
[ ! -e "$prefix/.complete" ] || exit 0
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
# An SDK activated in this shell would be asked instead of the new one.
unset EM_CONFIG

apt=$work/apt
private_apt "$apt" "$mirror" "$suite" || die "cannot read Debian $suite"
field() { apt-cache show --no-all-versions "$1" 2>/dev/null | sed -n "s/^$2: //p"; }
version=$(field emscripten Version)
[ -n "$version" ] || die "no emscripten in Debian $suite"
oldest=$(printf '%s\n%s\n' "$min" "${version%%[-+~]*}" | sort -V | head -n 1)
[ "$oldest" = "$min" ] || die "emscripten $version of Debian $suite is older than $min"

llvm=$(field emscripten Depends | grep -oE 'clang-[0-9]+' | head -n 1 | cut -d- -f2)
libs=$(for p in "clang-$llvm" "lld-$llvm"; do field "$p" Depends; done |
  grep -oE '\blib(llvm|clang-cpp)[^ ,]*' | sort -u)
say "emscripten $version with clang $llvm, binaryen $(field binaryen Version)"
# apt's solver gives the shared libraries; the tools themselves are taken without the rest of what
# Debian makes them depend on (a native C++ toolchain, Node, Python).
closure=$(apt-get -s install $libs binaryen patchelf | sed -nE 's/^Inst ([^ ]+) .*/\1/p')
packages=$(printf '%s\n' $closure emscripten node-acorn "clang-$llvm" "libclang-common-$llvm-dev" \
  "lld-$llvm" "llvm-$llvm" | sort -u)
(cd "$apt/deb" && apt-get -qq download $packages) || die "download failed"

say "unpacking $(du -sh "$apt/deb" | cut -f1) of packages"
unused=(usr/share/{locale,man,bash-completion,doc-base,lintian} 'usr/lib/*/gconv'
  usr/share/emscripten/{test,out,docs,html} 'libGL-*' '*asan*.a' '*lsan*.a' '*ubsan*.a'
  'libsanitizer*.a' 'libwasmfs*' '*-ww*.a' '*-tracing.a' libc.so '*/fuzzer_interceptors*'
  'clang_rt.*' 'libclang_rt.*')
for deb in "$apt"/deb/*.deb; do
  dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work" --no-same-owner "${unused[@]/#/--exclude=}"
done
(cd "$apt/deb" && sha256sum -- *.deb) >"$work/packages.sha256"

bash "$(dirname "$0")/relocate-elf.sh" "$work" "$prefix" "$work/usr/lib/llvm-$llvm/bin"
rm -rf "$work"/{etc,var,usr/sbin,usr/lib/systemd,usr/include,apt}

# ES module imports ignore NODE_PATH, so acorn has to stand in a node_modules beside emcc.
emroot=$work/usr/share/emscripten
mkdir -p "$emroot/node_modules"
for module in acorn acorn-import-phases; do
  from=$work/usr/share/nodejs/$module
  [ ! -d "$from" ] || cp -rL "$from" "$emroot/node_modules/$module"
done
cat >"$emroot/.emscripten" <<CONF
import os
EMSCRIPTEN_ROOT = '$root'
LLVM_ROOT = '$prefix/usr/lib/llvm-$llvm/bin'
BINARYEN_ROOT = '$prefix/usr'
NODE_JS = os.environ.get('EMSCRIPTEN_NODE', 'node')
CACHE = '$root/cache'
FROZEN_CACHE = False
CONF
rm -rf "$prefix"
mv "$work" "$prefix"

# Only a toolchain that compiles and runs something counts as installed.
work=$(mktemp -d)
printf '#include <cstdio>\nint main() { std::puts("ok"); }\n' >"$work/t.cpp"
say "first compile"
"$root/em++" -O2 "$work/t.cpp" -o "$work/t.js" || die "the unpacked toolchain does not compile"
[ "$(node "$work/t.js")" = ok ] || die "what the unpacked toolchain compiles does not run"
touch "$prefix/.complete"
say "ready in $prefix ($(du -sh "$prefix" | cut -f1))"
