/**
 * Real senders of alerts, by the handbook to the letter: `node scripts/check-senders.ts [NAME…]`. Each of
 * Debian's programs has a problem and its end, at a webhook with a policy. The first person must read each
 * once, with the line that asks, and the end must close the incident. Exit code 1: a program failed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { checkPrograms, type DebianProgram, runInTree } from '#scripts/debian-programs.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { blockOf, blocksOf } from '#test/kit/recipe-shell.ts'

const WORK = 'dist/senders'
const PACKAGES = [
  'ca-certificates,curl,hostname,procps,collectd-core,icinga2-bin,icinga2-common,monit,nut-client',
  'nut-server,prometheus-alertmanager,smartmontools,snmp,snmptrapd',
].join()
const ADA = '+14155550201'
const PROMPT = /\nReply \d+: I take it$/
const BIN = '/usr/local/bin'
const HOST = hostname()

interface Program {
  /** Those of a tree of its own, if others exclude it. */
  readonly packages?: string
  /** The files in the tree. ADDRESS and `$port` are filled in. */
  readonly files: Readonly<Record<string, string>>
  /** Commands of the shell in the tree, up to the problem. */
  readonly problem: string
  /** Commands that run once each is read, up to the end. */
  readonly steps: readonly string[]
  readonly texts: readonly string[]
}

const script = (title: string, words: string) => blockOf(title, words)
const alarm = (ends: string) =>
  `curl -fsS -m 5 --retry 9 --retry-connrefused -H 'Content-Type: application/json' \\
    127.0.0.1:$port/api/v2/alerts -d '[{
    "labels": {"alertname": "InstanceDown", "instance": "nas:9100", "severity": "critical"},
    "annotations": {"summary": "nas:9100 is down"}${ends}}]'`

