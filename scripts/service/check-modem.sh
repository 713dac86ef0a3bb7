# Lets the service send by a pretend modem, with Debian's ModemManager and polkit, and tries it as another user.
# Sourced by scripts/check-service.sh.
# shellcheck shell=bash

manager=org.freedesktop.ModemManager1
modem_path=
pretend=
# There is no udev in a container, and the modem is a socket.
manager_options='--test-enable --test-no-udev --test-no-suspend-resume --test-no-qrtr --no-auto-scan'

check_modem() {
  local id action socket=roost-$suite
  boot_new
  mkdir -p "$work/$suite/etc/systemd/system/ModemManager.service.d"
  printf '[Unit]\nConditionVirtualization=\n[Service]\nExecStart=\nExecStart=/usr/sbin/ModemManager %s\n' \
    "$manager_options" >"$work/$suite/etc/systemd/system/ModemManager.service.d/check.conf"
  inside systemctl daemon-reload
  inside systemctl restart ModemManager || fail 'ModemManager did not start'
  # In the network of the container, because abstract sockets belong to a network.
  nsenter -t "$leader" -n "$top/node_modules/.bin/node" scripts/pretend-modem.ts "$socket" >"$work/$suite.modem" 2>&1 &
  pretend=$!
  trap 'kill "$pretend" 2>/dev/null || true; halt' EXIT
  until_true 120 'the pretend modem did not start' grep -q listening "$work/$suite.modem"
  inside busctl call "$manager" /org/freedesktop/ModemManager1 "$manager.Test" SetProfile ssas roost generic 1 "abstract:$socket"
  until_true 120 'ModemManager does not see the modem' has_modem

  install_package roost.deb
  inside roost device add modem --name Stick >/dev/null 2>"$work/$suite.added" ||
    fail "roost device add modem: $(cat "$work/$suite.added")"
  until_true 180 'the modem is not connected' is_connected
  key=$(inside roost key create 2>/dev/null)
  id=$(send 'by the service')
  until_true 120 'the text was not sent' is_sent "$id"
  [[ $(grep -c 'on the air: +14155550123 by the service' "$work/$suite.modem") == 1 ]] || fail 'the text did not leave once'
  say "the service sent a text by ModemManager $(inside ModemManager --version | sed -n '1s/ModemManager //p')"
  inside roost doctor >"$work/$suite.doctor" 2>&1 || fail "roost doctor: $(cat "$work/$suite.doctor")"
  grep '^ok  *MODEM: Roost Pretend P1 .* is ready' "$work/$suite.doctor" || fail "the doctor says nothing of the modem: $(cat "$work/$suite.doctor")"

  may_write roost || fail "the service user may not write a text: $(cat "$work/$suite.write")"
  for action in may_write may_call may_disable; do
    if $action nobody; then fail "$action: the user nobody may"; fi
    grep -qi 'polkit\|authori' "$work/$suite.write" || fail "$action fails for another reason: $(cat "$work/$suite.write")"
  done
  say "nobody else: $(cat "$work/$suite.write")"

  inside mv /usr/share/polkit-1/rules.d/roost.rules /root
  until_true 60 'without the rule the service user may still write a text' is_refused
  if inside roost doctor >"$work/$suite.doctor" 2>&1; then fail 'the doctor does not miss the polkit rule'; fi
  grep 'MODEM: polkit does not let roost' "$work/$suite.doctor" || fail "the doctor says nothing of polkit: $(cat "$work/$suite.doctor")"
  say 'without the rule of the package the service user may not, either, and the doctor says so'
  kill "$pretend"
  trap halt EXIT
  halt
  rm -rf "${work:?}/$suite"
}

has_modem() { modem_path=$(inside busctl --list tree "$manager" | grep -m1 '/Modem/') && [[ -n $modem_path ]]; }
# call_modem USER INTERFACE MEMBER [TYPES ARGUMENT…]: as this user
call_modem() {
  local user=$1 interface=$2
  shift 2
  inside runuser -u "$user" -- busctl call "$manager" "$modem_path" "$manager.$interface" "$@" >"$work/$suite.write" 2>&1
}
may_write() { call_modem "$1" Modem.Messaging Create 'a{sv}' 2 number s +14155550199 text s test; }
may_call() { call_modem "$1" Modem.Voice CreateCall 'a{sv}' 1 number s +14155550199; }
may_disable() { call_modem "$1" Modem Enable b false; }
is_refused() { ! may_write roost; }
