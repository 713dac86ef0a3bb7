/**
 * Misbehaving receivers, tested end to end: rows of the outbox, signatures of the pool, sockets, the schedule
 * in the database, and the log that the API shows. Only the clock is fake.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as v from 'valibot'
import { NotificationSender } from '#app/threads/notification-sender.ts'
import type { CommandInput, CommandName, CommandOutput, Writer } from '#contracts/commands.ts'
import { DeliveryResource } from '#contracts/notification.ts'
import type { DeliveryError } from '#contracts/notification-attempt.ts'
import { DAY_MS } from '#domain/time.ts'
import { PoolHost } from '#pool/pool-host.ts'
import { dataDirectory, makeDataDirectory } from '#storage/data-directory.ts'
import { bundled } from '#test/kit/bundle.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { localDeliverer, localReceiver, watchConnections } from '#test/kit/local-delivery.ts'
import { NotifiedWorld } from '#test/kit/notified-world.ts'
import {
  answering,
  type Behaviour,
  closedPort,
  deafPort,
  flooding,
  hangingAfterHeaders,
  resetting,
  silent,
  startTcpReceiver,
  trickling,
} from '#test/kit/rogue-receiver.ts'
import { selfSigned } from '#test/kit/self-signed.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { TestWorld } from '#test/kit/world.ts'
import { NOTIFICATION_ANSWER_BYTES_MAX } from '#transport/notification/deliver.ts'
import { openMailer } from '#transport/notification/open-mailer.ts'

/** A sandbox message to this number fails, which makes one event. */
const FAILING_NUMBER = '+15005550001'
const HOUR_MS = 3_600_000
/** Long enough that receivers which answer do so on a busy machine too. All that hang time out together. */
const TIMEOUT_MS = 2_000
/** The waits before the second attempt, the third and so on, by the contract: each ± 20 %. */
const WAITS_MS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000]
/** The random number for each round of attempts: both ends of the jitter and values between them. */
const ROLLS = [0, 1, 0.5, 0.25, 0.99, 0.01, 0.75, 1]

interface Rogue {
  readonly url: string
  /** The expected result of each attempt. */
  readonly status: number | null
  readonly error: DeliveryError | null
}

async function startRogues(t: TestContext): Promise<Record<string, Rogue>> {
  const urlOf = async (behave: Behaviour) => (await localReceiver(t, behave)).url
  const shakesNoHands = await startTcpReceiver(() => {}, 'https')
  t.after(() => shakesNoHands.close())
  const unsigned = await localReceiver(t, answering(200), selfSigned('receiver.test'))
  const plain = await localReceiver(t, answering(200))
  const loop: Behaviour = ({ headers, path }, response) =>
    answering(302, { location: `http://${headers.host}${path}` })(
      { method: '', headers, path, body: '' },
      response,
    )
  return {
    refuses: {
      url: `http://127.0.0.1:${await closedPort()}/`,
      status: null,
      error: 'CONNECTION_REFUSED',
    },
    'hangs at connect': {
      url: `http://127.0.0.1:${await deafPort(t)}/`,
      status: null,
      error: 'CONNECT_TIMEOUT',
    },
    'hangs in the TLS handshake': { url: shakesNoHands.url, status: null, error: 'CONNECT_TIMEOUT' },
    'takes the request and hangs': { url: await urlOf(silent), status: null, error: 'TIMEOUT' },
    'hangs after its headers': { url: await urlOf(hangingAfterHeaders), status: 200, error: 'TIMEOUT' },
    trickles: { url: await urlOf(trickling(TIMEOUT_MS / 10)), status: 200, error: 'TIMEOUT' },
    'redirects to itself': { url: await urlOf(loop), status: 302, error: null },
    resets: { url: await urlOf(resetting), status: null, error: 'RESET' },
    'has a certificate that nobody signed': { url: unsigned.url, status: null, error: 'TLS_UNTRUSTED' },
    'speaks no TLS': { url: `https://127.0.0.1:${plain.port}/`, status: null, error: 'TLS' },
    'answers 500': { url: await urlOf(answering(500)), status: 500, error: null },
  }
}

