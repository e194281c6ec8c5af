# SPDX-License-Identifier: MIT
# Sourced by the install scripts: Debian packages fetched through a private apt. Its lists, cache
# and (empty) dpkg status are its own, so it needs no root and changes nothing on the host, while
# apt still checks signatures and hashes. Of the host it reads the mirror, the archive keys and
# apt.conf.d (a proxy, say).

say() { printf '%s\n' "$(basename "$0" .sh): $*" >&2; }

# The archive the host itself uses: a source whose path ends in /debian (not /debian-security).
host_mirror() {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
    sed '/^[[:space:]]*#/d' | grep -oE '[a-z]+://[^ ]+/debian/?([[:space:]]|$)' | head -n 1 |
    sed 's#/*[[:space:]]*$##' || true
}

archive_keyring() {
  local keyring
  for keyring in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg}; do
    if [ -e "$keyring" ]; then
      echo "$keyring"
      return
    fi
  done
  return 1
}

# private_apt DIR MIRROR SUITE [ARCH]: makes an apt in DIR that knows SUITE (packages and sources),
# and exports APT_CONFIG so that every apt command after it is that apt. ARCH: an architecture
# besides the host's.
private_apt() {
  local dir=$1 mirror=$2 suite=$3 more=${4:-} keyring arch type
  keyring=$(archive_keyring) || {
    say "no Debian archive keys here (package debian-archive-keyring)"
    return 1
  }
  arch=$(dpkg --print-architecture)
  mkdir -p "$dir"/{lists/partial,cache/archives/partial,parts,deb}
  : >"$dir/status"
  for type in deb deb-src; do
    echo "$type [arch=$arch${more:+,$more} signed-by=$keyring] $mirror $suite main"
  done >"$dir/sources.list"
  cat >"$dir/apt.conf" <<CONF
Dir::State "$dir"; Dir::State::Lists "$dir/lists"; Dir::State::status "$dir/status";
Dir::Cache "$dir/cache"; Dir::Etc::sourcelist "$dir/sources.list"; Dir::Etc::sourceparts "$dir/parts";
Dir::Etc::preferences "$dir/none"; Dir::Etc::preferencesparts "$dir/parts";
APT::Architecture "$arch"; APT::Architectures { "$arch"; ${more:+"$more";} }; APT::Install-Recommends "false";
APT::Sandbox::User ""; Acquire::Languages "none"; Acquire::Retries "3"; Dpkg::Use-Pty "0";
CONF
  export APT_CONFIG=$dir/apt.conf
  say "reading Debian $suite"
  apt-get -qq update >&2
}

# One at a time: lock FILE waits until no other run of the same script is at work.
lock() {
  mkdir -p "$(dirname "$1")"
  exec 9>"$1"
  flock 9 2>/dev/null || true
}
