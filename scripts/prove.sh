#!/usr/bin/env bash
# What takes too long for .ci/run: scripts/prove.sh [--list] [--again] [PART…]. Without a PART it runs all of them.
#
# dist/prove/<commit> has a line for each part: its name, how it ended, and its seconds. A part that has passed on
# this commit is not run again, unless --again says so; so a run that was stopped can go on. What was run on a tree
# with changes counts for nothing afterwards. A part that cannot run on this machine is skipped, and says what to
# install. Exit code 1: a part failed. The output of a part is in dist/prove/<commit>.<part>.log.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shopt -s globstar nullglob
export PATH="$PWD/node_modules/.bin:$PATH:/usr/sbin"

# name|what it needs|what it shows. A need is a command and its Debian package, `root`, or another part.
parts=(
  'build||the executables of both processors, their packages, the list of all parts'
  'sizes|openssl:openssl strace:strace etcd:etcd-server dbus-daemon:dbus-daemon ModemManager:modemmanager mosquitto:mosquitto|all tests with a long size, except those of the next parts'
  'crashes|build strace:strace etcd:etcd-server ModemManager:modemmanager nginx:nginx|each window of a crash, on the executable: kills, full and broken disks, lost phones'
  'schemas||a kill in each migration, and from each schema that was ever released'
  'browsers|chromium:chromium firefox-esr:firefox-esr nginx:nginx etcd:etcd-server|the console in both browsers, each of its states'
  'expressions||every regular expression of src, pumped with long inputs through the door of alerts'
  'simulations||seeded simulations of phones, incidents, clusters and drills, an hour and more'
  'kills|build ModemManager:modemmanager|random kills under load, for forty minutes'
  'incidents|build|two hundred rounds of alerts, answers, steps and ends, on the executable: the same with kills as without'
  'clocks|build|a week off, power cuts and wrong clocks, on the executable with a clock that is moved'
  'year|build|a year of life on the executable with a fast clock, in half an hour'
  'power|strace:strace|twenty thousand power cuts in recorded writes'
  'cluster|etcd:etcd-server|the scenarios on the leader of a cluster, and kills of gateways and of etcd'
  'service|root build mmdebstrap:mmdebstrap systemd-nspawn:systemd-container|the life of the service on Debian 12 and 13'
  'failures|root build mmdebstrap:mmdebstrap systemd-nspawn:systemd-container|failures of the service on both: disks, clocks, permissions, a damaged database'
  'modem|root build mmdebstrap:mmdebstrap systemd-nspawn:systemd-container|a modem of the service on both, with ModemManager and polkit'
  'release|root build mmdebstrap:mmdebstrap systemd-nspawn:systemd-container gpg:gnupg dpkg-scanpackages:dpkg-dev python3:python3|install, upgrade and remove with apt from a signed repository on both, and without systemd'
  'small|root build mmdebstrap:mmdebstrap qemu-system-x86_64:qemu-system-x86 mke2fs:e2fsprogs|the service in a virtual machine of 1 GB'
  'arm64|build qemu-aarch64-static:qemu-user-static|the executable for arm64 starts and serves'
  'image|build podman:podman mmdebstrap:mmdebstrap curl:curl|the image runs on a read-only root and keeps its data'
  'busy|root strace:strace|alerts on a quarter of a processor, and on 7 % of one after a start'
  'memory|root|a load and the scenarios with 192 MiB for each process'
  'bounds||sends and alerts beside an account that holds all it may, and the start with its data'
  'firms|root|a school, a shop, a hoster and a fire brigade on one gateway, none of which meets a bound'
  'heads|root|12,000 unfinished heads of 15 KiB within MemoryMax= of the unit'
  'clients||real clients of other gateways, and real senders of alerts'
  'mailers|root mmdebstrap:mmdebstrap|exim4, msmtp, nullmailer and postfix of Debian hand in mails: each once, in three charsets'
  'senders|root mmdebstrap:mmdebstrap|Alertmanager (also a storm), apcupsd, collectd, Icinga 2, monit, Netdata, NUT, smartd, snmptrapd, Uptime Kuma and Zabbix, by the handbook to the letter'
  'generators||clients that other tools make from the OpenAPI document'
  'fuzz||a hundred thousand mutated requests'
  'fresh|root mmdebstrap:mmdebstrap|`npm start` and `npm test` on a new Debian 12 and 13, as root and as a user'
)

