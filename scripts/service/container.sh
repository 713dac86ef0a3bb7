# Functions for scripts/check-service.sh: a small Debian with its own systemd, booted by systemd-nspawn. They
# need $work (a folder), $package (a .deb) and $suite. scripts/check-qemu.sh uses some of them, too.
# shellcheck shell=bash

console=
leader=
key=
started=$SECONDS
say() { echo "[$suite $((SECONDS - started)) s] $*"; }
skip() {
  echo "**** SKIPPED: the service under a real systemd was not tested: $1 ****" >&2
  exit 0
}
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

# make_tree [PREFIX PACKAGES]: a tree with systemd, and further packages.
make_tree() {
  tree_of "${1:-}" "systemd,systemd-sysv,dbus,curl,procps,libstdc++6,${2:-libfaketime,modemmanager,polkitd}"
}
# tree_of PREFIX PACKAGES: the tree $work/PREFIX$suite.tar, with these packages alone.
tree_of() {
  local mirror tree=$work/$1$suite packages=$2
  [[ -s $tree.tar && $(cat "$tree.packages" 2>/dev/null) == "$packages" ]] && return
  # The mirror that this machine uses.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
    awk '/\/debian\/?$/ && !found++')
  [[ -n $mirror ]] || skip 'this machine knows no mirror of Debian; run apt-get update'
  mmdebstrap --variant=minbase --format=tar --dpkgopt=force-unsafe-io \
    --include="$packages" "$suite" "$tree.tar.part" "deb $mirror $suite main" >"$tree.log" 2>&1 ||
    skip "no tree of $suite: $(tail -1 "$tree.log")"
  mv "$tree.tar.part" "$tree.tar"
  echo "$packages" >"$tree.packages"
}

# Boots a fresh container with the package in /srv.
boot_new() {
  rm -rf "${work:?}/$suite"
  mkdir -p "$work/$suite"
  tar -xf "$work/$suite.tar" -C "$work/$suite" --exclude=./dev/*
  printf '127.0.0.1 localhost\n' >"$work/$suite/etc/hosts"
  cp "$package" "$work/$suite/srv/roost.deb"
  : >"$work/$suite.console"
  boot
  say "systemd $(inside systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p') runs"
}
boot() {
  systemd-nspawn -q -b -D "$work/$suite" --register=no --keep-unit -M "roost-$suite" --private-network \
    --console=read-only </dev/null >>"$work/$suite.console" 2>&1 &
  console=$!
  until_true 60 'the container did not start' pgrep -P "$console"
  leader=$(pgrep -P "$console")
  until_true 120 'systemd did not start' is_up
}
is_up() { [[ $(inside systemctl is-system-running) =~ running|degraded ]]; }
halt() {
  [[ -n $leader ]] && kill -RTMIN+4 "$leader" 2>/dev/null || true
  [[ -n $console ]] && wait "$console" 2>/dev/null || true
  console= leader=
}

install_package() {
  inside dpkg -i "/srv/$1" >"$work/$suite.dpkg" 2>&1 || fail "dpkg -i: $(cat "$work/$suite.dpkg")"
}
# next_package FILE: the same package as a later version.
next_package() {
  local tree
  tree=$(mktemp -d)
  dpkg-deb -R "$package" "$tree"
  sed -i 's/^Version: .*/&.1/' "$tree/DEBIAN/control"
  dpkg-deb -Zzstd -z1 --root-owner-group --build "$tree" "$1" >/dev/null
  rm -rf "$tree"
}
# drop_in TEXT: adds lines to [Service]. Also raises the pace of phones, so that twenty texts take seconds and
# not a minute.
drop_in() {
  mkdir -p "$work/$suite/etc/systemd/system/roost.service.d"
  local pace='Environment=ROOST_DEVICES__SEGMENTS_PER_MINUTE=60 ROOST_DEVICES__SEGMENTS_BURST=60'
  printf '[Service]\nRestartSec=200ms\n%s\n%s\n' "$pace" "$1" >"$work/$suite/etc/systemd/system/roost.service.d/check.conf"
  inside systemctl daemon-reload
}

pair_phone() {
  local code
  key=$(inside roost key create 2>/dev/null)
  code=$(inside roost device pair --json 2>/dev/null | grep -o '"code":"[^"]*"' | cut -d'"' -f4)
  start_phone --server http://127.0.0.1:8080 --code "$code"
}
# start_phone [OPTION…]: starts `roost agent` with these options as well.
start_phone() {
  printf '[Service]\nUser=nobody\nStateDirectory=phone\nRestart=always\nExecStart=%s %s\n' \
    '/usr/bin/roost agent --state /var/lib/phone/state.json --driver log' "$*" >"$work/$suite/etc/systemd/system/phone.service"
  inside systemctl daemon-reload
  inside systemctl restart phone
  until_true 60 'the phone did not connect' is_connected
}
is_connected() { [[ $(show StatusText) == '1 phone connected'* ]]; }
phone_connections() { inside awk '$2 ~ /:1F90$/ && $4 == "01" {print $3}' /proc/net/tcp; }
send() { # TEXT: the id of the message
  inside curl -fsS -m 20 http://127.0.0.1:8080/api/v1/sms/send -H "X-API-Key: $key" \
    -H 'Content-Type: application/json' -d "{\"phoneNumber\":\"+14155550123\",\"message\":\"$1\",\"queueIfOffline\":true}" |
    grep -o 'msg_[0-9A-Z]*' | head -1
}
is_now() { inside curl -fsS -m 5 "http://127.0.0.1:8080/api/v1/sms/$1" -H "X-API-Key: $key" | grep -Eq "\"status\":\"($2)\",\"kind"; }
is_sent() { is_now "$1" 'sent|delivered'; }
# printed PATTERN: how many lines of the phone's output match
printed() { inside journalctl --no-pager -o cat -u phone | grep -c -- "$1" || true; }
is_restarted() { local pid; pid=$(show MainPID); [[ $pid != "$1" && $pid != 0 ]] && is_ready; }