const PROGRAMS: Readonly<Record<string, Program>> = {
  smartd: {
    files: { [`${BIN}/text-disk`]: script('smartd', 'FAILTYPE') },
    problem: `export SMARTD_MAILER=${BIN}/text-disk SMARTD_ADDRESS=root SMARTD_DEVICE=/dev/sda
export SMARTD_DEVICESTRING='/dev/sda [SAT]' SMARTD_DEVICETYPE=sat SMARTD_PREVCNT=0
export SMARTD_FAILTYPE=Health SMARTD_TFIRST=now
export SMARTD_MESSAGE='Device: /dev/sda [SAT], not capable of SMART self-check' SMARTD_DEVICEINFO=WDC
/usr/share/smartmontools/smartd_warning.sh`,
    steps: [],
    texts: [`FAILED /dev/sda [SAT] Health on ${HOST}: not capable of SMART self-check`],
  },
  apcupsd: {
    packages: 'ca-certificates,curl,hostname,apcupsd',
    files: { [`${BIN}/text-ups`]: script('NUT and apcupsd', 'UPSNAME') },
    problem: `${script('NUT and apcupsd', 'ln -sf')}
cd /etc/apcupsd
./apccontrol onbattery vault 1 1 || true`,
    steps: ['./apccontrol offbattery vault 1 1 || true'],
    texts: [`ON BATTERY UPS vault on ${HOST}`, `POWER BACK UPS vault on ${HOST}`],
  },
  nut: {
    files: {
      [`${BIN}/text-ups`]: script('NUT and apcupsd', 'UPSNAME'),
      '/etc/nut/nut.conf': 'MODE=standalone\n',
      '/etc/nut/ups.conf': '[vault]\n  driver = dummy-ups\n  port = /etc/nut/vault.dev\n',
      '/etc/nut/vault.dev': 'ups.status: OL\n',
      '/etc/nut/upsd.conf': 'LISTEN 127.0.0.1 $port\n',
      '/etc/nut/upsd.users': '[mon]\n  password = mon\n  upsmon primary\n',
      '/etc/nut/upsmon.conf': `MONITOR vault@127.0.0.1:$port 1 mon mon primary
SHUTDOWNCMD /bin/true
POLLFREQ 1
POLLFREQALERT 1
${script('NUT and apcupsd', 'NOTIFYCMD')}`,
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
      [`${BIN}/text-monit`]: script('monit', 'MONIT_HOST'),
      '/etc/monit/monitrc': `set daemon 1\n${script('monit', 'check process')}`,
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
      [`${BIN}/text-collectd`]: script('collectd', 'Severity:'),
      '/etc/collectd/collectd.conf': `FQDNLookup false
${script('collectd', 'LoadPlugin')}
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
${script('Icinga 2', 'NotificationCommand')}`,
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

const gateway = await startGateway({})
const { accountId, token } = await gateway.owner()
const phone = await PairedPhone.pair(gateway, accountId)
await phone.connect(gateway.url)
await phone.reportReceived({ id: 'first', from: ADA, message: 'hello' })
const ada = await made('people', { name: 'Ada', phoneNumber: ADA })
const policy = await made('policies', { name: 'Night', steps: [{ afterMinutes: 0, tell: [ada['id']] }] })
const programs = Object.entries(PROGRAMS).map(([name, { packages, ...program }]) => {
  const own = packages === undefined ? { packages: PACKAGES, tree: 'tree' } : { packages, tree: name }
  return [name, { ...program, ...own }] as const
})
await checkPrograms({ work: WORK, programs: Object.fromEntries(programs), faultOf })
await phone.disconnect()
await gateway.stop()

async function made(path: string, json: object): Promise<Record<string, unknown>> {
  const answer = await gateway.call('POST', `/api/v1/${path}`, { token, json })
  if (answer.json?.data === undefined) throw new Error(answer.text)
  return answer.json.data
}

/** What is wrong with a problem of the program and its end; null: nothing. */
async function faultOf(
  name: string,
  { files, problem, steps, texts }: Omit<Program, 'packages'> & DebianProgram,
  root: string,
): Promise<string | null> {
  const webhook = await made('webhooks', { name, recipients: [], policyId: policy['id'], maxPerHour: 1000 })
  const address = `${gateway.url}${webhook['url']}`
  const port = String(await freePort())
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    const filled = text.replaceAll(/\bADDRESS\b/g, address).replaceAll('$port', port)
    writeFileSync(join(root, path), filled, { mode: 0o755 })
  }
  for (const [path, text] of Object.entries({ ...files, [`${BIN}/text-me`]: script('', 'text-me HOST') }))
    write(path, text)
  const waits = steps.map((step, at) => `until [ -e /told${at} ]; do sleep 0.2; done\n${step}`)
  write('/run-program', ['set -eu', problem, ...waits, 'until [ -e /done ]; do sleep 0.2; done'].join('\n'))
  const before = phone.sent.length
  const { ended, stop } = runInTree(root, '/run-program')
  const quit = ended.then(({ code, output }) => `it ended with ${code}: ${output}`)
  for (const at of texts.keys()) {
    const told = phone.whenSent(before + at + 1).then(() => null)
    const late = new Promise<string>(resolve => setTimeout(resolve, 150_000, 'it was too slow').unref())
    const fault = await Promise.race([told, quit, late])
    if (fault !== null) {
      stop()
      return `${fault}; the phone got ${JSON.stringify(phone.sent.slice(before))}`
    }
    writeFileSync(join(root, `told${at}`), '')
  }
  writeFileSync(join(root, 'done'), '')
  await ended
  const sent = phone.sent.slice(before).map(({ message }) => message)
  const said = sent.map(text => text.replace(PROMPT, ''))
  const isRight = said.length === texts.length && texts.every((text, at) => said[at]?.startsWith(text))
  if (!isRight || !PROMPT.test(sent[0] ?? '')) return `the phone got ${JSON.stringify(sent)}`
  const { json } = await gateway.call('GET', `/api/v1/incidents?webhookId=${webhook['id']}`, { token })
  const states = json?.data.map((one: Record<string, unknown>) => `${one['state']} by ${one['closedBy']}`)
  const right = steps.length === 0 ? 'open by null' : 'closed by sender'
  return states?.join() === right ? null : `its incidents are ${states?.join()}`
}
