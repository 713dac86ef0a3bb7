#!/usr/bin/env bash
# Shows the Debian package under a real systemd: scripts/check-service.sh [bookworm] [trixie]
#
# Debian 12 (systemd 252) and 13 (systemd 257) differ in what matters here: OpenFile=. For each a tree is made
# by mmdebstrap, once, below dist/service, and booted by systemd-nspawn. In it: install, pair, send, 20 kills
# with a send before each, a hang that the watchdog ends, a reload that keeps connections, a reboot, an upgrade
# with a changed configuration, remove, install again, purge, and `roost service install`.
#
# Wants root, the package in dist (node build.mjs), and once a Debian mirror. Where one of them is missing it
# says so and ends with 0.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shopt -s nullglob
top=$PWD
work=$top/dist/service
kills=20
skip() {
  echo "**** SKIPPED: the service under a real systemd was not tried: $1 ****" >&2
  exit 0
}
[[ $(uname -s) == Linux && $(id -u) == 0 ]] || skip 'this wants root on Linux'
for tool in mmdebstrap systemd-nspawn nsenter dpkg-deb; do
  command -v "$tool" >/dev/null || skip "$tool is missing: apt-get install mmdebstrap systemd-container"
done
packages=(dist/roost_*_"$(dpkg --print-architecture)".deb)
((${#packages[@]})) || skip 'no package in dist: node build.mjs'
package=$top/${packages[-1]}
mkdir -p "$work"

console=
leader=
suite=
started=$SECONDS
say() { echo "[$suite $((SECONDS - started)) s] $*"; }
fail() {
  say "FAILED: $*"
  if [[ -n $leader ]]; then
    inside systemctl status --no-pager roost | head -30 || true
    inside journalctl --no-pager -n 40 -u roost -u phone || true
  fi
  exit 1
}
inside() { nsenter -t "$leader" -a env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# until_true SECONDS WHAT COMMAND…
until_true() {
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || fail "$what"
    sleep 0.1
  done
}
show() { inside systemctl show -P "$1" roost; }
is_ready() { inside curl -fsS -m 5 http://127.0.0.1:8080/readyz; }

make_tree() {
  local mirror
  [[ -s $work/$suite.tar ]] && return
  # The mirror that this machine uses.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
    awk '/\/debian\/?$/ && !found++')
  [[ -n $mirror ]] || skip 'this machine knows no mirror of Debian; run apt-get update'
  mmdebstrap --variant=minbase --format=tar --include=systemd,systemd-sysv,dbus,curl,procps,libstdc++6 "$suite" \
    "$work/$suite.tar.part" "deb $mirror $suite main" >"$work/$suite.log" 2>&1 ||
    skip "no tree of $suite: $(tail -1 "$work/$suite.log")"
  mv "$work/$suite.tar.part" "$work/$suite.tar"
}

boot() {
  systemd-nspawn -q -b -D "$work/$suite" --register=no --keep-unit -M "roost-$suite" --private-network \
    --console=read-only </dev/null >>"$work/$suite.console" 2>&1 &
  console=$!
  until_true 60 'the container did not start' pgrep -P "$console"
  leader=$(pgrep -P "$console")
  until_true 120 'systemd did not come up' is_up
}
is_up() { [[ $(inside systemctl is-system-running) =~ running|degraded ]]; }
halt() {
  [[ -n $leader ]] && kill -RTMIN+4 "$leader" 2>/dev/null || true
  [[ -n $console ]] && wait "$console" 2>/dev/null || true
  console= leader=
}
trap 'halt' EXIT

send() { # TEXT: the id of the message
  inside curl -fsS -m 20 http://127.0.0.1:8080/api/v1/sms/send -H "X-API-Key: $key" \
    -H 'Content-Type: application/json' -d "{\"phoneNumber\":\"+14155550123\",\"message\":\"$1\"}" |
    grep -o 'msg_[0-9A-Z]*' | head -1
}
is_sent() { inside curl -fsS -m 5 "http://127.0.0.1:8080/api/v1/sms/$1" -H "X-API-Key: $key" | grep -Eq '"status":"(sent|delivered)"'; }
printed() { inside journalctl --no-pager -o cat -u phone | grep -c -- "$1" || true; }
is_restarted() { local pid; pid=$(show MainPID); [[ $pid != "$1" && $pid != 0 ]] && is_ready; }
phone_connections() { inside awk '$2 ~ /:1F90$/ && $4 == "01" {print $3}' /proc/net/tcp; }
is_connected() { [[ $(show StatusText) == '1 phone connected'* ]]; }

install_package() {
  inside dpkg -i "/srv/$1" >"$work/$suite.dpkg" 2>&1 || fail "dpkg -i: $(cat "$work/$suite.dpkg")"
}
drop_in() {
  mkdir -p "$work/$suite/etc/systemd/system/roost.service.d"
  # The pace of a phone would make twenty texts take a minute.
  local pace='Environment=ROOST_DEVICES__SEGMENTS_PER_MINUTE=60 ROOST_DEVICES__SEGMENTS_BURST=60'
  printf '[Service]\nRestartSec=200ms\n%s\n%s\n' "$pace" "$1" >"$work/$suite/etc/systemd/system/roost.service.d/check.conf"
  inside systemctl daemon-reload
}

check_suite() {
  rm -rf "${work:?}/$suite"
  mkdir -p "$work/$suite"
  tar -xf "$work/$suite.tar" -C "$work/$suite" --exclude=./dev/*
  printf '127.0.0.1 localhost\n' >"$work/$suite/etc/hosts"
  cp "$package" "$work/$suite/srv/roost.deb"
  : >"$work/$suite.console"
  boot
  say "systemd $(inside systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p') runs"

  local before=$SECONDS
  install_package roost.deb
  [[ $(show ActiveState) == active ]] || fail 'not active after installing'
  [[ $(show UnitFileState) == enabled ]] || fail 'not enabled after installing'
  is_ready >/dev/null || fail 'not ready although systemd was told so'
  say "installed, active and ready after $((SECONDS - before)) s"

  key=$(inside roost key create 2>/dev/null)
  local code
  code=$(inside roost device pair --json 2>/dev/null | grep -o '"code":"[^"]*"' | cut -d'"' -f4)
  inside systemd-run -q --unit=phone -p User=nobody -p StateDirectory=phone -p Restart=always /usr/bin/roost agent \
    --server http://127.0.0.1:8080 --code "$code" --state /var/lib/phone/state.json --driver log
  until_true 60 'the phone did not connect' is_connected
  local first ids=() i pid
  first=$(send 'proof 0.')
  until_true 30 'the first text was not sent' is_sent "$first"
  say "paired, sent; status: $(show StatusText)"

  drop_in ''
  before=$SECONDS
  for ((i = 1; i <= kills; i++)); do
    pid=$(show MainPID)
    ids+=("$(send "proof $i.")")
    inside kill -9 "$pid"
    until_true 60 "it was not started again after kill $i" is_restarted "$pid"
  done
  for i in "${!ids[@]}"; do until_true 60 "text $i was lost" is_sent "${ids[i]}"; done
  for ((i = 0; i <= kills; i++)); do
    [[ $(printed "proof $i\\.") == 1 ]] || fail "text $i was sent $(printed "proof $i\\.") times"
  done
  say "$kills times kill -9: NRestarts=$(show NRestarts), every text sent once, $((SECONDS - before)) s"

  drop_in 'WatchdogSec=4'
  inside systemctl restart roost
  pid=$(show MainPID)
  sleep 5
  [[ $(show MainPID) == "$pid" ]] || fail 'the watchdog ended a gateway that works'
  inside kill -STOP "$pid"
  until_true 60 'the watchdog did not end a gateway that hangs' is_restarted "$pid"
  inside journalctl --no-pager -u roost | grep -q watchdog || fail 'not ended by the watchdog'
  drop_in ''
  say 'a gateway that hangs was ended by the watchdog and started again'

  until_true 60 'the phone did not come back' is_connected
  pid=$(show MainPID)
  local connections
  connections=$(phone_connections)
  printf '\n[http]\nlisteners = 2\n[plans.pro]\nsms_per_day = 4321\n' >>"$work/$suite/etc/roost/config.toml"
  inside systemctl reload roost
  has_new_plan() { inside curl -fsS -m 5 http://127.0.0.1:8080/api/v1/account/usage -H "X-API-Key: $key" | grep -q 4321; }
  until_true 20 'the plan was not reloaded' has_new_plan
  needs_restart() { [[ $(show StatusText) == *'Restart for: http.listeners'* ]]; }
  until_true 20 'what needs a restart is not in the status' needs_restart
  [[ $(show MainPID) == "$pid" && $(phone_connections) == "$connections" ]] || fail 'the reload dropped a connection'
  say "reloaded, the phone's connection was kept; status: $(show StatusText)"

  inside systemctl reboot || true
  wait "$console" 2>/dev/null || true
  boot
  until_true 60 'not ready after the reboot' is_ready
  is_sent "$first" || fail 'a text is gone after the reboot'
  say 'rebooted, and it runs again'

  mkdir -p "$work/$suite/srv/next"
  dpkg-deb -R "$work/$suite/srv/roost.deb" "$work/$suite/srv/next/tree"
  sed -i 's/^Version: .*/&.1/' "$work/$suite/srv/next/tree/DEBIAN/control"
  dpkg-deb -Zzstd -z1 --root-owner-group --build "$work/$suite/srv/next/tree" "$work/$suite/srv/next.deb" >/dev/null
  pid=$(show MainPID)
  install_package next.deb
  [[ $(show MainPID) != "$pid" ]] || fail 'the old version still runs after the upgrade'
  is_ready >/dev/null || fail 'not ready after the upgrade'
  grep -q 4321 "$work/$suite/etc/roost/config.toml" || fail 'the upgrade lost the changed configuration'
  say 'upgraded, the changed configuration was kept'

  inside dpkg -r roost >/dev/null 2>&1
  [[ -d $work/$suite/var/lib/roost && -f $work/$suite/etc/roost/config.toml ]] || fail 'remove took data or configuration'
  install_package roost.deb
  until_true 60 'not ready after it was installed again' is_ready
  is_sent "$first" || fail 'a text is gone after it was installed again'
  say 'removed and installed again, the data stayed'

  if inside journalctl --no-pager -u roost | grep -E 'sk_(live|test)_|setup\?token='; then fail 'a secret is in the journal'; fi
  rm -rf "$work/$suite/etc/systemd/system/roost.service.d"
  inside dpkg -P roost >/dev/null 2>&1
  local left=()
  for i in var/lib/roost var/cache/roost etc/roost usr/bin/roost etc/systemd/system/roost.service \
    etc/systemd/system/multi-user.target.wants/roost.service; do
    [[ -e $work/$suite/$i || -L $work/$suite/$i ]] && left+=("$i")
  done
  ((${#left[@]} == 0)) || fail "left behind by the purge: ${left[*]}"
  say 'purged, nothing is left'

  cp "$work/$suite/srv/next/tree/usr/bin/roost" "$work/$suite/usr/local/bin/roost"
  inside /usr/local/bin/roost service install --json >/dev/null || fail 'roost service install'
  inside /usr/local/bin/roost service status >/dev/null || fail 'roost service status'
  inside /usr/local/bin/roost service remove >/dev/null 2>&1 || fail 'roost service remove'
  [[ $(show LoadState) == not-found ]] || fail 'roost service remove left the unit'
  say 'installed and removed by roost service'
  halt
  rm -rf "${work:?}/$suite"
}

suites=("$@")
((${#suites[@]})) || suites=(bookworm trixie)
for suite in "${suites[@]}"; do
  started=$SECONDS
  make_tree
  check_suite
done
