/**
 * Real mailers of Debian hand mails to a gateway with a phone: `node scripts/check-mailers.ts [NAME…]`. Each
 * sends a plain mail, one in Latin-1 and one in GB 2312, and then runs its queue again. The phone must get
 * each text once, and the gateway must see no mail twice: each got its 250. Exit code 1: a mailer failed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { checkPrograms, type DebianProgram, runInTree } from '#scripts/debian-programs.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

const WORK = 'dist/mailers'

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
const programs = Object.entries(MAILERS).map(([name, mailer]) => [name, { ...mailer, tree: name }] as const)
await checkPrograms({ work: WORK, programs: Object.fromEntries(programs), faultOf })
await phone.disconnect()
await gateway.stop()

/** What is wrong with the mails that the mailer sent; null: nothing. */
async function faultOf(
  name: string,
  { setUp, send, finish }: Mailer & DebianProgram,
  root: string,
): Promise<string | null> {
  const { id, mailAddress } = await webhooks.create({ maxPerHour: 1000 })
  mkdirSync(`${root}/mails`)
  for (const [at, [head, body]] of MAILS.entries()) {
    const top = `From: nas <nas@nas.example>\nTo: ${mailAddress}\nSubject: ${name} ${at}\n${head}\n`
    writeFileSync(`${root}/mails/${at}`, Buffer.concat([Buffer.from(top), body, Buffer.from('\n')]))
  }
  const sends = MAILS.map((_, at) => `mail=/mails/${at}\n${send}`)
  const values = `port=${port} to=${mailAddress}`
  writeFileSync(`${root}/mails/send`, ['set -eu', values, setUp, ...sends, finish].join('\n'))
  const before = phone.sent.length
  const { code, output } = await runInTree(root, '/mails/send').ended
  if (code !== 0) return `it ended with ${code}: ${output}`
  const sent = (await phone.whenSent(before + MAILS.length)).slice(before).map(({ message }) => message)
  const right = MAILS.map(([, , words], at) => `${name} ${at}: ${words}`)
  if (sent.sort().join('\n') !== right.sort().join('\n')) return `the phone got ${JSON.stringify(sent)}`
  const { text } = await webhooks.call('GET', `/${id}/triggers`)
  const outcomes = (JSON.parse(text).data.triggers as { outcome: string }[]).map(({ outcome }) => outcome)
  return outcomes.join() === MAILS.map(() => 'TRIGGERED').join() ? null : `the gateway saw ${outcomes.join()}`
}
