/** Mails of eight families of devices, sent with swaks; slow and rude clients; smuggled mails; floods. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { findPort } from '#app/config/find-port.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { MailClient } from '#test/kit/mail-client.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

const NO_SWAKS =
  spawnSync('swaks', ['--version']).status === 0 ? false : 'swaks is not installed (Debian: swaks)'

let gateway: TestGateway
let phone: PairedPhone
let webhooks: WebhookCalls
let port: number

before(async () => {
  port = await findPort({ host: '127.0.0.1', port: 0 })
  gateway = await startGateway({ config: { smtp: { port, host: '127.0.0.1' } } })
  const { accountId, token } = await gateway.owner()
  webhooks = new WebhookCalls(gateway, token)
  phone = await PairedPhone.pair(gateway, accountId)
  await phone.connect(gateway.url)
})
after(async () => {
  await phone.disconnect()
  await gateway.stop()
})

async function create(fields: object = {}) {
  const { token, id, mailAddress } = await webhooks.create({ maxPerHour: 1000, ...fields })
  assert.ok(token !== null && mailAddress !== null)
  return { token, id, mailAddress }
}

const totalOf = async (id: string) => (await webhooks.find(id)).usage.total

const base64 = (text: string) => Buffer.from(text).toString('base64')
const lines = (...all: string[]) => all.join('\r\n')
const html = (body: string) => `<html><head><style>p{color:red}</style></head><body>${body}</body></html>`

/** How the mails of eight families look: encodings, parts, logins; and a word of their text. */
const FAMILIES: readonly { name: string; login?: boolean; mail: string; says: RegExp }[] = [
  {
    name: 'a NAS from Synology: HTML in base64, with a login',
    login: true,
    mail: lines(
      'From: "NAS" <nas@example.net>',
      `Subject: =?UTF-8?B?${base64('[NAS] Volume 1 degraded')}?=`,
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=UTF-8',
      'Content-Transfer-Encoding: base64',
      '',
      base64(html('<p>Volume 1 on NAS has <b>degraded</b>.</p>')),
    ),
    says: /Volume 1/,
  },
  {
    name: 'a NAS from QNAP: two alternatives',
    mail: lines(
      'From: qnap@example.net',
      'Subject: [Warning] Notification from NAS02',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary="=_q"',
      '',
      '--=_q',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Severity: Warning',
      'Message: [Hardware Status] Disk 3 is not responding.',
      '--=_q',
      'Content-Type: text/html; charset=utf-8',
      '',
      html('<p>Disk 3 is not responding.</p>'),
      '--=_q--',
    ),
    says: /Disk 3/,
  },
  {
    name: 'a UPS from APC: bare text without MIME',
    mail: lines(
      'From: apc@ups1',
      'To: x',
      'Subject: UPS: On battery power',
      '',
      'UPS: On battery power in response to a power failure.',
    ),
    says: /On battery power/,
  },
  {
    name: 'a UPS from Eaton: Latin-1 in quoted-printable',
    mail: lines(
      'From: eaton@example.net',
      'Subject: =?ISO-8859-1?Q?USV_K=FCche:_Netzausfall?=',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=ISO-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Die USV in der K=FCche l=E4uft auf Batterie, noch 40=',
      ' Minuten.',
    ),
    says: /Küche/,
  },
  {
    name: 'a camera from Hikvision: a picture beside it',
    mail: lines(
      'From: cam@example.net',
      'Subject: Embedded Net DVR: Motion Detected On Channel D1',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="c"',
      '',
      '--c',
      'Content-Type: text/plain; charset="gb2312"',
      '',
      'This is an automatically generated e-mail from your DVR.',
      'EVENT TYPE: Motion Detected',
      'DVR NAME: Entrance',
      '--c',
      'Content-Type: image/jpeg; name="a.jpg"',
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: attachment; filename="a.jpg"',
      '',
      base64('x'.repeat(4000)).replace(/.{76}/g, '$&\r\n'),
      '--c--',
    ),
    says: /Motion Detected/,
  },
  {
    name: 'a printer from Brother: short, with odd headers',
    mail: lines(
      'From: <printer@example.net>',
      'Subject: Toner Low',
      'X-Mailer: Brother',
      '',
      'Toner Low: replace toner BK',
      'Node: BRN001BA9',
    ),
    says: /Toner Low/,
  },
  {
    name: 'a FRITZ!Box: UTF-8 as 8bit',
    mail: lines(
      'From: FRITZ!Box <fritz@example.net>',
      'Subject: FRITZ!Box-Info: Internetverbindung wurde getrennt',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=UTF-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      'Die Internetverbindung für „Zuhause“ wurde getrennt.',
    ),
    says: /Internetverbindung/,
  },
  {
    name: 'a server’s board (iLO, iDRAC): a dot at the start of a line',
    mail: lines(
      'From: idrac@example.net',
      'Subject: iDRAC Alert: PSU 2 failed',
      '',
      '. PSU 2 has failed.',
      '.',
      'Redundancy is lost.',
    ),
    says: /PSU 2/,
  },
]

