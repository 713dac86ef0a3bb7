/** Programs that watch many machines, with problems and their ends by GUIDE. */
import { BIN, type Program } from '#scripts/senders/program.ts'
import { blockOf, blocksOf } from '#test/kit/recipe-shell.ts'

const ALERTMANAGER = `prometheus-alertmanager --config.file=/etc/alertmanager.yml --storage.path=/var/tmp/am \\
  --web.listen-address=127.0.0.1:$port --cluster.listen-address= >/var/log/am.log 2>&1 &`
/** Posts what Prometheus posts of these hosts. `$1` and `$2`: the first and the last; `$3`: whether it is over. */
const SCRAPES = `#!/bin/sh
[ -z "$3" ] || over=", \\"endsAt\\": \\"$(date -u +%FT%TZ)\\""
for n in $(seq $1 $2); do
  host=host$n
  echo "\${comma-[}{\\"labels\\": {\\"alertname\\": \\"InstanceDown\\", \\"instance\\": \\"$host:9100\\", \\"severity\\": \\"critical\\"},
    \\"annotations\\": {\\"summary\\": \\"$host:9100 is down\\"}$over}"
  comma=,
done >/tmp/alerts
echo ] >>/tmp/alerts
exec curl -fsS -m 20 --retry 9 --retry-connrefused -H 'Content-Type: application/json' \\
  127.0.0.1:$port/api/v2/alerts -d @/tmp/alerts`

const ALERTMANAGER_FILES = {
  '/etc/alertmanager.yml': blocksOf('Alertmanager')[0] ?? '',
  [`${BIN}/scrapes`]: SCRAPES,
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
  // A switch that 300 hosts are behind fails. Prometheus sees a sixth of them in each five seconds.
  storm: {
    gather: true,
    files: ALERTMANAGER_FILES,
    problem: `${ALERTMANAGER}\nfor n in 0 1 2 3 4 5; do scrapes $((50 * n + 1)) $((50 * n + 50)); sleep 5; done`,
    steps: [
      '',
      'for n in 0 1 2 3 4; do scrapes $((50 * n + 1)) $((50 * n + 50)) over; sleep 5; done; sleep 60; scrapes 251 300 over',
    ],
    texts: ['CRITICAL InstanceDown: ', 'CRITICAL InstanceDown: ', '300 up again: '],
  },
}