tests() { node --test --test-concurrency=2 --test-reporter=spec "$@"; }
prove_build() { npm run build; }
prove_sizes() {
  mapfile -t files < <(grep -rlE --include='*.test.ts' '\bsized\(' test | grep -vE '^test/(e2e|console)/')
  tests "${files[@]}"
}
prove_crashes() {
  mapfile -t files < <(printf '%s\n' test/e2e/**/*.test.ts | grep -v killed-migrations)
  ROOST_BINARY=$PWD/dist/roost tests "${files[@]}"
}
prove_schemas() { tests test/e2e/killed-migrations.test.ts; }
prove_browsers() { TEST_CHROMIUM=/usr/bin/chromium tests test/console/**/*.test.ts; }
prove_expressions() {
  npm install --prefix dist/recheck --no-save --ignore-scripts recheck@4.5.0
  node scripts/pump-expressions.ts dist/recheck
}
prove_simulations() {
  node scripts/simulate.ts --both --trials 200000
  node scripts/simulate.ts --both --trials 20000 --incidents
  node scripts/simulate.ts --both --trials 10000 --clocks
  node scripts/simulate-cluster.ts --trials 20000
  node scripts/simulate-drills.ts
}
prove_kills() {
  local name
  export ROOST_BINARY=$PWD/dist/roost
  node scripts/kill-nine.ts --rounds 100
  node scripts/kill-notifications.ts --rounds 60
  for name in fleet smsgate modem; do node "scripts/kill-$name.ts" --minutes 10; done
}
prove_incidents() { ROOST_BINARY=$PWD/dist/roost node scripts/kill-incidents.ts --rounds 200; }
prove_clocks() {
  ROOST_BINARY=$PWD/dist/roost node scripts/prove-time.ts week-off power-cut behind wrong-clock notifications
}
prove_year() { ROOST_BINARY=$PWD/dist/roost node scripts/prove-time.ts year; }
prove_power() { node scripts/power-cut.ts --cuts 20000; }
prove_cluster() {
  TEST_SIZE= TEST_CLUSTER=1 tests \
    test/e2e/{phones,forwards-survive,mails-survive,incidents-survive}.test.ts
  node scripts/kill-cluster.ts --minutes 15
}
prove_service() { scripts/check-service.sh --only life; }
prove_failures() { scripts/check-service.sh --only failures; }
prove_modem() { scripts/check-service.sh --only modem; }
prove_release() { scripts/check-service.sh --only release; }
prove_small() { scripts/check-qemu.sh; }
prove_arm64() { node scripts/check-arm64.ts; }
prove_image() { scripts/check-image.sh; }
prove_busy() { node scripts/check-busy.ts; }
prove_memory() { TEST_SIZE= node scripts/check-memory.ts; }
prove_bounds() { TEST_SIZE= node scripts/check-bounds.ts; }
prove_firms() { TEST_SIZE= node scripts/prove-firms.ts; }
prove_heads() { TEST_SIZE= node scripts/check-memory.ts --only heads; }
prove_clients() { node scripts/check-clients.ts; }
prove_mailers() { node scripts/check-mailers.ts; }
prove_senders() { node scripts/check-senders.ts; }
prove_generators() { node scripts/check-generators.ts; }
prove_fuzz() { node scripts/fuzz-http.ts --count 100000; }
prove_fresh() { scripts/check-fresh.sh; }

# row NAME: its needs and its line of the list; fails for a name that is no part.
row() { printf '%s\n' "${parts[@]}" | grep "^$1|"; }
names() { printf '%s\n' "${parts[@]%%|*}"; }
usage() {
  echo "$1 A part is one of: $(names | paste -sd' ')" >&2
  exit 2
}

