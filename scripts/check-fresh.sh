#!/usr/bin/env bash
# A new machine: scripts/check-fresh.sh [--only start,test] [bookworm] [trixie]
#
# In a tree of Debian 12 and 13 with nodejs, npm, git and ca-certificates alone, it takes a clone of this commit, once as
# root and once as an ordinary user:
#   start  `npm start`, and a first text by README.md without curl: a phone is paired, the agent plays it, `roost send`
#   test   `npm test`
#
# mmdebstrap makes each tree below dist/fresh, once. The trees use the network, the certificates and the settings of npm
# of this machine. Needs root, mmdebstrap, and a Debian mirror and npm's registry. Exit code 1: something failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$PWD/dist/fresh
authorities=/etc/ssl/certs/ca-certificates.crt
source scripts/service/container.sh
skip() {
  echo "**** SKIPPED: a new machine was not tested: $1 ****" >&2
  exit 0
}
[[ $(uname -s) == Linux && $(id -u) == 0 ]] || skip 'this needs root on Linux'
command -v mmdebstrap >/dev/null || skip 'mmdebstrap is missing: apt-get install mmdebstrap'
tried=start,test
if [[ ${1:-} == --only ]]; then
  tried=$2
  shift 2
fi
suites=("$@")
((${#suites[@]})) || suites=(bookworm trixie)
mkdir -p "$work"

# as USER COMMAND: in the tree, with its own /proc and /run. What it leaves running ends with it.
as() {
  unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/run"
    exec chroot "$1" su - "$2" -s /bin/bash -c "set -euo pipefail; export NODE_EXTRA_CA_CERTS=$3; cd roost; $4"
  ' as "$work/$suite" "$1" "$authorities" "$2"
}
fails() {
  tail -n 60 "$1"
  say "FAILED: $2; its output: $1"
  exit 1
}

# By README.md, in a clone: start, pair, play a phone, send.
first_text='
  port=$((20000 + RANDOM % 10000)); export ROOST_HTTP__PORT=$port
  npm start >started 2>&1 &
  until grep -q "\"event\":\"listening\"" started; do sleep 1; kill -0 $! || { cat started; exit 1; }; done
  cat started
  npm run -s roost -- device pair >paired
  npm run -s roost -- agent --server http://localhost:$port --code "$(head -1 paired)" --driver log >played 2>&1 &
  until grep -q "^Connected" played; do sleep 1; kill -0 $! || { cat played; exit 1; }; done
  npm run -s roost -- send +14155550123 "Hello from my own phone" --wait
  cat played
  grep -q "Hello from my own phone" played'

for suite in "${suites[@]}"; do
  tree_of '' nodejs,npm,git,ca-certificates
  rm -rf "${work:?}/$suite"
  mkdir "$work/$suite"
  tar -xf "$work/$suite.tar" -C "$work/$suite" --exclude='./dev/*'
  cp "$authorities" "$work/$suite$authorities"
  cp /etc/resolv.conf /etc/hosts "$work/$suite/etc/"
  chroot "$work/$suite" useradd --create-home --shell /bin/bash ada
  for user in root ada; do
    home=$work/$suite$(chroot "$work/$suite" sh -c "echo ~$user")
    [[ ! -f ~/.npmrc ]] || cp ~/.npmrc "$home/.npmrc"
    git clone --quiet --no-hardlinks . "$home/roost"
    chroot "$work/$suite" chown -R "$user:" "${home#"$work/$suite"}"
    if [[ ,$tried, == *,start,* ]]; then
      as "$user" "$first_text" >"$work/$suite.$user.start" 2>&1 || fails "$work/$suite.$user.start" "a first text as $user"
      say "a first text as $user"
    fi
    if [[ ,$tried, == *,test,* ]]; then
      as "$user" 'npm test' >"$work/$suite.$user.test" 2>&1 || fails "$work/$suite.$user.test" "npm test as $user"
      say "npm test as $user: $(grep -E '^ℹ (tests|pass|fail|skipped) [0-9]+$' "$work/$suite.$user.test" | tr -d 'ℹ' | xargs)"
    fi
    rm -rf "$home/roost/node_modules"
  done
done
