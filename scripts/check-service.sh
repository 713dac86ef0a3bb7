#!/usr/bin/env bash
# Tests the Debian package under a real systemd: scripts/check-service.sh [--only life,modem,failures,release] [bookworm] [trixie]
#
# Debian 12 (systemd 252) and 13 (systemd 257) differ in OpenFile=, so both are tested. mmdebstrap makes a tree
# of each below dist/service, once, and systemd-nspawn boots it. The checks in it:
#   life      install, pair, send, 20 kills with a send before each, a hang that the watchdog ends, a reload that
#             keeps connections, a reboot, an upgrade with a changed configuration, remove, install again, purge,
#             and install.sh of the .tar.gz, which installs the service and removes it
#   modem     with Debian's ModemManager and polkit, and a pretend modem: the service sends by it, because of the
#             package's polkit rule, and no other user may
#   failures  a full and a read-only disk, wrong permissions, a damaged database, another instance, a clock in
#             1970, a stale lock: what `systemctl status` says, and that no text is lost
#   release   install, send, upgrade and remove with apt, from a signed repository over HTTP
#
# Needs root, the package in dist (node build.mjs), and at the first run a Debian mirror. If one of them is missing,
# the script says so and exits with 0.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shopt -s nullglob
top=$PWD
work=$top/dist/service
for part in container check-life check-modem check-failures check-release; do source "scripts/service/$part.sh"; done

[[ $(uname -s) == Linux && $(id -u) == 0 ]] || skip 'this needs root on Linux'
for tool in mmdebstrap systemd-nspawn nsenter dpkg-deb; do
  command -v "$tool" >/dev/null || skip "$tool is missing: apt-get install mmdebstrap systemd-container"
done
packages=(dist/roost_*_"$(dpkg --print-architecture)".deb)
((${#packages[@]})) || skip 'no package in dist: node build.mjs'
package=$top/${packages[-1]}
mkdir -p "$work"
trap 'halt' EXIT
# Two runs at once would share one control group of this machine: /system.slice/roost.service.
exec 9>/run/lock/roost-check-service
flock 9

checks=(life modem failures release)
if [[ ${1:-} == --only ]]; then
  IFS=, read -ra checks <<<"$2"
  shift 2
fi
suites=("$@")
((${#suites[@]})) || suites=(bookworm trixie)
for suite in "${suites[@]}"; do
  started=$SECONDS
  make_tree
  for check in "${checks[@]}"; do "check_$check"; done
done
