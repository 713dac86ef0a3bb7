#!/usr/bin/env bash
# Tests the Debian package in a virtual machine of 1 GB, with Debian's own kernel:
# scripts/check-qemu.sh [bookworm|trixie]
#
# A container of scripts/check-service.sh does not enforce the limits of the unit (MemoryHigh=, MemoryMax=,
# TasksMax=). Here the control group of the unit enforces them. scripts/service/qemu-proof.sh runs in the
# machine. It installs the package, pairs a phone, and kills the gateway several times after a send, under
# MemoryMax=192M.
#
# Needs root, qemu, the package in dist (node build.mjs), and at the first run a Debian mirror. If one of them
# is missing, the script says so and exits with 0. The processor is emulated, which takes about twelve minutes on two
# busy cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shopt -s nullglob
work=$PWD/dist/service
suite=${1:-bookworm}
limit_s=2400
source scripts/service/container.sh

[[ $(uname -sm) == 'Linux x86_64' && $(id -u) == 0 ]] || skip 'this needs root on Linux x86_64'
for tool in mmdebstrap qemu-system-x86_64 mke2fs; do
  command -v "$tool" >/dev/null || skip "$tool is missing: apt-get install mmdebstrap qemu-system-x86 seabios e2fsprogs"
done
packages=(dist/roost_*_amd64.deb)
((${#packages[@]})) || skip 'no package in dist: node build.mjs'
mkdir -p "$work"
make_tree qemu- linux-image-cloud-amd64,initramfs-tools

tree=$work/qemu-$suite
disk=$tree.img
log=$tree.console
trap 'rm -rf "$tree" "$disk"' EXIT
rm -rf "$tree" "$disk"
mkdir "$tree"
tar -xf "$work/qemu-$suite.tar" -C "$tree"
printf '127.0.0.1 localhost\n' >"$tree/etc/hosts"
cp "${packages[-1]}" "$tree/srv/roost.deb"
cp scripts/service/container.sh scripts/service/qemu-proof.sh "$tree/srv"
cat >"$tree/etc/systemd/system/proof.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
ExecStart=/bin/bash /srv/qemu-proof.sh
UNIT
mkdir -p "$tree/etc/systemd/system/graphical.target.wants"
ln -s ../proof.service "$tree/etc/systemd/system/graphical.target.wants/proof.service"
kernel=("$tree"/boot/vmlinuz-*)
initrd=("$tree"/boot/initrd.img-*)
cp "${kernel[0]}" "$work/qemu-kernel"
cp "${initrd[0]}" "$work/qemu-initrd"
mke2fs -q -t ext4 -d "$tree" "$disk" 3G >/dev/null

say 'booting a machine of 1 GB'
timeout "$limit_s" qemu-system-x86_64 -machine q35,accel=tcg -cpu max -smp 2 -m 1024 -nodefaults -nographic \
  -serial stdio -drive "file=$disk,format=raw,if=virtio,cache=unsafe" -kernel "$work/qemu-kernel" \
  -initrd "$work/qemu-initrd" -append 'root=/dev/vda rw console=ttyS0' </dev/null 2>&1 |
  tee "$log" | grep -a --line-buffered '^PROOF' || true
grep -aqE '^PROOF \[[^]]+\] all passed' "$log" || fail "the proof did not pass, see $log"
say 'passed'
