/**
 * Kills a gateway that sends notifications, with SIGKILL and at random moments, start-up included, and then
 * compares what is in its database with what a healthy receiver got.
 */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { watch } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { type Cleaner, GatewayProcess } from '#test/kit/gateway-process.ts'
import { Random } from '#test/kit/random.ts'
import { answering, type ReceivedRequest, startReceiver } from '#test/kit/rogue-receiver.ts'

/**
 * A gateway is killed after this many events at most. An event is an answer to a client, a request to the
 * receiver, or an answer of the receiver.
 */
const EVENTS_MAX = 160
/** Messages in flight: accepted and not yet delivered. */
const IN_FLIGHT = 20
/** The share of starts during which the gateway is killed. */
const KILLED_STARTS_SHARE = 1 / 5
/** During such a start the gateway is killed after this many changes of its data directory at most. */
const START_CHANGES_MAX = 12

export interface KillReport {
  readonly events: number
  readonly requests: number
  /** Requests that repeat an event. */
  readonly repeated: number
  readonly messages: number
  /** Gateways that were killed before they listened. */
  readonly killedAtStart: number
}

/**
 * `happened`: an event that EVENTS_MAX counts; `delivered`: the receiver got `sms.delivered` for this
 * message.
 */
type Traffic = EventEmitter<{ happened: []; delivered: [string] }>

