/** Mails over STARTTLS, with the certificate of the gateway's own authority. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { startHttpsGateway } from '#test/kit/https-gateway.ts'
import { MailClient } from '#test/kit/mail-client.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

const MAIL = 'From: ups@example.net\r\nSubject: UPS on battery\r\n\r\nThe UPS rack1 is on battery.'
const HOST = '127.0.0.1'

async function startMailGateway(t: TestContext) {
  const port = await freePort()
  const plainPort = await freePort()
  const gateway = await startHttpsGateway(t, { plainPort, smtp: { port, host: HOST, starttls: true } })
  const { accountId, token } = await gateway.owner()
  await PairedPhone.pair(gateway, accountId)
  const webhooks = new WebhookCalls(gateway, token)
  const { id, mailAddress } = await webhooks.create({})
  assert.ok(mailAddress)
  return { gateway, port, webhooks, id, mailAddress }
}

test('a mail is taken over TLS, and a new certificate serves new connections', async t => {
  const { gateway, port, webhooks, id, mailAddress } = await startMailGateway(t)
  const open = async () => {
    const client = await MailClient.open(port)
    t.after(() => client.close())
    assert.match(await client.say('EHLO device'), /STARTTLS/)
    return client
  }
  const first = await open()
  assert.match(await first.say('STARTTLS'), /^220 /)
  await first.secure(gateway.authority())
  assert.match((await first.send([mailAddress], MAIL)).at(-1) ?? '', /^250 /)
  const old = gateway.authority()
  await gateway.renew({ newAuthority: true })
  const second = await open()
  await second.say('STARTTLS')
  await second.secure(gateway.authority())
  assert.match((await second.send([mailAddress], `${MAIL} Again.`)).at(-1) ?? '', /^250 /)
  const third = await open()
  await third.say('STARTTLS')
  await assert.rejects(third.secure(old), /certificate/)
  for (const line of ['MAIL FROM:<nas>', `RCPT TO:<${mailAddress}>`, 'DATA']) await second.say(line)
  second.end(`${MAIL} It ends with its mail.\r\n.\r\nQUIT\r\n`)
  assert.match(await second.answer(), /^250 /)
  assert.match(await second.answer(), /^221 /)
  await second.closed()
  assert.equal((await webhooks.find(id)).usage.total, 3)
})

test('what is said before TLS, in the same segment or earlier, does not count in it', async t => {
  const { gateway, port, webhooks, id, mailAddress } = await startMailGateway(t)
  const client = await MailClient.open(port)
  t.after(() => client.close())
  await client.say('EHLO device')
  await client.say('MAIL FROM:<a@b>')
  await client.say(`RCPT TO:<${mailAddress}>`)
  const lines = ['MAIL FROM:<a@b>', `RCPT TO:<${mailAddress}>`, 'DATA', 'Subject: injected', '', 'x', '.', '']
  client.write(`STARTTLS\r\n${lines.join('\r\n')}`)
  assert.match(await client.answer(), /^220 /)
  await client.secure(gateway.authority()).catch(() => client.close())
  assert.doesNotMatch(await client.say('DATA'), /^354/)
  assert.equal((await webhooks.find(id)).usage.total, 0)
})

test('without a certificate TLS is not offered', async t => {
  const port = await freePort()
  const gateway = await startGateway({ config: { smtp: { port, host: HOST, starttls: true } } })
  t.after(() => gateway.stop())
  const client = await MailClient.open(port)
  t.after(() => client.close())
  assert.doesNotMatch(await client.say('EHLO device'), /STARTTLS/)
  assert.match(await client.say('STARTTLS'), /^5\d\d /)
})
