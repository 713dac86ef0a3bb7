# Takes the service through its life: install, kill, hang, reload, reboot, upgrade, remove and purge. Sourced by
# scripts/check-service.sh.
# shellcheck shell=bash

kills=20

check_life() {
  boot_new
  local before=$SECONDS
  install_package roost.deb
  [[ $(show ActiveState) == active ]] || fail 'not active after installing'
  [[ $(show UnitFileState) == enabled ]] || fail 'not enabled after installing'
  is_ready >/dev/null || fail 'not ready although the service told systemd so'
  say "installed, active and ready after $((SECONDS - before)) s"

  pair_phone
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
    until_true 60 "the gateway was not started again after kill $i" is_restarted "$pid"
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
  [[ $(inside journalctl --no-pager -u roost) == *watchdog* ]] || fail 'not ended by the watchdog'
  drop_in ''
  say 'a gateway that hangs was ended by the watchdog and started again'

  until_true 60 'the phone did not connect again' is_connected
  pid=$(show MainPID)
  local connections
  connections=$(phone_connections)
  printf '\n[http]\nlisteners = 2\n[plans.pro]\nsms_per_day = 4321\n' >>"$work/$suite/etc/roost/config.toml"
  inside systemctl reload roost
  has_new_plan() { inside curl -fsS -m 5 http://127.0.0.1:8080/api/v1/account/usage -H "X-API-Key: $key" | grep -q 4321; }
  until_true 20 'the plan was not reloaded' has_new_plan
  needs_restart() { [[ $(show StatusText) == *'Restart for: http.listeners'* ]]; }
  until_true 20 'the status does not name the keys that need a restart' needs_restart
  [[ $(show MainPID) == "$pid" && $(phone_connections) == "$connections" ]] || fail 'the reload dropped a connection'
  say "reloaded, the phone's connection was kept; status: $(show StatusText)"

  inside systemctl reboot || true
  wait "$console" 2>/dev/null || true
  boot
  until_true 60 'not ready after the reboot' is_ready
  is_sent "$first" || fail 'a text is gone after the reboot'
  say 'rebooted, the gateway runs again'

  next_package "$work/$suite/srv/next.deb"
  pid=$(show MainPID)
  install_package next.deb
  [[ $(show MainPID) != "$pid" ]] || fail 'the old version still runs after the upgrade'
  is_ready >/dev/null || fail 'not ready after the upgrade'
  grep -q 4321 "$work/$suite/etc/roost/config.toml" || fail 'the upgrade lost the changed configuration'
  say 'upgraded, the changed configuration was kept'

  inside dpkg -r roost >/dev/null 2>&1
  [[ -d $work/$suite/var/lib/roost && -f $work/$suite/etc/roost/config.toml ]] || fail 'remove deleted data or configuration'
  install_package roost.deb
  until_true 60 'not ready after the second installation' is_ready
  is_sent "$first" || fail 'a text is gone after the second installation'
  say 'removed and installed again, the data stayed'

  if inside journalctl --no-pager -u roost | grep -E 'sk_(live|test)_|setup\?token='; then fail 'a secret is in the journal'; fi
  # It does not start with the machine, and without a phone the doctor is right to complain.
  start_phone
  inside roost doctor >"$work/$suite.doctor" 2>&1 || fail "roost doctor: $(cat "$work/$suite.doctor")"
  say "roost doctor: $(tail -1 "$work/$suite.doctor")"
  rm -rf "$work/$suite/etc/systemd/system/roost.service.d"
  inside dpkg -P roost >/dev/null 2>&1
  local left=()
  for i in var/lib/roost var/cache/roost etc/roost usr/bin/roost etc/systemd/system/roost.service \
    etc/systemd/system/multi-user.target.wants/roost.service; do
    [[ -e $work/$suite/$i || -L $work/$suite/$i ]] && left+=("$i")
  done
  ((${#left[@]} == 0)) || fail "left behind by the purge: ${left[*]}"
  say 'purged, nothing is left'

  mkdir "$work/$suite/srv/unpacked"
  tar -xzf "${package%.deb}.tar.gz" -C "$work/$suite/srv/unpacked" --strip-components=1
  inside /srv/unpacked/install.sh >/dev/null || fail 'install.sh failed'
  inside /usr/local/bin/roost service status >/dev/null || fail 'roost service status failed'
  is_ready >/dev/null || fail 'not ready after install.sh'
  inside /srv/unpacked/install.sh --remove >/dev/null 2>&1 || fail 'install.sh --remove failed'
  [[ $(show LoadState) == not-found ]] || fail 'install.sh --remove left the unit'
  # The rest of what GUIDE.md tells the user to delete.
  inside rm -r /etc/roost /var/lib/roost /var/backups/roost /root/.cache/roost
  inside userdel roost
  mapfile -t left < <(inside find / -xdev -path /srv -prune -o -iname '*roost*' -print)
  ((${#left[@]} == 0)) || fail "left behind by install.sh --remove: ${left[*]}"
  say 'installed and removed by install.sh, and nothing is left'
  halt
  rm -rf "${work:?}/$suite"
}
