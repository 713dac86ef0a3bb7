/** Programs that watch many machines, with problems and their ends by GUIDE. */
import { BIN, type Program } from '#scripts/senders/program.ts'
import { blockOf, blocksOf } from '#test/kit/recipe-shell.ts'

const ALERTMANAGER = `cd /var/tmp && prometheus-alertmanager --config.file=/etc/alertmanager.yml \\
  --web.listen-address=127.0.0.1:$port --cluster.listen-address= >/var/log/am.log 2>&1 &`
/** Posts hosts as Prometheus does. `$1` and `$2`: the first and the last; `$3`: whether they are up again. */
const SCRAPES = `#!/bin/sh
[ -z "$3" ] || over=", \\"endsAt\\": \\"$(date -u +%FT%TZ)\\""
alert='{"labels": {"alertname": "InstanceDown", "instance": "%s", "severity": "critical"},
  "annotations": {"summary": "%s is down"}%s}'
for n in $(seq $1 $2); do
  [ $n = $1 ] || echo ,
  printf "$alert" host$n:9100 host$n:9100 "$over"
done >/tmp/alerts
exec curl -fsS -m 20 --retry 9 --retry-connrefused -H 'Content-Type: application/json' \\
  127.0.0.1:$port/api/v2/alerts -d "[$(cat /tmp/alerts)]"`
/** Those of 300 hosts that Prometheus looks at in five seconds. `$1`: which five, up to 5; `$2`: as above. */
const FIFTY = `#!/bin/sh
scrapes $((50 * $1 + 1)) $((50 * $1 + 50)) $2
sleep 5`

const ALERTMANAGER_FILES = {
  '/etc/alertmanager.yml': blocksOf('Alertmanager')[0] ?? '',
  [`${BIN}/scrapes`]: SCRAPES,
  [`${BIN}/fifty`]: FIFTY,
}

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
    files: ALERTMANAGER_FILES,
    problem: `${ALERTMANAGER}\nscrapes 1 1`,
    steps: ['scrapes 1 1 over'],
    texts: ['CRITICAL InstanceDown: host1:9100 is down', 'RESOLVED InstanceDown: host1:9100'],
  },
  // A switch with 300 hosts behind it.
  storm: {
    gather: true,
    asks: 2,
    files: ALERTMANAGER_FILES,
    problem: `${ALERTMANAGER}\nfor n in 0 1 2 3 4 5; do fifty $n; done`,
    steps: ['', 'for n in 0 1 2 3 4; do fifty $n over; done; sleep 60; fifty 5 over'],
    texts: [
      'CRITICAL InstanceDown: 100 firing. host100:9100, ',
      'InstanceDown: host101:9100, ',
      '300 up again: host100:9100, ',
    ],
  },
}
