/** What the server for mails allows an address and an account, over real sockets. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import { notFound } from '#domain/problem.ts'
import { createLimiterBuffer, openLimiter } from '#rate-limit/limiter.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { MailClient } from '#test/kit/mail-client.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { LargeBodies } from '#transport/http/large-bodies.ts'
import { MailServer } from '#transport/smtp/mail-server.ts'

/** A clock that stands, so that no bucket fills again. */
const STANDING = { wallMs: () => 0, monotonicNs: () => 0n }
const MAIL = 'Subject: UPS\r\n\r\nOn battery.'
const BIG = `Subject: UPS\r\n\r\n${'x'.repeat(70)}`.repeat(2_000)

/** A server whose webhooks are the tokens that begin with `a` or `b`, of two accounts. */
async function start(t: TestContext, trigger: (token: string) => Promise<void> = async () => undefined) {
  const port = await freePort()
  const log: LogEntry[] = []
  const told: unknown[] = []
  const large = new LargeBodies(1)
  const lives: (() => void)[] = []
  const listening = Promise.withResolvers<number | null>()
  const triggered: string[] = []
  const admit = (_: unknown, token: string) => {
    if (!/^[ab]/.test(token)) throw notFound('webhook')
    const run = async () => {
      await trigger(token)
      triggered.push(token)
      return {} as never
    }
    return Object.assign(run, { accountId: token.charAt(0), webhookName: 'alerts', canPlan: true })
  }
  const server = new MailServer(
    { ...CONFIG_DEFAULTS, smtp: { port, host: '127.0.0.1', starttls: false } },
    {
      triggers: { admit },
      limiter: openLimiter(createLimiterBuffer(STANDING), STANDING),
      large,
      writer: { ask: async (_: string, { owner }: { owner: string }) => void told.push(owner) } as never,
      log: entry => log.push(entry),
      after: run => {
        lives.push(run)
        return () => void lives.splice(lives.indexOf(run), 1)
      },
      listening: listening.resolve,
    },
  )
  t.after(() => server.stop())
  assert.equal(await listening.promise, null)
  const open = async (from?: string) => {
    const client = await MailClient.open(port, from)
    t.after(() => client.close())
    return client
  }
  return { open, log, told, large, lives, triggered }
}

test('the last connections are for addresses that have none, and what is turned away is said', async t => {
  const { open, log, told } = await start(t)
  for (let at = 0; at < 12; at++) assert.match((await open(`127.0.0.${2 + (at % 2)}`)).greeting, /^220/)
  assert.match((await open('127.0.0.2')).greeting, /^421 all connections are in use/)
  for (const from of ['127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7'])
    assert.match((await open(from)).greeting, /^220/)
  assert.match((await open('127.0.0.8')).greeting, /^421 all connections are in use/)
  assert.deepEqual(told, [''])
  const said = log.filter(({ event }) => event === 'smtp.turned_away')
  assert.deepEqual(
    said.map(({ fields }) => fields),
    [{ from: '127.0.0.2', open: '127.0.0.2 127.0.0.3' }],
  )
})

test('an address has eight connections, and a minute to name a webhook', async t => {
  const { open, lives } = await start(t)
  const clients = []
  for (let at = 0; at < 8; at++) clients.push(await open())
  assert.match((await open()).greeting, /^421 more than 8 connections from 127\.0\.0\.1/)
  const [first, second] = clients as [MailClient, MailClient]
  await first.say('EHLO device')
  await first.say('MAIL FROM:<a@b>')
  assert.match(await first.say('RCPT TO:<c@x>'), /^550/)
  assert.match(await first.say('RCPT TO:<a1@x>'), /^250/)
  assert.equal(lives.length, 7, 'the first one lives on')
  for (const end of [...lives]) end()
  await second.closed()
  assert.match(await first.say('NOOP'), /^250/)
  assert.match((await open()).greeting, /^220/, 'there is room again')
})

test('eight connections may name webhooks of one account, and the others those of another', async t => {
  const { open } = await start(t)
  const name = async (from: string, token: string) => {
    const client = await open(from)
    await client.say('EHLO device')
    await client.say('MAIL FROM:<a@b>')
    return client.say(`RCPT TO:<${token}@x>`)
  }
  const { most } = ACCOUNT_BOUNDS.mailConnections
  for (let at = 0; at < most; at++) assert.match(await name(`127.0.0.${2 + (at % 2)}`, `a${at}`), /^250/)
  assert.match(await name('127.0.0.4', 'a9'), /^451 more than 8 connections of one account/)
  assert.match(await name('127.0.0.5', 'b1'), /^250/)
})

test('a mail goes to at most twenty webhooks, a few at a time', async t => {
  let running = 0
  let most = 0
  const { open, triggered } = await start(t, async () => {
    running += 1
    most = Math.max(most, running)
    await nextTurn()
    running -= 1
  })
  const to = Array.from({ length: 21 }, (_, at) => `a${at}@x`)
  const answers = await (await open()).send(to, MAIL)
  assert.deepEqual(
    answers.map(answer => answer.slice(0, 3)),
    [...Array.from({ length: 20 }, () => '250'), '452', '250'],
  )
  assert.deepEqual([triggered.length, most], [20, 3])
})

