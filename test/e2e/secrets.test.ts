import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { plantBadInput } from '#test/kit/plant-bad-input.ts'
import {
  deliverAll,
  type Planting,
  plantCredentials,
  plantDevices,
  plantForwards,
  plantMessages,
  plantNotifications,
  plantReachedPhone,
  plantWebhooks,
} from '#test/kit/plant-secrets.ts'
import { RefusalLog } from '#test/kit/refusal-log.ts'
import { answering, startReceiver } from '#test/kit/rogue-receiver.ts'
import { type Found, type Place, readDataDirectory, SecretHunt } from '#test/kit/secret-hunt.ts'

/** Where each kind of secret may be found, and why. Other kinds may be found nowhere. */
const ALLOWED: Readonly<Record<string, { readonly places: readonly Place[]; readonly why: string }>> = {
  'first sandbox key': { places: ['stdout'], why: 'the first start prints it for the first send' },
  'setup link': { places: ['stdout'], why: 'the first start prints it for the owner' },
  'message text': { places: ['database'], why: 'stored and shown until retention removes it' },
  'received text': { places: ['database'], why: 'the same as for message text' },
  'alert text': { places: ['database'], why: 'it becomes the text of a message' },
  'phone number': { places: ['database'], why: 'the same as for message text; the log masks it' },
  'target secret': { places: ['database'], why: 'notifications are sent there, also after a restart' },
  'signing secret': { places: ['database'], why: 'signing needs the secret, not a hash' },
  'forward credential': { places: ['database'], why: 'the service asks for it, also after a restart' },
  'phone password': { places: ['key files'], why: 'the agent of this phone signs in with it' },
  'session key': { places: ['key files'], why: 'signs account tokens, and must not be in the database' },
  'code key': { places: ['key files'], why: 'encrypts one-time codes, and must not be in the database' },
}
/** Allowed until their messages are final, or for a second after they were replaced. */
const WHILE_OPEN: Readonly<Record<string, string>> = {
  'one-time code': 'the phone has not got the text yet',
  'old target secret': 'in the write-ahead log, which is erased at most once a second',
  'old signing secret': 'the same as for the old target secret',
  'old forward credential': 'the same as for the old target secret',
  'alert field': 'the last body of a removed webhook is in the write-ahead log, too',
}
/** Allowed in the journal of a phone that the gateway connects to, until the final state is acknowledged. */
const IN_JOURNALS = new Set(['message text', 'phone number'])
/** How many messages the phone is offered: two texts, two alerts, and three codes that are the newest. */
const MESSAGES = 7

const settings = {
  ROOST_LOG__LEVEL: 'debug',
  ROOST_HTTP__ANONYMOUS_CALLS_PER_MINUTE: '60000',
  ROOST_DEVICES__SEGMENTS_PER_MINUTE: '6000',
  ROOST_DEVICES__SEGMENTS_BURST: '1000',
  ROOST_DEVICES__ALLOWED_HOSTS: '["127.0.0.1"]',
  ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '["127.0.0.1"]',
}
const gateway = await GatewayProcess.start({ after }, { env: settings })
const receiver = await startReceiver(answering(500, {}, 'refused'))
after(() => receiver.close())
const hunt = new SecretHunt()
const web = new RefusalLog(gateway)
const { token } = await gateway.cli('token', '--account', 'owner@localhost')
const it: Planting = { gateway, hunt, web, token: String(token), key: gateway.key }
const spoken = { metrics: '', openapi: '' }

function look(): Found[] {
  const { stdout, stderr } = gateway.program
  const files = readDataDirectory(gateway.dataDir)
  const texts = { ...spoken, stdout: stdout.text, log: stderr.text, refusals: web.text }
  return hunt.look(
    new Map([
      ...files,
      ...Object.entries(texts).map(([place, text]) => [place as Place, Buffer.from(text)] as const),
    ]),
  )
}

function wordsOf(found: readonly Found[]): string[] {
  const words = found.map(
    ({ kind, place, form, value }) => `${kind} ${value.slice(0, 60)}: ${form} in ${place}`,
  )
  return [...new Set(words)]
}

function leaks(found: readonly Found[]): string[] {
  return wordsOf(found.filter(({ kind, place }) => ALLOWED[kind]?.places.includes(place) !== true))
}

test('secrets are only in the places that need them', { timeout: HANGS_AFTER_MS }, async t => {
  for (const [kind, file] of [
    ['session key', 'jwt-key'],
    ['code key', 'code-key'],
  ] as const) {
    const path = join(gateway.dataDir, 'secrets', file)
    hunt.plantBytes(kind, path)
    assert.equal(statSync(path).mode & 0o777, 0o600)
  }
  await plantCredentials(it)
  const phone = await plantDevices(it)
  await plantNotifications(it, receiver.url)
  await plantForwards(it, phone, receiver.url)
  const reached = await plantReachedPhone(it, t)
  await plantMessages(it, { phone, hook: receiver.url })
  await plantWebhooks(it)
  await plantBadInput(it)

  await t.test('while messages are open', async () => {
    spoken.metrics = (await web.ask('GET', '/metrics')).text
    spoken.openapi = (await web.ask('GET', '/api/v1/openapi.json')).text
    const found = look()
    const isJournalled = (one: Found) => one.place === 'other files' && IN_JOURNALS.has(one.kind)
    const isOpen = (one: Found) => (one.kind in WHILE_OPEN && one.place === 'database') || isJournalled(one)
    assert.deepEqual(leaks(found.filter(one => !isOpen(one))), [])
    const hasCode = found.some(one => isOpen(one) && one.kind === 'one-time code')
    assert.ok(hasCode, 'the search can read open codes in the database')
  })

  await t.test('once they are final', async () => {
    const texts = await deliverAll(phone, MESSAGES)
    // Plants the text with its generated code; the text without the code stays stored.
    for (const text of texts) if (/^Q\w+ \d{6}$/.test(text)) hunt.plant('one-time text', text)
    await gateway.until(async () => leaks(look()).length === 0)
    assert.ok(
      readFileSync(reached.journal, 'utf8').includes(reached.messageId),
      'the search finds the journal',
    )
  })

  await t.test('when the gateway has ended', async () => {
    phone.close()
    assert.equal(await gateway.stop(), 0)
    const found = look()
    assert.deepEqual(leaks(found), [])
    for (const [kind, { places }] of Object.entries(ALLOWED))
      for (const place of places)
        assert.ok(
          found.some(one => one.kind === kind && one.place === place),
          `no ${kind} is found in ${place}: plant one, or remove the line from ALLOWED`,
        )
  })

  assert.ok(hunt.count >= 100, `${hunt.count} secrets`)
  t.diagnostic(`${hunt.count} secrets of ${hunt.kinds.size} kinds, ${web.statuses.length} answers`)
})
