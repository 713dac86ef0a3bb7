#!/usr/bin/env bash
# Makes the images of the executables in dist, and runs the one of this processor: as its own user, on a
# read-only root, with the data in a volume. It checks health, the handbook, a send, a stop by SIGTERM, and that
# the data is still there afterwards. Needs podman, mmdebstrap and a Debian mirror; without them it says so and
# exits with 0.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
  echo "**** SKIPPED: the image was not tested: $1 ****" >&2
  exit 0
}
for tool in podman mmdebstrap curl; do
  command -v "$tool" >/dev/null || skip "$tool is missing: apt-get install podman mmdebstrap curl"
done
[[ -x dist/roost-linux-x64 || -x dist/roost-linux-arm64 ]] || skip 'no executable in dist: npm run build'
scripts/make-image.sh

arch=$(dpkg --print-architecture)
image=localhost/roost:$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)-$arch
name=roost-check-$$
port=$((20000 + RANDOM % 10000))
url=http://127.0.0.1:$port
# Inside another container, limits cannot be raised, and crun does not know every kind of control groups.
run=(podman run --network host --ulimit "nofile=$(ulimit -Hn)" --ulimit nproc=4096)
"${run[@]}" --rm --no-healthcheck "$image" version >/dev/null 2>&1 || run=("${run[0]}" --runtime runc "${run[@]:1}")
"${run[@]}" --rm --no-healthcheck "$image" version || skip 'podman cannot run a container here'
trap 'podman rm -f "$name" >/dev/null 2>&1; podman volume rm -f "$name" >/dev/null 2>&1' EXIT
fail() {
  echo "check-image: $*" >&2
  podman logs "$name" >&2 || true
  exit 1
}
# A health check that systemd repeats is run by hand: there may be no systemd.
start() {
  podman rm -f "$name" >/dev/null 2>&1 || true
  "${run[@]}" -d --name "$name" --read-only --tmpfs /tmp --volume "$name:/data" --env "ROOST_HTTP__PORT=$port" \
    "$image" >/dev/null 2>&1 || fail 'the container does not start'
  for _ in {1..100}; do curl -fs -m 5 "$url/readyz" >/dev/null && return || sleep 0.2; done
  fail 'the gateway is not ready after 20 s'
}
stop() {
  podman stop --time 30 "$name" >/dev/null 2>&1
  [[ $(podman inspect "$name" --format '{{.State.ExitCode}}') == 0 ]] || fail 'SIGTERM did not end it with 0'
}
send() { curl -fsS "$url/api/v1/sms/send" -H "X-API-Key: $key" -H 'Content-Type: application/json' -d "$1"; }

start
podman exec "$name" roost status --ready >/dev/null || fail 'the health check fails'
[[ $(podman inspect "$name" --format '{{.Config.Healthcheck.Test}}') == *--ready* ]] || fail 'no health check'
curl -fsS "$url/handbook/backup" | grep -q keep_days || fail 'it does not serve the handbook'
pid=$(podman inspect "$name" --format '{{.State.Pid}}')
[[ $(stat -c %u "/proc/$pid") == 10001 || $(id -u) != 0 ]] || fail 'it does not run as its own user'
key=$(podman exec "$name" roost key create --test)
id=$(send '{"phoneNumber":"+15005550006","message":"from a container"}' | sed -n 's/.*"messageId":"\([^"]*\)".*/\1/p')
if podman exec "$name" roost backup /etc/roost/x >/dev/null 2>&1; then fail 'the root can be written'; fi
stop
start
curl -fsS "$url/api/v1/sms/$id" -H "X-API-Key: $key" | grep -q delivered || fail 'the data is gone after a restart'
stop
echo "The image $image runs, on a read-only root, and keeps its data."
