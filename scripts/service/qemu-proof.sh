# Runs as root inside the virtual machine of scripts/check-qemu.sh, and prints lines with PROOF on its console.
# shellcheck shell=bash
set -euo pipefail
exec >/dev/ttyS0 2>&1
source /srv/container.sh
work= suite=.
group=/sys/fs/cgroup/system.slice/roost.service
kills=3
inside() { "$@"; }
say() { echo "PROOF [$(cut -d' ' -f1 /proc/uptime) s] $*"; }
fail() {
  say "FAILED: $*"
  systemctl status --no-pager roost phone | head -40 || true
  journalctl --no-pager -n 40 -u roost -u phone || true
  systemctl poweroff
  exit 1
}
in_mib() { echo $(($(cat "$group/$1") / 1048576)); }
oom_kills() { awk '$1 == "oom_kill" {print $2}' "$group/memory.events"; }

install_package roost.deb
is_ready >/dev/null || fail 'not ready after installing'
say "installed; the group of the unit has memory.high $(in_mib memory.high), memory.max $(in_mib memory.max) MiB," \
  "pids.max $(cat $group/pids.max)"

drop_in $'MemoryMax=192M\nMemoryHigh=infinity\nEnvironment=ROOST_PLANS__PRO__API_CALLS_PER_MINUTE=-1'
systemctl restart roost
[[ $(in_mib memory.max) == 192 ]] || fail 'the group does not have the limit of the drop-in'
pair_phone
ids=()
for ((i = 1; i <= kills; i++)); do
  ids+=("$(send "proof $i.")")
  pid=$(show MainPID)
  kill -9 "$pid"
  until_true 120 "the gateway was not started again after kill $i" is_restarted "$pid"
done
for id in "${ids[@]}"; do until_true 120 "text $id was lost" is_sent "$id"; done
for ((i = 1; i <= kills; i++)); do
  [[ $(printed "proof $i\\.") == 1 ]] || fail "text $i was sent $(printed "proof $i\\.") times"
done
say "$kills times kill -9: NRestarts=$(show NRestarts), every text sent once"
[[ $(oom_kills) == 0 ]] || fail 'the kernel killed a process because memory ran out'
say 'all passed'
systemctl poweroff
