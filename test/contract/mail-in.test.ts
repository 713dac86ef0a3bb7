/** Mails that trigger webhooks, over real sockets. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { WebhookResource } from '#contracts/webhook.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { MailClient } from '#test/kit/mail-client.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

const HEAD = 'From: ups@example.net\r\nTo: you\r\nSubject: '
const UPS = `${HEAD}UPS on battery\r\n\r\nThe UPS rack1 has switched to battery power.`
const NEWS = `${HEAD}Scan\r\n\r\nThe scanner has a new page for you.`
const TEXT = 'UPS on battery: The UPS rack1 has switched to battery power.'

let gateway: TestGateway
let phone: PairedPhone
let webhooks: WebhookCalls
let port: number

before(async () => {
  port = await freePort()
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

test('a mail to the address of a webhook becomes its text, in every form of the address', async t => {
  const { token, mailAddress, id } = await create({ minSeverity: 'warning' })
  assert.match(mailAddress, /^[0-9a-f]{40}@roost\.local$/)
  const client = await open(t)
  const texts = [`${token}@anything`, mailAddress, `${token}+critical@10.0.0.2.example`].map((to, at) => ({
    to,
    mail: UPS.replace('rack1', `rack${at}`),
    text: TEXT.replace('rack1', `rack${at}`),
  }))
  for (const { to, mail } of texts) assert.match((await client.send([to], mail)).join(), /^250 .*,250 /)
  assert.match((await client.send([`${token}+INFO@x`], NEWS)).join(), /^250 .*,250 /)
  const said = await phone.whenSent(3)
  assert.deepEqual(
    said.map(({ message }) => message),
    texts.map(({ text }) => text),
  )
  // The mail with the severity `info` is below the one that the webhook wants.
  assert.equal((await webhooks.find(id)).usage.total, 3)
})

const TYPE = 'Content-Type: text/plain; charset='
const IN_OTHER_CHARSETS: readonly (readonly [head: string, hex: string, text: string])[] = [
  [`${HEAD}Alarm\r\n${TYPE}iso-8859-1\r\n`, '53 74 f6 72 75 6e 67', 'Alarm: Störung'],
  [`${HEAD}Alarm 15\r\n${TYPE}gb2312\r\n`, 'b4 c5 c5 cc b9 ca d5 cf', 'Alarm 15: 磁盘故障'],
  [`${HEAD}=?iso-8859-1?Q?St=F6rung?=\r\n`, '50 75 6d 70', 'Störung: Pump'],
  ['From: ups@example.net\r\nTo: you\r\n', '50 75 6d 70 20 66 61 69 6c 65 64', 'Pump failed'],
  [`${HEAD}\r\n`, '50 75 6d 70 20 66 61 69 6c 65 64', 'Pump failed'],
  [
    'From: Gate <cam@example.net>\r\nContent-Type: image/jpeg; name=gate.jpg\r\n',
    'ff d8',
    'Mail from Gate: gate.jpg',
  ],
]
test('a mail is read by the charset of its parts, and without a subject it is its text', async t => {
  const client = await open(t)
  await client.say('EHLO device')
  for (const [head, hex, text] of IN_OTHER_CHARSETS) {
    const { token, id } = await create()
    for (const line of ['MAIL FROM:<a@b.example>', `RCPT TO:<${token}@x>`, 'DATA']) await client.say(line)
    client.write(`${head}\r\n`)
    client.write(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
    assert.match(await client.say('\r\n.'), /^250 /)
    const shown = await webhooks.call('GET', `/${id}/triggers`)
    const { triggers, lastBody: body, lastContentType: contentType } = JSON.parse(shown.text).data
    assert.equal(triggers[0]?.message, text, shown.text)
    const preview = await webhooks.call('POST', '/preview', { body, contentType })
    assert.equal(preview.json?.data['message'], text, 'its kept body')
  }
})

test('a mail that comes again by another way is taken once, if it has an id and a date', async t => {
  const client = await open(t)
  const DATE = 'Date: Sat, 28 Nov 2026 10:00:00 +0000'
  const COURSES: readonly (readonly [head: string, count: number])[] = [
    [`Message-ID: <1@nas>\r\n${DATE}`, 2],
    [`Message-ID: <>\r\n${DATE}`, 3],
    ['Message-ID: <1@nas>', 3],
  ]
  for (const [head, count] of COURSES) {
    const { token, id } = await create()
    const mails = [`${head}\r\n${UPS}`, NEWS, `Received: from vm by nas\r\n${head}\r\n${UPS}`]
    for (const mail of mails) assert.match((await client.send([`${token}@x`], mail)).at(-1) ?? '', /^250 /)
    assert.equal((await webhooks.find(id)).usage.total, count, head)
  }
})

test('a login with the token as the password needs no address', async t => {
  const { token, id } = await create()
  const client = await open(t)
  await client.say('EHLO device')
  const plain = Buffer.from(`\0ups\0${token}`).toString('base64')
  assert.match(await client.say(`AUTH PLAIN ${plain}`), /^235 /)
  assert.match((await client.send(['alerts@example.net'], UPS)).at(-1) ?? '', /^250 /)
  const other = await open(t)
  await other.say('EHLO device')
  await other.say('AUTH LOGIN')
  await other.say(Buffer.from('ups').toString('base64'))
  assert.match(await other.say(Buffer.from(token.toLowerCase()).toString('base64')), /^5\d\d /)
  assert.equal((await webhooks.find(id)).usage.total, 1)
})

test('nothing is relayed: unknown tokens and odd severities are refused with a reason', async t => {
  const { token } = await create()
  const client = await open(t)
  const answers = await client.send(
    [`${'x'.repeat(38)}@example.net`, 'bob@example.net', `${token}+loud@x`],
    UPS,
  )
  assert.match(answers[0] ?? '', /^550 .*webhook/)
  assert.match(answers[1] ?? '', /^550 .*webhook/)
  assert.match(answers[2] ?? '', /^550 .*\+loud is no severity: use \+info, \+warning, \+critical/)
  assert.match(await client.say('DATA'), /^503 /)
})

test('a wrong sender is refused, and what a limit holds back is taken', async t => {
  const shut = await create({ allowedIps: ['192.0.2.1'] })
  const capped = await create({ maxPerHour: 1 })
  const client = await open(t)
  assert.match((await client.send([`${shut.token}@x`], UPS)).at(-1) ?? '', /^550 .*allowedIps/)
  assert.match((await client.send([`${capped.token}@x`], UPS)).at(-1) ?? '', /^250 /)
  assert.match((await client.send([`${capped.token}@x`], `${UPS} Again.`)).at(-1) ?? '', /^250 /)
  assert.equal((await webhooks.find(capped.id)).usage.rejected, 1)
})

test('a mail for more texts than the day has left is to come again', async t => {
  const { accountId, token } = await gateway.account('small@example.net', 'free')
  const spare = await PairedPhone.pair(gateway, accountId)
  await spare.connect(gateway.url)
  t.after(() => spare.disconnect())
  const recipients = Array.from({ length: 11 }, (_, at) => `+1415555${1000 + at}`)
  const { token: webhookToken } = await create({ recipients }, new WebhookCalls(gateway, token))
  const client = await open(t)
  assert.match((await client.send([`${webhookToken}@x`], UPS)).at(-1) ?? '', /^451 .*day/)
})

test('commands that come all at once are carried out one after the other', async t => {
  const { token, id } = await create()
  const client = await open(t)
  await client.say('EHLO device')
  client.write(`MAIL FROM:<a@b>\r\nRCPT TO:<${token}@x>\r\nRCPT TO:<bob@x>\r\nDATA\r\n`)
  const said = [await client.answer(), await client.answer(), await client.answer(), await client.answer()]
  assert.deepEqual(
    said.map(answer => answer.slice(0, 3)),
    ['250', '250', '550', '354'],
  )
  client.write(`${UPS}\r\n.\r\nNOOP\r\nQUIT\r\n`)
  assert.match(await client.answer(), /^250 /)
  assert.match(await client.answer(), /^250 /)
  assert.match(await client.answer(), /^221 /)
  assert.equal((await webhooks.find(id)).usage.total, 1)
})

test('without a phone the device is told to come again', async t => {
  const { email, token } = await gateway.account('nobody@example.net')
  assert.ok(email)
  const { token: webhookToken } = await create({}, new WebhookCalls(gateway, token))
  const client = await open(t)
  assert.match((await client.send([`${webhookToken}@x`], UPS)).at(-1) ?? '', /^451 /)
})

test('only a line with a dot between two whole line ends closes a mail', async t => {
  const { token, id } = await create()
  const client = await open(t)
  const lines = ['MAIL FROM:<a@b>', `RCPT TO:<${token}@x>`, 'DATA', 'Subject: smuggled', '', 'x']
  const smuggled = lines.join('\r\n')
  for (const end of ['\n.\n', '\r.\r', '\n.\r\n', '\r\n.\n'])
    assert.match(
      (await client.send([`${token}@x`], `${UPS}${end}${smuggled} ${end.length}`)).at(-1) ?? '',
      /^250 /,
    )
  const { usage } = await webhooks.find(id)
  assert.equal(usage.total, 4)
  assert.match(await client.say('NOOP'), /^250 /)
})

test('a mail of exactly 2 MiB is taken', async t => {
  const { token } = await create()
  const client = await open(t)
  const rest = 2_097_152 - UPS.length - 2
  const line = `${'x'.repeat(998)}\r\n`
  const body = line.repeat(Math.floor(rest / 1000)) + 'x'.repeat(rest % 1000)
  const answers = await client.send([`${token}@x`], `${UPS}\r\n${body.slice(0, -2)}`)
  assert.match(answers.at(-1) ?? '', /^250 /)
  assert.match(await client.say(`MAIL FROM:<a@b> SIZE=2097153`), /^552 /)
})

test('the page about mail says what to type', async () => {
  const { token, mailAddress } = await create()
  const { status, text } = await gateway.call('GET', `/senders/mail?token=${token}`)
  assert.equal(status, 200)
  for (const part of ['127.0.0.1', String(port), mailAddress, token]) assert.ok(text.includes(part), part)
})

async function create(fields: object = {}, calls = webhooks) {
  const webhook: WebhookResource = await calls.create(fields)
  const { token, mailAddress, id } = webhook
  assert.ok(token !== null && mailAddress !== null)
  return { token, mailAddress, id }
}

async function open(t: { after(done: () => void): void }): Promise<MailClient> {
  const client = await MailClient.open(port)
  t.after(() => client.close())
  return client
}
