/** Programs of Debian that watch one machine, with a problem and its end by GUIDE. */
import { hostname } from 'node:os'
import { BIN, CLOSED, OPEN, type Program } from '#scripts/senders/program.ts'
import { blockOf, blocksOf } from '#test/kit/recipe-shell.ts'

const HOST = hostname()
/** Of Netdata. They watch the machine that runs this check. */
const PLUGINS = [
  'apps cgroups charts.d cups diskspace ebpf fping idlejitter ioping',
  'nfacct perf proc python.d slabinfo tc timex',
]
  .join(' ')
  .split(' ')

export const MACHINE_PROGRAMS: Readonly<Record<string, Program>> = {
  smartd: {
    files: { [`${BIN}/text-disk`]: blockOf('smartd', 'FAILTYPE') },
    problem: `export SMARTD_MAILER=${BIN}/text-disk SMARTD_ADDRESS=root SMARTD_DEVICE=/dev/sda
export SMARTD_DEVICESTRING='/dev/sda [SAT]' SMARTD_DEVICETYPE=sat SMARTD_PREVCNT=0
export SMARTD_FAILTYPE=Health SMARTD_TFIRST=now
export SMARTD_MESSAGE='Device: /dev/sda [SAT], not capable of SMART self-check' SMARTD_DEVICEINFO=WDC
/usr/share/smartmontools/smartd_warning.sh`,
    steps: [],
    incidents: [OPEN],
    texts: [`FAILED /dev/sda [SAT] Health on ${HOST}: not capable of SMART self-check`],
  },
  apcupsd: {
    packages: 'ca-certificates,curl,hostname,apcupsd',
    files: { [`${BIN}/text-ups`]: blockOf('NUT and apcupsd', 'UPSNAME') },
    problem: `${blockOf('NUT and apcupsd', 'ln -sf')}
cd /etc/apcupsd
./apccontrol onbattery vault 1 1 || true`,
    steps: ['./apccontrol offbattery vault 1 1 || true'],
    texts: [`ON BATTERY UPS vault on ${HOST}`, `POWER BACK UPS vault on ${HOST}`],
  },
  nut: {
    files: {
      [`${BIN}/text-ups`]: blockOf('NUT and apcupsd', 'UPSNAME'),
      '/etc/nut/nut.conf': 'MODE=standalone\n',
      '/etc/nut/ups.conf': '[vault]\n  driver = dummy-ups\n  port = /etc/nut/vault.dev\n',
      '/etc/nut/vault.dev': 'ups.status: OL\n',
      '/etc/nut/upsd.conf': 'LISTEN 127.0.0.1 $port\n',
      '/etc/nut/upsd.users': '[mon]\n  password = mon\n  upsmon primary\n',
      '/etc/nut/upsmon.conf': `MONITOR vault@127.0.0.1:$port 1 mon mon primary
SHUTDOWNCMD /bin/true
POLLFREQ 1
POLLFREQALERT 1
${blockOf('NUT and apcupsd', 'NOTIFYCMD')}`,
    },
    problem: `mkdir -p /run/nut && chown nut: /run/nut && chmod -R a+rX /etc/nut
/lib/nut/dummy-ups -a vault && upsd && upsmon
sleep 3
echo 'ups.status: OB DISCHRG' >/etc/nut/vault.dev`,
    steps: ["echo 'ups.status: OL' >/etc/nut/vault.dev"],
    texts: ['ON BATTERY UPS vault@127.0.0.1:', 'POWER BACK UPS vault@127.0.0.1:'],
  },
  monit: {
    files: {
      [`${BIN}/text-monit`]: blockOf('monit', 'MONIT_HOST'),
      '/etc/monit/monitrc': `set daemon 1\n${blockOf('monit', 'check process')}`,
    },
    problem: `sleep 9999 &
echo $! >/run/sshd.pid
chmod 600 /etc/monit/monitrc
monit -c /etc/monit/monitrc
sleep 3
kill $(cat /run/sshd.pid)`,
    steps: ['sleep 9999 & echo $! >/run/sshd.pid'],
    texts: [`FAILED sshd on ${HOST}: process is not running`, `OK sshd on ${HOST}: process is running`],
  },
  collectd: {
    files: {
      [`${BIN}/text-collectd`]: blockOf('collectd', 'Severity:'),
      '/etc/collectd/collectd.conf': `FQDNLookup false
${blockOf('collectd', 'LoadPlugin')}
<Plugin exec>
  Exec "nobody" "${BIN}/lamp"
</Plugin>
`,
      [`${BIN}/lamp`]: `#!/bin/sh
say() { echo "PUTNOTIF host=nas plugin=load type=load severity=$1 time=$(date +%s) message=\\"$2\\""; }
say warning "Load is 9.4"
until [ -e /over ]; do sleep 0.2; done
say okay "Load is normal again"
exec sleep 9999`,
    },
    problem: 'collectd -C /etc/collectd/collectd.conf',
    steps: ['touch /over'],
    texts: ['WARN load on nas: Load is 9.4', 'OK load on nas: Load is normal again'],
  },
  snmptrapd: {
    files: {
      '/etc/snmp/snmptrapd.conf': blockOf('SNMP traps', 'traphandle'),
      [`${BIN}/text-trap`]: blockOf('SNMP traps', 'message@-'),
      [`${BIN}/link`]: `#!/bin/sh
mib=.1.3.6.1.2.1.2.2.1
exec snmptrap -v 2c -c public 127.0.0.2:$port '' .1.3.6.1.6.3.1.1.5.$2 $mib.1.$1 i $1 $mib.2.$1 s eth$1`,
    },
    problem: `echo 127.0.0.1 switch.lan >/etc/hosts
snmptrapd -Lf /var/log/snmptrapd.log udp:127.0.0.2:$port
link 3 3`,
    steps: ['link 4 3', 'link 3 3; link 3 4'],
    texts: ['DOWN eth3 on switch.lan', 'DOWN eth4 on switch.lan', 'UP eth3 on switch.lan'],
    incidents: [CLOSED, OPEN],
  },
  netdata: {
    packages: 'ca-certificates,curl,hostname,procps,netdata-core,netdata-plugins-bash',
    files: {
      '/etc/netdata/health_alarm_notify.conf': blocksOf('Netdata')[0] ?? '',
      '/etc/netdata/netdata.conf': `[global]
  run as user = netdata
[plugins]
  ${PLUGINS.map(name => `${name} = no`).join('\n  ')}
[web]
  bind to = 127.0.0.1:$port
[statsd]
  bind to = udp:127.0.0.2:$port
`,
      '/etc/netdata/statsd.d/disks.conf': `[app]
  name = disks
  metrics = disks.*
  private charts = no
[root]
  name = root
  context = disks.space
  units = %
  dimension = disks.root used last
[srv]
  name = srv
  context = disks.space
  units = %
  dimension = disks.srv used last
`,
      '/etc/netdata/health.d/disks.conf': ` template: disk_space_usage
       on: disks.space
     calc: $used
    every: 1s
    units: %
     warn: $this > 80
     crit: $this > 90
     info: space utilization
       to: sysadmin
`,
      [`${BIN}/fill`]: `#!/bin/bash
echo "disks.$1:$2|g" >/dev/udp/127.0.0.2/$port`,
    },
    problem: `chown -R netdata: /var/lib/netdata /var/cache/netdata /var/log/netdata
netdata
until curl -fs 127.0.0.1:$port/api/v1/info >/dev/null; do sleep 0.2; done
for n in 1 2 3 4 5; do fill root 20; fill srv 20; sleep 1; done
fill root 95`,
    steps: ['fill srv 97', 'fill root 85; sleep 12; fill root 40'],
    texts: [
      `CRITICAL disks.root disk_space_usage on ${HOST}: space utilization (95%)`,
      `CRITICAL disks.srv disk_space_usage on ${HOST}: space utilization (97%)`,
      `CLEAR disks.root disk_space_usage on ${HOST}: space utilization (40%)`,
    ],
    incidents: [CLOSED, OPEN],
  },
}
