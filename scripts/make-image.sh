#!/usr/bin/env bash
# Makes the image of each executable in dist, an archive of each for `podman load` and `docker load`, and one OCI
# archive of all: scripts/make-image.sh [--push NAME]. It needs podman, mmdebstrap and a Debian mirror. No registry is asked:
# the libraries come from packages of Debian. --push also pushes one name for all processors to a registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

suite=trixie
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
# The image is as old as its sources, so that the same sources give the same image.
date=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
context=dist/image
archs=()
archives=()
fail() {
  echo "make-image: $*" >&2
  exit 1
}
for tool in podman mmdebstrap; do
  command -v "$tool" >/dev/null || fail "$tool is missing: apt-get install podman mmdebstrap"
done

# The libraries of one processor, from packages that are unpacked and not installed.
fetch_libraries() {
  local arch=$1 mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | awk '/\/debian\/?$/ && !found++')
  mkdir -p dist/build
  mmdebstrap --quiet --variant=extract --architectures="$arch" --include=libc6,libgcc-s1,libstdc++6 \
    "$suite" "$2.part" "deb ${mirror:-http://deb.debian.org/debian} $suite main" --format=tar
  mv "$2.part" "$2"
}

# make_tree ARCH EXECUTABLE: the folder that becomes the root of the image.
make_tree() {
  local arch=$1 tree=$context/$1 libraries=dist/build/libraries-$suite-$1.tar unpacked triplet
  [[ -s $libraries ]] || fetch_libraries "$arch" "$libraries"
  unpacked=$(mktemp -d)
  tar -xf "$libraries" -C "$unpacked" --wildcards '*/lib/*-linux-gnu/*.so*' './usr/share/doc/*'
  triplet=$(basename "$(dirname "$(find "$unpacked" -name libc.so.6)")")
  mkdir -p "$tree"/{tmp,etc/roost,usr/bin,lib64} "$tree/usr/lib/$triplet" "$tree/usr/share/doc"
  for name in ld-linux-* libc.so.6 libdl.so.2 libgcc_s.so.1 libm.so.6 libpthread.so.0 libresolv.so.2 libnss_dns.so.2 \
    libnss_files.so.2 libstdc++.so.6*; do
    find "$unpacked" -path "*/$triplet/$name" -exec cp -a {} "$tree/usr/lib/$triplet/" \;
  done
  ln -s usr/lib "$tree/lib"
  # Programs name the loader by a path that differs between processors.
  for loader in "$tree/usr/lib/$triplet"/ld-linux-*; do
    if [[ $arch == amd64 ]]; then ln -s "../usr/lib/$triplet/${loader##*/}" "$tree/lib64/"; else
      ln -s "$triplet/${loader##*/}" "$tree/usr/lib/"
    fi
  done
  for package in libc6 gcc-*-base; do
    for folder in "$unpacked/usr/share/doc"/$package; do
      mkdir -p "$tree/usr/share/doc/${folder##*/}"
      cp "$folder/copyright" "$tree/usr/share/doc/${folder##*/}/"
    done
  done
  rm -rf "$unpacked"
  cp LICENSE "$tree/usr/share/doc/"
  ln "$2" "$tree/usr/bin/roost" 2>/dev/null || cp "$2" "$tree/usr/bin/roost"
  echo 'roost:x:10001:10001::/data:/nonexistent' >"$tree/etc/passwd"
  echo 'roost:x:10001:' >"$tree/etc/group"
  echo 'hosts: files dns' >"$tree/etc/nsswitch.conf"
  chmod 1777 "$tree/tmp"
}

rm -rf "$context"
mkdir -p "$context/data"
chmod 700 "$context/data"
for pair in amd64:x64 arm64:arm64; do
  [[ -x dist/roost-linux-${pair#*:} ]] || continue
  make_tree "${pair%:*}" "dist/roost-linux-${pair#*:}"
  archs+=("${pair%:*}")
done
((${#archs[@]})) || fail 'there is no executable in dist: npm run build'
for arch in "${archs[@]}"; do
  # Podman writes health checks only into images of Docker's format.
  podman build --quiet --format docker --platform "linux/$arch" --timestamp "$date" --file Containerfile \
    --label "org.opencontainers.image.version=$version" --label org.opencontainers.image.licenses=Apache-2.0 \
    --tag "localhost/roost:$version-$arch" "$context" >/dev/null
  archive=dist/roost_${version}_$arch.image.tar
  rm -f "$archive" "$archive.gz"
  podman tag "localhost/roost:$version-$arch" "localhost/roost:$version"
  podman save --quiet --format docker-archive --output "$archive" "localhost/roost:$version"
  gzip -1n "$archive"
  archives+=("$(basename "$archive.gz")")
done
# For registries, and for tools that read OCI archives. Health checks are not part of that format.
podman manifest rm roost-all >/dev/null 2>&1 || true
podman manifest create roost-all "${archs[@]/#/containers-storage:localhost/roost:$version-}" >/dev/null
archives+=("roost_$version.oci.tar")
rm -f "dist/roost_$version.oci.tar"
podman manifest push --quiet --all --format oci roost-all "oci-archive:dist/roost_$version.oci.tar"
# SHA256SUMS lists all files of a release.
touch dist/SHA256SUMS
sed -i '/\.\(image\.tar\.gz\|oci\.tar\)$/d' dist/SHA256SUMS
(cd dist && sha256sum "${archives[@]}" | tee -a SHA256SUMS)
if [[ ${1:-} == --push ]]; then
  for tag in "$version" latest; do podman manifest push --all --digestfile "$context/digest" roost-all "docker://$2:$tag"; done
fi