wanted=()
again=
for word in "$@"; do
  case $word in
    --list)
      for part in "${parts[@]}"; do printf '%-12s %s\n' "${part%%|*}" "${part##*|}"; done
      exit
      ;;
    --again) again=1 ;;
    -*) usage "$word is no option." ;;
    *)
      row "$word" >/dev/null || usage "$word is no part."
      wanted+=("$word")
      ;;
  esac
done
((${#wanted[@]})) || mapfile -t wanted < <(names)

folder=dist/prove
mkdir -p "$folder"
# The name of the tree: its commit, if it has nothing else.
tree_name() { echo "$(git rev-parse HEAD)$([[ -z $(git status --porcelain) ]] || echo +changes)"; }
tree=$(tree_name)
results=$folder/$tree
[[ $tree != *+changes ]] || rm -f "$results"
touch "$results"

result_of() { awk -F'\t' -v part="$1" '$1 == part {print $2}' "$results"; }
record() { # PART RESULT SECONDS
  { grep -v "^$1	" "$results" || true; } >"$results.new"
  printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$results.new"
  mv "$results.new" "$results"
  printf '%-12s %s (%s s)\n' "$1" "$2" "$3"
}
# find_missing PART: runs the parts that it needs. $missing is then what it lacks, or empty.
missing=
find_missing() {
  local needs need packages=()
  missing=
  IFS='|' read -r _ needs _ < <(row "$1")
  for need in $needs; do
    if [[ $need == root ]]; then
      [[ $(id -u) == 0 ]] || { missing='run it as root' && return; }
    elif [[ $need == *:* ]]; then
      command -v "${need%%:*}" >/dev/null || packages+=("${need#*:}")
    fi
  done
  if ((${#packages[@]})); then missing="apt-get install ${packages[*]}" && return; fi
  for need in $needs; do
    if ! row "$need" >/dev/null; then continue; fi
    run_part "$need"
    missing=
    if [[ $(result_of "$need") != passed* ]]; then missing="the part $need did not pass" && return; fi
  done
}
declare -A done_now=()
run_part() {
  local part=$1 log=$results.$1.log started=$SECONDS result=passed left_out
  [[ -z ${done_now[$part]:-} ]] || return 0
  done_now[$part]=1
  if [[ $(result_of "$part") == passed* && -z $again ]]; then
    printf '%-12s %s on this commit before\n' "$part" "$(result_of "$part")"
    return
  fi
  find_missing "$part"
  if [[ -n $missing ]]; then
    record "$part" "skipped: $missing" 0
    return
  fi
  started=$SECONDS
  echo "$part runs; its output: $log"
  (set -euo pipefail && export TEST_SIZE=long && "prove_$part") </dev/null >"$log" 2>&1 &
  if ! wait $!; then
    result=FAILED
    tail -n 40 "$log" | sed 's/^/    /'
  elif grep -q '^\*\*\*\* SKIPPED: ' "$log"; then
    result="skipped: $(sed -n 's/^\*\*\*\* SKIPPED: \(.*\) \*\*\*\*$/\1/p' "$log" | head -1)"
  else
    left_out=$(awk '/^ℹ skipped / {n += $3} /^\*\*\*\* SKIPPED / {n++} END {print n + 0}' "$log")
    ((left_out == 0)) || result="passed, $left_out skipped in it"
  fi
  [[ $(tree_name) == "$tree" ]] || result='FAILED: the tree changed meanwhile'
  record "$part" "$result" $((SECONDS - started))
}

node scripts/install.mjs
for part in "${wanted[@]}"; do run_part "$part"; done
echo
echo "What $results says:"
awk -F'\t' '{printf "%-12s %6d s  %s\n", $1, $3, $2}' "$results"
for part in "${wanted[@]}"; do [[ $(result_of "$part") != FAILED* ]] || exit 1; done
