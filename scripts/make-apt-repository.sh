#!/usr/bin/env bash
# Makes a repository for apt of the Debian packages in FOLDER/pool: scripts/make-apt-repository.sh FOLDER [KEY]
#
# It is static files for any web server. KEY is the key of gpg that signs it, by its fingerprint or address; its public
# half becomes FOLDER/roost.gpg. Without KEY nothing is signed, and apt refuses the repository. Needs dpkg-dev and gpg.
set -euo pipefail
cd "$1"
key=${2:-}
if [[ $key ]]; then
  # An address may be that of several keys, and apt would trust each of them.
  mapfile -t found < <(gpg --batch --with-colons --list-secret-keys "$key" | awk -F: '/^sec/ {f = 1} /^fpr/ && f {print $10; f = 0}')
  ((${#found[@]} == 1)) || { echo "make-apt-repository: gpg has ${#found[@]} secret keys for $key: name one" >&2 && exit 1; }
  key=${found[0]}
fi

archs=()
rm -rf dists
for arch in amd64 arm64; do
  compgen -G "pool/*_$arch.deb" >/dev/null || continue
  archs+=("$arch")
  mkdir -p "dists/stable/main/binary-$arch"
  dpkg-scanpackages --multiversion --arch "$arch" pool 2>/dev/null >"dists/stable/main/binary-$arch/Packages"
  gzip -9nk "dists/stable/main/binary-$arch/Packages"
done
cd dists/stable
# apt checks the signature of InRelease. That has the digests of the lists, and the lists have those of the packages.
{
  printf '%s\n' 'Origin: Roost' 'Label: Roost' 'Suite: stable' 'Codename: stable' 'Components: main' \
    "Architectures: ${archs[*]}" "Date: $(date -Ru)" 'SHA256:'
  find main -type f | sort | while read -r file; do
    printf ' %s %s %s\n' "$(sha256sum <"$file" | cut -c -64)" "$(stat -c %s "$file")" "$file"
  done
} >Release
if [[ $key ]]; then
  sign() { gpg --batch --yes --local-user "$key!" "$@" Release; }
  sign --output InRelease --clearsign
  sign --output Release.gpg --armor --detach-sign
  gpg --batch --yes --output ../../roost.gpg --export "$key!"
else
  echo 'make-apt-repository: not signed, because no key was given' >&2
fi
