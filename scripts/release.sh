#!/usr/bin/env bash
# Makes all of a release except its publication: scripts/release.sh [--key KEY] [--pool FOLDER] [--skip-checks] TAG
#
# It runs the checks and the tests, builds the executables, and fills dist/release:
#   notes.md      what CHANGELOG.md says about the version
#   files/        packages, archives, executables, images, the list of all parts (SBOM), SHA256SUMS
#   apt/          a repository for apt, of static files; with --pool also of the packages in that folder
#   handbook/     the handbook, of static files
# --key: the key of gpg that signs the repository, by its fingerprint or address. Without it nothing is signed, and
# apt refuses the repository. --skip-checks leaves out what has passed on this commit before.
# It needs dpkg-dev, gpg, lintian, podman, mmdebstrap, systemd-container, binutils for arm64, and root for the service.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

key= pool= checks=yes
while [[ ${1:-} == --* ]]; do
  case $1 in
    --key) key=$2 && shift 2 ;;
    --pool) pool=$(realpath "$2") && shift 2 ;;
    --skip-checks) checks= && shift ;;
    *) echo "release: $1 is unknown" >&2 && exit 2 ;;
  esac
done
tag=${1:?the tag, such as v0.1.0}
version=${tag#v}
out=$PWD/dist/release
fail() {
  echo "release: $*" >&2
  exit 1
}
[[ -z $(git status --porcelain) ]] || fail 'the tree has changes: commit them'
[[ $(git rev-parse -q --verify "$tag^{commit}" || true) == "$(git rev-parse HEAD)" ]] ||
  fail "the tag $tag is not on this commit: git tag $tag"
for tool in dpkg-scanpackages:dpkg-dev gpg:gnupg lintian:lintian podman:podman mmdebstrap:mmdebstrap curl:curl systemd-nspawn:systemd-container; do
  command -v "${tool%:*}" >/dev/null || fail "${tool%:*} is missing: apt-get install ${tool#*:}"
done
[[ ! $pool || $pool/ != "$out"/* ]] || fail "--pool $pool is below dist/release, which is made anew: copy it first"
[[ ! $key ]] || gpg --batch --list-secret-keys "$key" >/dev/null || fail "gpg has no secret key $key"
rm -rf "$out"
mkdir -p "$out/files" "$out/apt/pool"
node scripts/release-notes.mjs "$tag" >"$out/notes.md"

if [[ $checks ]]; then
  npm run check
  npm test
fi
npm run build -- --release
lintian --fail-on error "dist/roost_${version}"_*.deb
if [[ $checks ]]; then
  sudo=
  [[ $(id -u) == 0 ]] || sudo=sudo
  $sudo env "PATH=$PATH" scripts/check-service.sh
  # Where a container cannot run, the image was not tried.
  scripts/check-image.sh 2>&1 | tee dist/check-image.log
  ! grep -q SKIPPED dist/check-image.log || fail 'the image was not tested'
else
  scripts/make-image.sh
fi

grep -q 'image\.tar\.gz$' dist/SHA256SUMS || fail 'no image was made'
(cd dist && sha256sum --check --quiet SHA256SUMS && cut -c 67- SHA256SUMS | xargs cp -t "$out/files" SHA256SUMS)
node scripts/static-handbook.mjs "$out/handbook"

[[ -z $pool ]] || cp "$pool"/roost_*.deb "$out/apt/pool"
cp "dist/roost_${version}"_*.deb "$out/apt/pool"
scripts/make-apt-repository.sh "$out/apt" "$key"
find "$out" -maxdepth 2 -type f -o -maxdepth 1 -type d | sort