for (const { name, login = false, mail, says } of FAMILIES)
  test(`${name} becomes one text`, { skip: NO_SWAKS, timeout: 60_000 }, async () => {
    const { token, id, mailAddress } = await create()
    const to = login ? 'alerts@example.net' : mailAddress
    const args = ['--server', `127.0.0.1:${port}`, '--to', to, '--from', 'device@example.net', '--data', '-']
    if (login) args.push('--auth', 'LOGIN', '--auth-user', 'nas', '--auth-password', token)
    const swaks = spawn('swaks', args, { stdio: ['pipe', 'pipe', 'inherit'] })
    let said = ''
    swaks.stdout.setEncoding('utf8').on('data', text => {
      said += text
    })
    swaks.stdin.end(mail)
    const [code] = await once(swaks, 'close')
    assert.equal(code, 0, said)
    assert.equal(await totalOf(id), 1)
    const { json } = await gateway.call('GET', '/api/v1/sms?limit=1', {
      key: (await gateway.owner()).liveKey,
    })
    assert.match(String(json?.data[0]?.['message']), says)
  })

test('no order of line ends and dots splits a mail, and each is one trigger', {
  timeout: 120_000,
}, async t => {
  const { token, id } = await create()
  const client = await MailClient.open(port)
  t.after(() => client.close())
  const ends = ['\r\n', '\n', '\r', '\n\r', '\r\r\n', '\n\n', '\r\n\r']
  const pairs = ends.flatMap(first => ends.map(second => `${first}.${second}`))
  const around = pairs.filter(end => !end.includes('\r\n.\r\n'))
  for (const [at, end] of [...around, '\r\n.\0\r\n', '\r\n. \r\n', '\r\n..\r\n'].entries()) {
    const inner = `MAIL FROM:<a@b>\r\nRCPT TO:<${token}@x>\r\nDATA\r\nSubject: smuggled\r\n\r\nsmuggled`
    const answers = await client.send([`${token}@x`], `Subject: DOWN ${at}\r\n\r\nbody ${at}${end}${inner}`)
    assert.match(answers.at(-1) ?? '', /^250 /, JSON.stringify(end))
    assert.equal(await totalOf(id), at + 1, JSON.stringify(end))
  }
  assert.match(await client.say('NOOP'), /^250 /)
})

test('slow and half-open clients are closed, and keep nobody out', { timeout: 120_000 }, async t => {
  const { token, id } = await create()
  const open = async () => {
    const client = await MailClient.open(port)
    t.after(() => client.close())
    return client
  }
  const [silent, half, slow, next] = [await open(), await open(), await open(), await open()]
  half.write('EHLO dev')
  await slow.say('EHLO device')
  await slow.say('MAIL FROM:<a@b>')
  await slow.say(`RCPT TO:<${token}@x>`)
  await slow.say('DATA')
  slow.write('Subject: half a mail')
  assert.match((await next.send([`${token}@x`], 'Subject: DOWN\r\n\r\nnas')).at(-1) ?? '', /^250 /)
  await Promise.all([silent.closed(), half.closed(), slow.closed()])
  assert.equal(await totalOf(id), 1, 'half a mail is none')
})

test('a flood of mails on all connections is taken one by one, each once', { timeout: 120_000 }, async t => {
  const { token, id } = await create()
  const clients = await Promise.all(Array.from({ length: 8 }, () => MailClient.open(port)))
  for (const client of clients) t.after(() => client.close())
  const flood = clients.map(async (client, at) => {
    for (let count = 0; count < 10; count++) {
      const answers = await client.send([`${token}@x`], `Subject: DOWN host-${at}-${count}\r\n\r\nx`)
      assert.match(answers.at(-1) ?? '', /^250 /)
    }
  })
  await Promise.all(flood)
  assert.equal(await totalOf(id), 80)
})