/** @throws AssertionError when an event did not arrive, or one arrived that is not in the database */
export async function killNotifications(
  t: Cleaner,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<KillReport> {
  const dice = new Random(seed)
  const traffic: Traffic = new EventEmitter()
  const requests: (ReceivedRequest & { verified: boolean })[] = []
  let verifier: Webhook | undefined
  const receiver = await startReceiver((request, response) => {
    requests.push({ ...request, verified: verifies(verifier, request) })
    traffic.emit('happened')
    response.once('finish', () => traffic.emit('happened'))
    answering(204)(request, response)
    const { event, data } = JSON.parse(request.body) as { event: string; data: { messageId: string } }
    if (event === 'sms.delivered') traffic.emit('delivered', data.messageId)
  })
  t.after(() => receiver.close())
  const gateway = await GatewayProcess.start(t, {
    env: { ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '["127.0.0.1"]' },
  })
  const set = { url: receiver.url, events: NOTIFICATION_EVENTS }
  const { data } = await gateway.asOwner('PUT', '/notifications', set)
  verifier = new Webhook((data as { secret: string }).secret)
  const created = await gateway.cli('key', 'create', '--account', 'owner@localhost', '--test')
  gateway.key = String(created['key'])
  const sandbox = new Sandbox(gateway, traffic)
  let killedAtStart = 0
  for (let round = 0; round < rounds; round += 1) {
    await sandbox.loadAndKill(1 + dice.below(EVENTS_MAX))
    while (dice.chance(KILLED_STARTS_SHARE))
      if (await startAndKill(gateway, 1 + dice.below(START_CHANGES_MAX))) killedAtStart += 1
    await gateway.restart()
  }
  await untilSettled(gateway)
  assert.equal(await gateway.stop(), 0)
  const unverified = requests.filter(({ verified }) => !verified).map(({ body }) => body)
  assert.deepEqual(unverified, [], 'bodies whose signature is wrong or too old')
  return { ...compare(gateway, requests), killedAtStart }
}

/** Messages to the sandbox, which advances each message every half second, also across restarts. */
class Sandbox {
  readonly #gateway: GatewayProcess
  readonly #traffic: Traffic
  readonly #open = new Set<string>()
  readonly #delivered = new Set<string>()

  constructor(gateway: GatewayProcess, traffic: Traffic) {
    this.#gateway = gateway
    this.#traffic = traffic
    traffic.on('delivered', messageId => {
      this.#delivered.add(messageId)
      this.#open.delete(messageId)
    })
  }

  /** Keeps IN_FLIGHT messages in flight until this many events have happened. Then kills the gateway. */
  async loadAndKill(events: number): Promise<void> {
    const { program } = this.#gateway
    const sends = new Set<Promise<void>>()
    let left = events
    const happened = () => {
      if (--left === 0) program.child.kill('SIGKILL')
      while (left > 0 && sends.size + this.#open.size < IN_FLIGHT) send()
    }
    const send = () => {
      const sent = this.#gateway.send('hello').then(
        messageId => {
          sends.delete(sent)
          if (!this.#delivered.has(messageId)) this.#open.add(messageId)
          this.#traffic.emit('happened')
        },
        error => {
          sends.delete(sent)
          // The database shows whether a request that the kill interrupted was accepted.
          if (left > 0) throw error
        },
      )
      sends.add(sent)
    }
    this.#traffic.on('happened', happened)
    for (let i = this.#open.size; i < IN_FLIGHT; i += 1) send()
    await program.ended
    this.#traffic.off('happened', happened)
    await Promise.all(sends)
  }
}

/** Starts a gateway and kills it after this many changes of its data directory. True if it never listened. */
async function startAndKill(gateway: GatewayProcess, changes: number): Promise<boolean> {
  let left = changes
  const watcher = watch(gateway.dataDir, () => {
    if (--left === 0) gateway.program.child.kill('SIGKILL')
  })
  const listened = await gateway.restart().then(
    () => true,
    () => false,
  )
  watcher.close()
  // A gateway that ended on its own is a fault.
  assert.equal(await gateway.kill(), 'SIGKILL', gateway.program.stderr.text)
  return !listened
}

/** Waits until no message of the sandbox is open and no notification is pending. */
async function untilSettled(gateway: GatewayProcess): Promise<void> {
  const database = openReadOnly(dataDirectory(gateway.dataDir).database)
  const count = database.prepare(`
    SELECT (SELECT count(*) FROM message WHERE status NOT IN ('delivered', 'failed'))
      + (SELECT count(*) FROM notification_delivery WHERE status = 'pending') AS open`)
  await gateway.until(async () => Number(count.get()?.['open']) === 0)
  database.close()
}

/**
 * Whether the signature of a request is right. Called on arrival, because the library refuses signatures
 * older than five minutes.
 */
function verifies(verifier: Webhook | undefined, { body, headers }: ReceivedRequest): boolean {
  try {
    verifier?.verify(body, headers as Record<string, string>)
    return verifier !== undefined
  } catch {
    return false
  }
}

/** Compares the events in the database with the requests that arrived. */
function compare(
  gateway: GatewayProcess,
  requests: readonly ReceivedRequest[],
): Omit<KillReport, 'killedAtStart'> {
  const database = openReadOnly(dataDirectory(gateway.dataDir).database)
  const bodyById = new Map(
    database
      .prepare('SELECT id, body FROM notification_delivery')
      .all()
      .map(row => [String(row['id']), String(row['body'])]),
  )
  const changes = database
    .prepare(`
      SELECT count(*) AS events, count(DISTINCT message.id) AS messages
      FROM message, json_each(message.timeline)
      WHERE json_extract(value, '$[0]') IN ('sent', 'delivered', 'failed')`)
    .get()
  database.close()
  assert.equal(bodyById.size, Number(changes?.['events']), 'one event for each change of a status')
  const arrived = new Set<string>()
  for (const { headers, body } of requests) {
    const id = String(headers['x-webhook-id'])
    arrived.add(id)
    assert.equal(body, bodyById.get(id), `${id} is unknown or differs from what was written`)
  }
  const missing = [...bodyById.keys()].filter(id => !arrived.has(id))
  assert.deepEqual(missing, [], 'events that never arrived')
  return {
    events: bodyById.size,
    requests: requests.length,
    repeated: requests.length - arrived.size,
    messages: Number(changes?.['messages']),
  }
}
