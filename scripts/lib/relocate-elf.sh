#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# relocate-elf.sh TREE PREFIX LLVM-BIN: makes the programs of an unpacked Emscripten in TREE run
# with the loader and libraries that come with it, once TREE stands at PREFIX; drops all other
# programs.
set -euo pipefail
. "$(dirname "$0")/apt.sh"
tree=$1 prefix=$2 bin=$3

loader=$(find "$tree" -name 'ld-linux*.so*' -type f | head -n 1)
[ -n "$loader" ] || {
  say "no dynamic loader among the packages"
  exit 1
}
libdirs=$(cd "$tree" && find . -name '*.so*' \( -type f -o -type l \) -path '*lib*' -printf '%h\n' |
  sort -u | grep -E '^\./(usr/)?lib(64)?(/[^/]*-linux-gnu[^/]*|/llvm-[0-9]+/lib)?$' | sed 's/^\.//')
path_in() {
  local dir out=
  for dir in $libdirs; do out=$out${out:+:}$1$dir; done
  echo "$out"
}
run() { "$loader" --library-path "$(path_in "$tree")" "$@"; }
cp "$tree/usr/bin/patchelf" "$tree/patchelf"
# DT_RPATH, not RUNPATH: only it also serves the libraries that libraries need.
patch() { # patch PROGRAM PREFIX-AS-SEEN-FROM-ITS-FOLDER
  run "$tree/patchelf" --set-interpreter "$prefix${loader#"$tree"}" --force-rpath \
    --set-rpath "$(path_in "\$ORIGIN/$2")" "$1"
}
is_elf() { [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]; }
foreign_libraries() {
  "$loader" --library-path "$(path_in "$tree")" --list "$1" 2>&1 |
    grep -vF -e "$tree/" -e linux-vdso -e "$(basename "$loader")" || true
}

needed=' clang lld llvm-ar llvm-nm llvm-objcopy '
keep="$needed llvm-dwarfdump llvm-dwp llvm-cxxfilt llvm-size llvm-readobj "
for program in "$bin"/*; do
  [ ! -L "$program" ] || continue
  name=$(basename "$program")
  case $keep in *" $name "*) ;; *) rm -rf "$program"; continue ;; esac
  foreign=$(foreign_libraries "$program")
  if [ -z "$foreign" ]; then
    patch "$program" ../../../..
    continue
  fi
  case $needed in *" $name "*) say "$name lacks: $foreign"; exit 1 ;; esac
  rm -f "$program"
done
find "$bin" -xtype l -delete

for program in "$tree"/usr/bin/*; do
  case $(basename "$program") in
    wasm-* | wasm2js) if [ -L "$program" ]; then rm -f "$program"; elif is_elf "$program"; then patch "$program" ../..; fi ;;
    em*) ;;
    *) rm -rf "$program" ;;
  esac
done

# A library with a search path of its own would not use that of the program that loads it.
find "$tree" -name '*.so*' -type f -path '*/lib*' | while read -r library; do
  is_elf "$library" || continue
  [ -z "$(run "$tree/patchelf" --print-rpath "$library")" ] ||
    run "$tree/patchelf" --remove-rpath "$library"
done
rm "$tree/patchelf"
