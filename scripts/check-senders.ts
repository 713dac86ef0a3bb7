/**
 * Real senders of alerts, by the handbook to the letter: `node scripts/check-senders.ts [NAME…]`. Each of
 * Debian's programs has a problem and its end, at a webhook with a policy. The first person must read each
 * once, with the line that asks, and the end must close the incident. mmdebstrap makes one tree below
 * dist/senders, once. Needs root, and a mirror of Debian at the first run. Exit code 1: a program failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { blockOf, blocksOf } from '#test/kit/recipe-shell.ts'

const WORK = 'dist/senders'
const SUITE = 'bookworm'
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
    problem: `sleep 9999 & echo $! >/run/sshd.pid
chmod 600 /etc/monit/monitrc
monit -c /etc/monit/monitrc
sleep 3
mv /run/sshd.pid /run/gone`,
    steps: ['mv /run/gone /run/sshd.pid'],
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

mkdirSync(WORK, { recursive: true })
const wanted = process.argv.slice(2)
const gateway = await startGateway({})
const { accountId, token } = await gateway.owner()
const phone = await PairedPhone.pair(gateway, accountId)
await phone.connect(gateway.url)
await phone.reportReceived({ id: 'first', from: ADA, message: 'hello' })
const ada = await made('people', { name: 'Ada', phoneNumber: ADA })
const policy = await made('policies', { name: 'Night', steps: [{ afterMinutes: 0, tell: [ada['id']] }] })
for (const [name, program] of Object.entries(PROGRAMS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const startedAt = performance.now()
  const fault = (await makeTree(name, program)) ? await faultOf(name, program) : 'SKIPPED'
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const result = fault === null ? 'ok' : fault === 'SKIPPED' ? '**** SKIPPED' : 'FAILED'
  console.log(`${result} ${name} (${seconds} s)${fault === null ? '' : `: ${fault}`}`)
  if (result === 'FAILED') process.exitCode = 1
}
await phone.disconnect()
await gateway.stop()

async function made(path: string, json: object): Promise<Record<string, unknown>> {
  const answer = await gateway.call('POST', `/api/v1/${path}`, { token, json })
  if (answer.json?.data === undefined) throw new Error(answer.text)
  return answer.json.data
}

/** Unpacks a fresh tree; false: there is none, and none can be made. */
async function makeTree(name: string, { packages }: Program): Promise<boolean> {
  const tree = packages === undefined ? 'tree' : name
  const { code } = await start(`
    source scripts/service/container.sh
    work=$PWD/${WORK} suite=${SUITE}
    skip() { exit 1; }
    tree_of ${tree}- ${packages ?? PACKAGES}
    rm -rf "$work/tree" && mkdir "$work/tree"
    tar -xf "$work/${tree}-$suite.tar" -C "$work/tree" --exclude='./dev/*'`).ended
  return code === 0
}

/** What is wrong with a problem of the program and its end; null: nothing. */
async function faultOf(name: string, { files, problem, steps, texts }: Program): Promise<string | null> {
  const webhook = await made('webhooks', { name, recipients: [], policyId: policy['id'], maxPerHour: 1000 })
  const root = join(WORK, 'tree')
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
  const { ended, stop } = start(`
    exec unshare --mount --pid --fork --kill-child bash -c '
      mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/run"
      exec chroot "$1" /bin/sh /run-program' in "$PWD/${root}"`)
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

/** Starts commands of bash. */
function start(commands: string) {
  const child = spawn('bash', ['-c', commands], { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => printed.push(String(bytes)))
  const ended = once(child, 'exit').then(([code]) => ({
    code: code as number | null,
    output: printed.join('').trim(),
  }))
  return { ended, stop: () => child.kill('SIGKILL') }
}
