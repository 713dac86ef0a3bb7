#!/bin/sh
# Installs Roost from this unpacked folder on a system without dpkg: sudo ./install.sh [PREFIX]
# (default /usr/local). With systemd it also installs a service; otherwise let your service manager run `roost serve`.
# sudo ./install.sh --remove [PREFIX] removes the service and the files again, and keeps data and configuration.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
remove=
if [ "${1:-}" = --remove ]; then
  remove=yes
  shift
fi
prefix=${1:-/usr/local}
program=$prefix/bin/roost
manual=$prefix/share/man/man1/roost.1
bash_completion=$prefix/share/bash-completion/completions/roost
zsh_completion=$prefix/share/zsh/site-functions/_roost
fish_completion=$prefix/share/fish/vendor_completions.d/roost.fish
if [ "$(id -u)" != 0 ] && [ ! -w "$prefix" ]; then
  echo "$prefix cannot be written by this user: run sudo $0" >&2
  exit 1
fi
if [ -n "$remove" ]; then
  # Only root can have installed the service, and only if its unit exists.
  if [ -e /etc/systemd/system/roost.service ] && [ "$(id -u)" = 0 ]; then "$program" service remove; fi
  rm -f "$program" "$manual" "$bash_completion" "$zsh_completion" "$fish_completion"
  echo "Removed $program"
  exit 0
fi
if ! "$here/roost" version >/dev/null 2>&1; then
  echo "$here/roost does not run on this computer: it needs 64-bit Linux with glibc 2.28 or newer (not Alpine), and the processor in the name of the archive" >&2
  exit 1
fi
for file in "$program" "$manual" "$bash_completion" "$zsh_completion" "$fish_completion"; do
  install -d "$(dirname "$file")"
done
# A running program cannot be overwritten, but its file can be replaced.
install -m 755 "$here/roost" "$program.new"
mv -f "$program.new" "$program"
install -m 644 "$here/roost.1" "$manual"
install -m 644 "$here/completion/roost.bash" "$bash_completion"
install -m 644 "$here/completion/_roost" "$zsh_completion"
install -m 644 "$here/completion/roost.fish" "$fish_completion"
echo "Installed $program"
if [ -d /run/systemd/system ] && [ "$(id -u)" = 0 ]; then
  "$program" service install
  echo "What to do next: sudo roost setup-link, then sudo roost device pair. The handbook: http://localhost:8080/handbook"
else
  echo "Start it with: roost serve. The handbook is then at http://localhost:8080/handbook"
fi
