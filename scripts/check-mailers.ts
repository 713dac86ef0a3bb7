/**
 * Real mailers of Debian hand mails to a gateway with a phone: `node scripts/check-mailers.ts [NAME…]`. Each
 * sends a plain mail, one in Latin-1 and one in GB 2312, and then runs its queue again. The phone must get
 * each text once, and the gateway must see no mail twice: each got its 250. mmdebstrap makes a tree for each
 * below dist/mailers, once, because they exclude one another. Needs root, and a mirror of Debian at the first
 * run. Exit code 1: a mailer failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

const WORK = 'dist/mailers'
const SUITE = 'bookworm'

interface Mailer {
  readonly packages: string
  /** Commands of the shell in the tree. `$port`: the gateway's; `$to`: the recipient. */
  readonly setUp: string
  /** Sends the mail `$mail`. */
  readonly send: string
  /** Runs the queue to its end; fails if a mail stays in it. */
  readonly finish: string
}

const MAILERS: Readonly<Record<string, Mailer>> = {
  exim4: {
    packages: 'exim4-daemon-light',
    setUp: `cat >/etc/exim4/exim4.conf <<END
primary_hostname = nas.example
never_users =
begin routers
roost:
  driver = manualroute
  route_list = * 127.0.0.1
  self = send
  transport = roost
begin transports
roost:
  driver = smtp
  port = $port
begin retry
* * F,1h,1s
END`,
    send: 'exim4 -odf -i $to <$mail',
    finish: 'exim4 -qff; exim4 -qff; test "$(exim4 -bpc)" = 0',
  },
  msmtp: {
    packages: 'msmtp',
    setUp: 'true',
    send: 'msmtp --host=127.0.0.1 --port=$port --from=nas -- $to <$mail',
    finish: 'true',
  },
  nullmailer: {
    packages: 'nullmailer',
    setUp: `echo nas.example >/etc/mailname
echo "127.0.0.1 smtp --port=$port" >/etc/nullmailer/remotes
chmod 644 /etc/nullmailer/remotes
rm -f /var/spool/nullmailer/trigger
mkfifo /var/spool/nullmailer/trigger
chown mail: /var/spool/nullmailer/trigger
su -s /bin/sh mail -c nullmailer-send &`,
    send: 'nullmailer-inject $to <$mail',
    finish: `empty() { test -z "$(ls -A /var/spool/nullmailer/queue)"; }
for _ in $(seq 60); do empty && break; sleep 1; done
echo >/var/spool/nullmailer/trigger
empty && test -z "$(ls -A /var/spool/nullmailer/failed)"`,
  },
  postfix: {
    packages: 'postfix',
    setUp: `cp /usr/share/postfix/main.cf.debian /etc/postfix/main.cf
postconf -e myhostname=nas.example mydestination= "relayhost=[127.0.0.1]:$port" compatibility_level=3.6 \\
  maillog_file=/var/log/postfix.log
postconf -MX smtp/inet
postfix start`,
    send: 'sendmail -i $to <$mail',
    finish: `empty() { postqueue -p | grep -q empty; }
for _ in $(seq 60); do empty && break; sleep 1; done
postqueue -f
empty; left=$?; postfix stop; test $left = 0`,
  },
}

const TYPE = 'MIME-Version: 1.0\nContent-Transfer-Encoding: 8bit\nContent-Type: text/plain; charset='
/** The head after the subject, the body, and the words that must arrive. */
const MAILS: readonly (readonly [head: string, body: Uint8Array, words: string])[] = [
  ['', Buffer.from('The UPS is on battery.'), 'The UPS is on battery.'],
  [`${TYPE}iso-8859-1\n`, Buffer.from('Störung der Heizung', 'latin1'), 'Störung der Heizung'],
  [`${TYPE}gb2312\n`, Buffer.from('b4c5c5ccb9cad5cf', 'hex'), '磁盘故障'],
]

const port = await freePort()
const gateway = await startGateway({ config: { smtp: { port, host: '127.0.0.1' } } })
const { accountId, token } = await gateway.owner()
const phone = await PairedPhone.pair(gateway, accountId)
await phone.connect(gateway.url)
const webhooks = new WebhookCalls(gateway, token)
const wanted = process.argv.slice(2)
for (const [name, mailer] of Object.entries(MAILERS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const startedAt = performance.now()
  const fault = (await makeTree(name, mailer)) ? await faultOf(name, mailer) : 'SKIPPED'
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const result = fault === null ? 'ok' : fault === 'SKIPPED' ? '**** SKIPPED' : 'FAILED'
  console.log(`${result} ${name} (${seconds} s)${fault === null ? '' : `: ${fault}`}`)
  if (result === 'FAILED') process.exitCode = 1
}
await phone.disconnect()
await gateway.stop()

/** Unpacks the tree of a mailer; false: there is none, and none can be made. */
async function makeTree(name: string, { packages }: Mailer): Promise<boolean> {
  mkdirSync(WORK, { recursive: true })
  const { code } = await run(`
    source scripts/service/container.sh
    work=$PWD/${WORK} suite=${SUITE}
    skip() { exit 1; }
    tree_of ${name}- ${packages}
    rm -rf "$work/${name}" && mkdir "$work/${name}"
    tar -xf "$work/${name}-$suite.tar" -C "$work/${name}" --exclude='./dev/*'`)
  return code === 0
}

/** What is wrong with the mails that the mailer sent; null: nothing. */
async function faultOf(name: string, { setUp, send, finish }: Mailer): Promise<string | null> {
  const { id, mailAddress } = await webhooks.create({ maxPerHour: 1000 })
  const root = `${WORK}/${name}`
  mkdirSync(`${root}/mails`)
  for (const [at, [head, body]] of MAILS.entries()) {
    const top = `From: nas <nas@nas.example>\nTo: ${mailAddress}\nSubject: ${name} ${at}\n${head}\n`
    writeFileSync(`${root}/mails/${at}`, Buffer.concat([Buffer.from(top), body, Buffer.from('\n')]))
  }
  const sends = MAILS.map((_, at) => `mail=/mails/${at}\n${send}`)
  const values = `port=${port} to=${mailAddress}`
  writeFileSync(`${root}/mails/send`, ['set -eu', values, setUp, ...sends, finish].join('\n'))
  const before = phone.sent.length
  const { code, output } = await run(`
    unshare --mount --pid --fork --kill-child bash -c '
      mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/run"
      exec chroot "$1" /bin/sh /mails/send' in "$PWD/${root}"`)
  if (code !== 0) return `it ended with ${code}: ${output}`
  const sent = (await phone.whenSent(before + MAILS.length)).slice(before).map(({ message }) => message)
  const right = MAILS.map(([, , words], at) => `${name} ${at}: ${words}`)
  if (sent.sort().join('\n') !== right.sort().join('\n')) return `the phone got ${JSON.stringify(sent)}`
  const { text } = await webhooks.call('GET', `/${id}/triggers`)
  const outcomes = (JSON.parse(text).data.triggers as { outcome: string }[]).map(({ outcome }) => outcome)
  return outcomes.join() === MAILS.map(() => 'TRIGGERED').join() ? null : `the gateway saw ${outcomes.join()}`
}

/** Runs commands of bash to their end, with what they printed. */
async function run(commands: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('bash', ['-c', commands], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => printed.push(String(bytes)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output: printed.join('').trim() }
}
