#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compile_cached.sh COMPILER ARGUMENTS...: compiles a file with relative paths in its arguments, so
# that all clones make the same object, and through ccache if it is installed, so that a fresh clone
# reuses the objects of others.
#
# A precompiled header contains absolute paths and times, so each clone compiles its own. The file
# HEADER.pch.sum beside it describes its sources; ccache compares that file instead of the header.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

up=''
if [[ $PWD == "$root"/* ]]; then
  below=${PWD#"$root"/}
  for ((i = 0; i <= ${#below}; i++)); do
    [[ $i == 0 || ${below:i:1} == / ]] && up+='../'
  done
  set -- "${@/#"$root"\//$up}"
  set -- "${@/#-I"$root"\//-I$up}"
fi

output='' depfile=''
for ((i = 1; i < $#; i++)); do
  next=$((i + 1))
  case ${!i} in
    -o) output=${!next} ;;
    -MF) depfile=${!next} ;;
  esac
done

if [[ $output == *.pch ]]; then
  "$@"
  # All words of the depfile but the target and the backslashes.
  mapfile -t headers < <(sed 's/^[^:]*: *//; s/\\$//' "$depfile" | tr -s ' ' '\n' | grep . | sort -u)
  {
    printf '%s\n' "$@"
    sha256sum -- "${headers[@]}" | sed "s#$root/#./#"
  } >"$output.sum"
  exit
fi

command -v ccache >/dev/null || exec "$@"
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1 CCACHE_DEPEND=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
exec ccache "$@"
