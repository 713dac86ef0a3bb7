#!/bin/sh
# Installs Roost from this unpacked folder on a system without dpkg: sudo ./install.sh [PREFIX]
# (default /usr/local). With systemd it also installs a service; otherwise let your service manager run `roost serve`.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
prefix=${1:-/usr/local}
if [ "$(id -u)" != 0 ] && [ ! -w "$prefix" ]; then
  echo "$prefix cannot be written by this user: run sudo $0" >&2
  exit 1
fi
if ! "$here/roost" version >/dev/null 2>&1; then
  echo "$here/roost does not run on this computer: it needs 64-bit Linux with glibc 2.28 or newer (not Alpine), and the processor in the name of the archive" >&2
  exit 1
fi
install -d "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
  "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
# A running program cannot be overwritten, but its file can be replaced.
install -m 755 "$here/roost" "$prefix/bin/roost.new"
mv -f "$prefix/bin/roost.new" "$prefix/bin/roost"
install -m 644 "$here/roost.1" "$prefix/share/man/man1/roost.1"
install -m 644 "$here/completion/roost.bash" "$prefix/share/bash-completion/completions/roost"
install -m 644 "$here/completion/_roost" "$prefix/share/zsh/site-functions/_roost"
install -m 644 "$here/completion/roost.fish" "$prefix/share/fish/vendor_completions.d/roost.fish"
echo "Installed $prefix/bin/roost"
if [ -d /run/systemd/system ] && [ "$(id -u)" = 0 ]; then
  "$prefix/bin/roost" service install
else
  echo "Start it with: roost serve"
fi
