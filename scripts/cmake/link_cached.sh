#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# link_cached.sh EM++ ARGUMENTS... -o MODULE.mjs ...: links a wasm module, or copies it from the
# cache if some clone has linked the same objects with the same arguments. Optimizing all modules
# while linking takes two thirds of a build.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/maskflow/links
days_kept=30

output='' objects=()
for ((i = 1; i <= $#; i++)); do
  next=$((i + 1))
  case ${!i} in
    -o) output=${!next} ;;
    *.o) objects+=("${!i}") ;;
  esac
done
wasm=${output%.*}.wasm

version=$(cat "$(dirname "$1")/emscripten-version.txt" 2>/dev/null || "$1" --version)
key=$({
  printf '%s\n' "$version" "${@//"$root"/.}"
  cat -- "${objects[@]}" | sha256sum
} | sha256sum | cut -d ' ' -f 1)
kept=$cache/$key

if [ -d "$kept" ]; then
  cp -- "$kept/wasm" "$wasm"
  cp -- "$kept/glue" "$output"
  touch "$kept"
  exit
fi

"$@"

# Written under another name first: several clones may link at the same time.
mkdir -p "$cache"
find "$cache" -mindepth 1 -maxdepth 1 -mtime +$days_kept -exec rm -rf {} +
new=$(mktemp -d "$cache/new.XXXXXX")
cp -- "$wasm" "$new/wasm"
cp -- "$output" "$new/glue"
mv -T -- "$new" "$kept" 2>/dev/null || rm -rf "$new"
