/** Programs that watch many machines, with problems and their ends by GUIDE. */
import { BIN, type Program } from '#scripts/senders/program.ts'
import { blockOf, blocksOf } from '#test/kit/recipe-shell.ts'

const alarm = (ends: string) =>
  `curl -fsS -m 5 --retry 9 --retry-connrefused -H 'Content-Type: application/json' \\
    127.0.0.1:$port/api/v2/alerts -d '[{
    "labels": {"alertname": "InstanceDown", "instance": "nas:9100", "severity": "critical"},
    "annotations": {"summary": "nas:9100 is down"}${ends}}]'`

export const MONITOR_PROGRAMS: Readonly<Record<string, Program>> = {
  icinga2: {
    files: {
      '/etc/icinga2/icinga2.conf': `include "constants.conf"
object CheckerComponent "checker" { }
object NotificationComponent "notification" { }
object ExternalCommandListener "command" { command_path = "/run/icinga2/icinga2.cmd" }
object User "icingaadmin" { }
object CheckCommand "lamp" { command = [ "${BIN}/lamp" ] }
object CheckCommand "well" { command = [ "/bin/true" ] }
object Host "nas" { check_command = "well" }
object Service "http" {
  host_name = "nas"
  check_command = "lamp"
  max_check_attempts = 1
  check_interval = 1s
  retry_interval = 1s
}
${blockOf('Icinga 2', 'NotificationCommand')}`,
      [`${BIN}/lamp`]: `#!/bin/sh
[ -e /over ] && echo "HTTP OK: HTTP/1.1 200 OK" && exit 0
[ -e /broken ] || exit 0
echo "HTTP CRITICAL: HTTP/1.1 500 Internal Server Error"
exit 2`,
    },
    problem: `mkdir -p /run/icinga2 && chown nagios: /run/icinga2
icinga2 daemon >/var/log/icinga2.log 2>&1 &
sleep 5
touch /broken`,
    steps: [
      `ack='ACKNOWLEDGE_SVC_PROBLEM;nas;http;1;1;0;eve;I look at it'
echo "[$(date +%s)] $ack" >/run/icinga2/icinga2.cmd`,
      'touch /over',
    ],
    texts: [
      'CRITICAL http on nas: HTTP/1.1 500 Internal Server Error',
      'Owner has it: ACKNOWLEDGED http on nas: I look at it. HTTP CRITICAL: HTTP/1.1 500 Internal',
      'OK http on nas: HTTP/1.1 200 OK',
    ],
  },
  alertmanager: {
    files: { '/etc/alertmanager.yml': blocksOf('Alertmanager')[0] ?? '' },
    problem: `prometheus-alertmanager --config.file=/etc/alertmanager.yml --storage.path=/var/tmp/am \\
  --web.listen-address=127.0.0.1:$port --cluster.listen-address= >/var/log/am.log 2>&1 &
${alarm('')}`,
    steps: [alarm(`, "endsAt": "'$(date -u +%FT%TZ)'"`)],
    texts: ['CRITICAL InstanceDown: nas:9100 is down', 'RESOLVED InstanceDown: nas:9100'],
  },
}
