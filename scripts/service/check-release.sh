# Installs Roost with apt from a signed repository over HTTP, as README says: the first text, the upgrade to a second
# version, and the removal. Sourced by scripts/check-service.sh.
# shellcheck shell=bash

# In a container without systemd, as root: what the package says, and to whom the data belongs.
check_plain() {
  local tree=$work/$suite said others
  rm -rf "$tree"
  mkdir -p "$tree"
  tar -xf "$tree.tar" -C "$tree" --exclude=./dev/*
  cp "$package" "$tree/srv/roost.deb"
  said=$(systemd-nspawn -q -D "$tree" --register=no --keep-unit --private-network --pipe sh -ec '
    dpkg -i /srv/roost.deb
    roost serve --json & pid=$!
    until curl -fso /dev/null http://127.0.0.1:8080/readyz; do sleep 0.2; done
    roost key create --test
    kill $pid && wait $pid
    roost key create --test' 2>&1 </dev/null) || fail "without systemd: $said"
  [[ $said == *'No systemd runs here'* && $said != *'runs as a service'* ]] || fail "the package says: $said"
  others=$(find "$tree/var/lib/roost" ! -uid "$(stat -c %u "$tree/var/lib/roost")")
  [[ -s $tree/var/lib/roost/roost.db && $(stat -c %u "$tree/var/lib/roost") != 0 && ! $others ]] ||
    fail "the service cannot read: $others"
  rm -rf "$tree"
  say 'without systemd the package says what to do, and all data belongs to the user of the service'
}

check_release() {
  check_plain
  local site=$work/$suite/srv/site commands=0 before version
  export GNUPGHOME=$(mktemp -d)
  gpg --batch --quiet --passphrase '' --quick-generate-key release@example.test default default never 2>/dev/null
  boot_new
  mkdir -p "$site/pool"
  cp "$package" "$site/pool"
  scripts/make-apt-repository.sh "$site" release@example.test
  # The container reaches no mirror of Debian.
  rm -f "$work/$suite"/etc/apt/sources.list{,.d/*}
  nsenter -t "$leader" -n python3 -m http.server 8000 --bind 127.0.0.1 --directory "$site" >/dev/null 2>&1 &
  trap "kill $! 2>/dev/null || true; halt" EXIT
  until_true 30 'the server of the repository did not start' inside curl -fso /dev/null http://127.0.0.1:8000/roost.gpg

  user() { # COMMAND LINE: what somebody types
    commands=$((commands + 1))
    inside sh -c "$1" >"$work/$suite.out" 2>&1 || fail "$1: $(tail -5 "$work/$suite.out")"
  }
  before=$SECONDS
  user 'curl -fsSo /usr/share/keyrings/roost.gpg http://127.0.0.1:8000/roost.gpg'
  user 'echo "deb [signed-by=/usr/share/keyrings/roost.gpg] http://127.0.0.1:8000 stable main" >/etc/apt/sources.list.d/roost.list'
  user 'apt-get update'
  user 'apt-get install -y roost'
  is_ready >/dev/null || fail 'not ready after the installation'
  key=$(inside roost key create --test 2>/dev/null)
  commands=$((commands + 2))
  until_true 30 'the first text was not sent' is_sent "$(send 'The first text')"
  say "from nothing to the first text of the sandbox: $commands commands, $((SECONDS - before)) s"

  next_package "$site/pool/roost_next_$(dpkg --print-architecture).deb"
  scripts/make-apt-repository.sh "$site" release@example.test
  user 'apt-get update'
  user 'apt-get upgrade -y'
  version=$(inside dpkg-query -Wf '${Version}' roost)
  [[ $version == *.1 ]] || fail "the upgrade left version $version"
  is_ready >/dev/null || fail 'not ready after the upgrade'
  say "upgraded to $version"
  printf 'x' >>"$site/dists/stable/main/binary-$(dpkg --print-architecture)/Packages"
  sed -i 's/stable/changed/' "$site/dists/stable/InRelease"
  if inside apt-get -o Acquire::http::No-Cache=true -o APT::Update::Error-Mode=any update >"$work/$suite.out" 2>&1; then
    fail 'apt took a repository whose signature is wrong'
  fi
  user 'apt-get purge -y roost'
  [[ ! -e $work/$suite/usr/bin/roost && ! -e $work/$suite/var/lib/roost ]] || fail 'the purge left something'
  say 'removed; a changed repository was refused'
  kill %% 2>/dev/null || true
  halt
  rm -rf "${work:?}/$suite" "$GNUPGHOME"
}
