# Makes the service fail in several ways. Checks the sentence in `systemctl status roost`, the findings of
# `roost doctor`, and that no text is lost or sent twice. Sourced by scripts/check-service.sh.
# shellcheck shell=bash

data=/var/lib/roost
# The delay between two starts, as in the unit. During it the status says why the last start failed.
restart_delay=RestartSec=2s
held=()

check_failures() {
  boot_new
  # A disk of its own, so that it can be full and read-only.
  inside mkdir -p $data
  inside mount -t tmpfs -o size=64m,mode=0700 tmpfs $data
  install_package roost.deb
  drop_in "$restart_delay"
  inside systemctl restart roost
  pair_phone
  inside systemctl stop phone
  local i
  for i in 1 2 3; do held+=("$(send "held $i.")"); done

  failure 'no space' 'The disk is full: no message is accepted until there is room' fill_disk empty_disk
  failure 'a read-only disk' "$data is read-only: make it writable" \
    'inside mount -o remount,ro '$data 'inside mount -o remount,rw '$data
  failure 'wrong permissions' "no permission for $data/roost.db as the user roost: run this as" \
    "inside chown root: $data/roost.db" "inside chown roost: $data/roost.db"
  failure 'an unreadable configuration' 'config.toml: cannot be read: EACCES' \
    'inside chmod 600 /etc/roost/config.toml' 'inside chmod 644 /etc/roost/config.toml'
  failure 'a corrupt database' 'the database is damaged (roost.db in the data directory): keep' damage_database repair_database
  failure 'another instance' "another instance of Roost holds $data: wait" start_other stop_other
  doctor=0 failure 'a clock in 1970' 'phones* connected' turn_clock_back turn_clock_forward
  doctor=0 failure 'a stale lock' 'phones* connected' leave_lock true

  start_phone
  for i in "${held[@]}"; do until_true 60 "text $i was lost" is_sent "$i"; done
  for i in 1 2 3; do
    [[ $(printed "held $i\\.") == 1 ]] || fail "text $i was sent $(printed "held $i\\.") times"
  done
  inside roost doctor >"$work/$suite.doctor" 2>&1 || fail "roost doctor, when all is well: $(cat "$work/$suite.doctor")"
  say 'after all failures each text was sent once, and roost doctor finds nothing critical'
  halt
  rm -rf "${work:?}/$suite"
  held=()
}

# failure NAME SENTENCE BREAK REPAIR: stops the service, runs BREAK and starts it. Waits until the status says
# SENTENCE, then runs REPAIR. The doctor must find something critical before the repair, unless doctor=0.
failure() {
  local name=$1 sentence=$2 break=$3 repair=$4 id
  inside systemctl stop roost
  $break
  inside systemctl start --no-block roost
  until_true 60 "$name: the status does not say: $sentence" says "$sentence"
  say "$name: $(sed 's/^ *//' "$work/$suite.status")"
  if ((${doctor:-1})) && inside roost doctor >"$work/$suite.doctor" 2>&1; then
    fail "$name: roost doctor finds nothing critical: $(cat "$work/$suite.doctor")"
  fi
  $repair
  inside systemctl start --no-block roost
  until_true 60 "$name: not ready after the repair" is_ready
  for id in "${held[@]}"; do is_now "$id" queued || fail "$name: the text $id no longer waits"; done
}
# `systemctl status` ends with 3 while the service does not run.
says() { { inside systemctl status --no-pager -n 0 roost || true; } | grep -- "Status: .*$1" >"$work/$suite.status"; }

fill_disk() { inside sh -c "dd if=/dev/zero of=$data/filler bs=4k status=none 2>/dev/null || true"; }
empty_disk() {
  [[ -z $(send 'no room' 2>/dev/null) ]] || fail 'a text was accepted on a full disk'
  inside rm $data/filler
}
damage_database() {
  inside cp -a $data/roost.db /root/roost.db
  inside sh -c "yes damaged | dd of=$data/roost.db bs=4096 count=20 conv=notrunc status=none"
}
repair_database() { inside cp -a /root/roost.db $data/roost.db; }
start_other() {
  inside systemd-run -q --unit=other -p User=roost /usr/bin/roost serve --port 8099
  until_true 60 'the other instance did not start' inside curl -fsS -m 5 http://127.0.0.1:8099/readyz
}
stop_other() { inside systemctl stop other; }
turn_clock_back() {
  local library
  library=$(cd "$work/$suite" && find usr/lib -name libfaketime.so.1 | head -1)
  drop_in "Environment=LD_PRELOAD=/$library FAKETIME_DONT_FAKE_MONOTONIC=1 \"FAKETIME=@1970-01-01 00:10:00\""
}
turn_clock_forward() {
  [[ $(inside roost status || true) == *CLOCK_WRONG* ]] || fail 'roost status does not say that the clock is wrong'
  inside systemctl stop roost
  drop_in "$restart_delay"
}
# Leaves what a power cut leaves: the lock, the socket and the write-ahead log of the database.
leave_lock() {
  drop_in 'RestartSec=1h'
  inside systemctl start roost
  inside kill -9 "$(show MainPID)"
  until_true 30 'the gateway was not killed' is_dead
  inside systemctl stop roost
  inside test -e $data/lock -a -S $data/control.sock -a -s $data/roost.db-wal || fail 'the kill left no lock behind'
  drop_in "$restart_delay"
}
is_dead() { [[ $(show MainPID) == 0 ]]; }