/** A sender with real pool, sockets and database. The writer's clock stands still during attempts. */
function startSender(t: TestContext, given: NotifiedWorld) {
  let round = -1
  const pool = new PoolHost({ file: bundled('pool'), threads: 1, faulted: assert.fail })
  const deliverer = localDeliverer(t, {
    exchangeMs: TIMEOUT_MS,
    connectMs: TIMEOUT_MS,
    reportFault: fault => assert.fail(String(fault)),
  })
  const held = new Set<string>()
  let idle = Promise.withResolvers<void>()
  const writer: Writer = {
    async ask<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> {
      const { results } = input as CommandInput<'notification.exchange'>
      const output = given.world.ask(name, input)
      const { deliveries } = output as CommandOutput<'notification.exchange'>
      for (const { id } of results) held.delete(id)
      for (const { id } of deliveries) held.add(id)
      if (held.size === 0) idle.resolve()
      return output
    },
  }
  const sender = new NotificationSender({
    writer,
    deliverer,
    mailer: openMailer({ mail: () => ({ smtp_url: '', from: '' }) }),
    signBatch: batch => pool.run('sign-notifications', batch),
    nowMs: () => given.world.wallMs,
    random: () => ROLLS[round] ?? 0.5,
    faulted: error => assert.fail(String(error)),
  })
  t.after(() => pool.close())
  return {
    /** Sends all that is due now. */
    async sendDue() {
      round += 1
      idle = Promise.withResolvers()
      sender.wake()
      await idle.promise
    },
    stop: () => sender.stop(),
  }
}

/** Sends until nothing is pending, and moves the clock from one attempt to the next. */
async function sendAll(given: NotifiedWorld, sender: ReturnType<typeof startSender>): Promise<void> {
  const { world } = given
  for (;;) {
    await sender.sendDue()
    const pending = given.deliveries().filter(({ status }) => status === 'pending')
    if (pending.length === 0) return
    world.advance(Math.min(...pending.map(({ nextAt }) => nextAt)) - world.wallMs)
  }
}

/** The times between the ends of its attempts. The clock stood still during each attempt. */
function waitsOf({ attemptLog }: DeliveryResource): number[] {
  const ends = attemptLog.map(({ at, durationMs }) => Date.parse(at) + durationMs)
  return ends.slice(1).map((end, index) => end - (ends[index] ?? Number.NaN))
}

function assertSchedule(delivery: DeliveryResource, what: string): void {
  for (const [index, waitMs] of waitsOf(delivery).entries()) {
    const plannedMs = WAITS_MS[index] ?? Number.NaN
    const off = Math.abs(waitMs / plannedMs - 1)
    assert.ok(off <= 0.2 + 1e-9, `${what}: ${waitMs} ms instead of ${plannedMs}`)
  }
}

test('retries keep the schedule for every kind of receiver, and the log shows each result', async t => {
  const folder = temporaryDirectory(t)
  const directory = dataDirectory(folder)
  makeDataDirectory(directory)
  const world = new TestWorld(directory.database)
  world.wallMs = Date.now() - 3 * DAY_MS
  const given = new NotifiedWorld(world)
  const notify = (notificationUrl: string) =>
    given.accept({ test: true, phoneNumber: FAILING_NUMBER, notificationUrl })

  const rogues = await startRogues(t)
  const sockets = watchConnections(t)
  const flood = await localReceiver(t, flooding(10_485_760))
  const startedAt = world.wallMs
  const ill = await localReceiver(t, (request, response) => {
    const status = world.wallMs - startedAt < HOUR_MS ? 500 : 200
    answering(status)(request, response)
  })
  const messages = new Map(Object.entries(rogues).map(([what, { url }]) => [what, notify(url)]))
  const flooded = notify(flood.url)
  const recovered = notify(ill.url)
  world.advance(5_000)

  const sender = startSender(t, given)
  await sendAll(given, sender)
  await sender.stop()
  world.database.close()

  const gateway = await startGateway({ dataDir: folder })
  t.after(() => gateway.stop())
  const { token } = await gateway.owner()
  const logOf = async (messageId: string | undefined) => {
    const answer = await gateway.call('GET', `/api/v1/notifications/deliveries?messageId=${messageId}`, {
      token,
    })
    const [delivery] = v.parse(v.tuple([DeliveryResource]), answer.json?.data)
    return delivery
  }
  for (const [what, { url, status, error }] of Object.entries(rogues)) {
    const delivery = await logOf(messages.get(what))
    assert.deepEqual([delivery.url, delivery.status, delivery.attempts], [url, 'failed', 8], what)
    assert.deepEqual(
      delivery.attemptLog.map(attempt => [attempt.status, attempt.error]),
      Array.from({ length: 8 }, () => [status, error]),
      what,
    )
    assertSchedule(delivery, what)
  }
  const floodLog = await logOf(flooded)
  assert.deepEqual([floodLog.status, floodLog.attempts, floodLog.lastError], ['delivered', 1, null])
  const mostRead = Math.max(...sockets.map(({ bytesRead }) => bytesRead))
  assert.ok(mostRead >= NOTIFICATION_ANSWER_BYTES_MAX, 'the receiver did not send its flood')
  assert.ok(mostRead <= 4 * NOTIFICATION_ANSWER_BYTES_MAX, `${mostRead} bytes of 10 MB were read`)
  const ending = await logOf(recovered)
  assert.deepEqual(
    [ending.status, ending.attemptLog.map(({ status }) => status)],
    ['delivered', [500, 500, 500, 500, 200]],
  )
  assertSchedule(ending, 'answers 500 for an hour')
  assert.equal(ill.requests.length, 5)
})
