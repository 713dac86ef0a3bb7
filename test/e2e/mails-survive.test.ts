import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '#test/kit/free-ports.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { MailClient } from '#test/kit/mail-client.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { sized } from '#test/kit/test-size.ts'

const ROUNDS = sized(3, 20)
/** Devices that send mails while the gateway is killed. */
const FLOOD = 6

test('a mail that was answered with 250 is a text after a kill, and one text', {
  timeout: HANGS_AFTER_MS,
}, async t => {
  const port = await freePort()
  const env = { ROOST_SMTP__PORT: String(port), ROOST_SMTP__HOST: '127.0.0.1' }
  const gateway = await GatewayProcess.start(t, { env })
  await gateway.pair('Shelf')
  const fields = { name: 'UPS', recipients: ['+14155550123'], maxPerHour: 1000 }
  const { data } = await gateway.asOwner('POST', '/webhooks', fields)
  const { mailAddress } = data as { mailAddress: string }
  const answered: string[] = []
  // Mails are on their way at the kill; they may be lost, or taken without an answer, but never be two texts.
  const tried: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const client = await MailClient.open(port)
    const name = `rack-${String(round).padStart(2, '0')}`
    const answers = await client.send([mailAddress], `Subject: DOWN ${name}\r\n\r\n${name} is down.`)
    assert.match(answers.at(-1) ?? '', /^250 /)
    answered.push(name)
    const flood = await Promise.all(Array.from({ length: FLOOD }, () => MailClient.open(port)))
    const firstAnswer = Promise.withResolvers<void>()
    const sending = flood.map(async (device, at) => {
      for (let count = 0; ; count += 1) {
        const thing = `host-${round}-${at}-${count}-x`
        tried.push(thing)
        const said = await device.send([mailAddress], `Subject: DOWN ${thing}\r\n\r\n${thing} is down.`)
        if (!said.at(-1)?.startsWith('250')) return
        answered.push(thing)
        firstAnswer.resolve()
      }
    })
    await firstAnswer.promise
    await gateway.kill()
    await Promise.all(sending)
    for (const one of [client, ...flood]) one.close()
    await gateway.restart()
  }
  const texts = (await gateway.messages()).map(({ message }) => String(message))
  const textsOf = (name: string) => texts.filter(text => text.includes(name)).length
  for (const name of answered) assert.equal(textsOf(name), 1, name)
  for (const name of tried) assert.ok(textsOf(name) <= 1, name)
})