test('above its mails a minute only the account itself is to come again', async t => {
  const { open, told, triggered } = await start(t)
  const client = await open()
  await client.say('EHLO device')
  await client.say(`AUTH PLAIN ${Buffer.from('\0ups\0a1').toString('base64')}`)
  for (let sent = 0; sent < ACCOUNT_BOUNDS.mailsPerMinute.most; sent++)
    assert.match((await client.send(['x@y'], MAIL)).at(-1) ?? '', /^250/)
  assert.match((await client.send(['x@y'], MAIL)).at(-1) ?? '', /^451 more than 120 mails a minute/)
  assert.deepEqual(told, ['a'])
  triggered.length = 0
  const other = await open()
  assert.match((await other.send(['a1@x', 'b1@x'], MAIL)).at(-1) ?? '', /^451/)
  assert.deepEqual(triggered, ['b1'])
  assert.match((await other.send(['b2@x'], MAIL)).at(-1) ?? '', /^250/)
})

test('large mails count as large bodies of the account', async t => {
  const { open, large } = await start(t)
  const readers = Array.from({ length: ACCOUNT_BOUNDS.largeBodies.most }, () => ({}))
  for (const one of readers) assert.ok(large.start(one, 'a'))
  const client = await open()
  assert.match((await client.send(['a1@x'], BIG)).at(-1) ?? '', /^451/)
  assert.match((await client.send(['a1@x'], MAIL)).at(-1) ?? '', /^250/)
  assert.match((await client.send(['b1@x'], BIG)).at(-1) ?? '', /^250/)
  for (const one of readers) large.end(one)
  assert.match((await client.send(['a1@x'], BIG)).at(-1) ?? '', /^250/)
  assert.ok(large.start({}, 'a'), 'what was read is given back')
})

test('a mail above the limit ends its connection before its end', async t => {
  const { open, triggered } = await start(t)
  const client = await open()
  await client.say('EHLO device')
  await client.say('MAIL FROM:<a@b>')
  await client.say('RCPT TO:<a1@x>')
  await client.say('DATA')
  client.write(`Subject: x\r\n\r\n${`${'x'.repeat(998)}\r\n`.repeat(2_200)}`)
  assert.match(await client.answer(), /^552/)
  await client.closed()
  assert.deepEqual(triggered, [])
})

test('a client that ends its half with its mail gets all answers, and the connection ends', async t => {
  const ended = Promise.withResolvers<void>()
  const { open, triggered } = await start(t, () => ended.promise)
  const client = await open()
  const other = await open()
  for (const line of ['EHLO exim', 'MAIL FROM:<>', 'RCPT TO:<a1@x>', 'DATA']) await client.say(line)
  client.end(`${MAIL}\r\n.\r\nQUIT\r\n`)
  // By then the server has read the end.
  for (let at = 0; at < 5; at++) await other.say('NOOP')
  ended.resolve()
  assert.match(await client.answer(), /^250/)
  assert.match(await client.answer(), /^221/)
  await client.closed()
  assert.deepEqual(triggered, ['a1'])
})

test('a client that ends its half within its mail is let go at once, and nothing is triggered', async t => {
  const { open, triggered } = await start(t)
  for (let at = 0; at < 20; at++) {
    const client = await open()
    assert.match(client.greeting, /^220/)
    for (const line of ['EHLO exim', 'MAIL FROM:<>', 'RCPT TO:<a1@x>', 'DATA']) await client.say(line)
    client.end(MAIL)
    await client.closed()
  }
  assert.deepEqual(triggered, [])
})

test('senders and recipients are taken as devices write them', async t => {
  const { open, triggered } = await start(t)
  const client = await open()
  await client.say('HELO device')
  const senders = ['<nas>', 'nas', ' <a@b>', 'a@b', '<>', '', '<My NAS>', '<ups.@x> SIZE=99']
  for (const sender of senders) {
    assert.match(await client.say(`MAIL FROM:${sender}`), /^250/, sender)
    assert.match(await client.say('RSET'), /^250/)
  }
  const tokens = ['<a1@x>', 'a2@x', ' a3@my_nas', '<a4@roost', '<a5>', '<@relay.example:a6@x>']
  await client.say('mail from:<nas>')
  for (const to of tokens) assert.match(await client.say(`rcpt to:${to}`), /^250/, to)
  assert.match(await client.say('RCPT TO:<>'), /^501/)
  await client.say('DATA')
  assert.match(await client.say(`${MAIL}\r\n.`), /^250/)
  assert.deepEqual(triggered, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'])
  const address = 'A0F1'.repeat(10)
  await client.say('MAIL FROM:<nas>')
  for (const to of [address, address.toLowerCase()]) await client.say(`RCPT TO:<${to}@ROOST.LOCAL>`)
  await client.say('DATA')
  await client.say(`${MAIL} Again.\r\n.`)
  assert.deepEqual(triggered.slice(6), [address.toLowerCase()])
})
