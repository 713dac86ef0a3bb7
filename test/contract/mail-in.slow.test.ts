/** Mails of devices, sent with swaks; slow and rude clients; smuggled mails; floods. */

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { readAlertCases } from '#test/kit/alert-payloads.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { MailClient } from '#test/kit/mail-client.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

const NO_SWAKS =
  spawnSync('swaks', ['--version']).status === 0 ? false : 'swaks is not installed: apt-get install swaks'

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

async function create(fields: object = {}) {
  const { token, id, mailAddress } = await webhooks.create({ maxPerHour: 1000, ...fields })
  assert.ok(token !== null && mailAddress !== null)
  return { token, id, mailAddress }
}

const totalOf = async (id: string) => (await webhooks.find(id)).usage.total

const mailsOfDevices = readAlertCases().get('device-mails') ?? []

test('there are mails of eight families of devices', () => {
  assert.ok(mailsOfDevices.length >= 8)
})

for (const { name, body, text } of mailsOfDevices)
  test(`${name} becomes one text`, { skip: NO_SWAKS, timeout: HANGS_AFTER_MS }, async () => {
    const { token, id, mailAddress } = await create()
    const login = /with AUTH (\w+)$/.exec(name)?.[1]
    const to = login === undefined ? mailAddress : 'alerts@example.net'
    const args = ['--server', `127.0.0.1:${port}`, '--to', to, '--from', 'device@example.net', '--data', '-']
    if (login !== undefined) args.push('--auth', login, '--auth-user', 'nas', '--auth-password', token)
    const swaks = spawn('swaks', args, { stdio: ['pipe', 'pipe', 'inherit'] })
    let said = ''
    swaks.stdout.setEncoding('utf8').on('data', part => {
      said += part
    })
    swaks.stdin.end(body)
    const [code] = await once(swaks, 'close')
    assert.equal(code, 0, said)
    assert.equal(await totalOf(id), 1)
    const { liveKey: key } = await gateway.owner()
    const { json } = await gateway.call('GET', `/api/v1/sms?webhookId=${id}`, { key })
    assert.deepEqual(
      json?.data.map(one => one['message']),
      [text],
    )
  })

test('no order of line ends and dots splits a mail, and each is one trigger', {
  timeout: HANGS_AFTER_MS,
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

test('slow and half-open clients are closed, and keep nobody out', { timeout: HANGS_AFTER_MS }, async t => {
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

test('a flood of mails on all connections is taken one by one, each once', {
  timeout: HANGS_AFTER_MS,
}, async t => {
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
