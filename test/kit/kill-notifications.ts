/**
 * Kills a gateway that sends notifications, with SIGKILL and at random moments, start-up included, and then
 * compares what is in its database with what a healthy receiver got.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as passes } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { systemNow } from '#app/clock.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import { dataDirectory, makeDataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { openStorage } from '#storage/open-storage.ts'
import { systemSource } from '#storage/source.ts'
import { answering, type ReceivedRequest, startReceiver } from '#test/kit/rogue-receiver.ts'
import { testSettings } from '#test/kit/world.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** How long a gateway lives once it is ready; the sandbox takes a step each half second, restarts or not. */
const LIFE_MS_MAX = 800
/** Part of the rounds in which it does not get ready. */
const KILLED_AT_START = 0.2
const START_MS = 1_000
const LOOK_MS = 50
const SEND_EVERY_MS = 10

export interface KillReport {
  readonly events: number
  readonly requests: number
  /** Requests beyond the first one of an event. */
  readonly repeated: number
  readonly messages: number
}

interface Prepared {
  readonly accountId: string
  readonly testKey: string
  readonly secret: string
}

/**
 * @param random 0 to 1
 * @throws AssertionError when an event did not arrive, or one arrived that is not in the database
 */
export async function killNotifications(rounds: number, random: () => number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'roost-kill-'))
  let verifier: Webhook | undefined
  const unverified: string[] = []
  const receiver = await startReceiver((request, response) => {
    if (!verifies(verifier, request)) unverified.push(request.body)
    answering(204)(request, response)
  })
  try {
    const prepared = prepare(folder, receiver.url)
    verifier = new Webhook(prepared.secret)
    for (let round = 0; round < rounds; round += 1) {
      const child = start(folder)
      const closed = once(child, 'close')
      const life = live(child, prepared.testKey)
      if (random() < KILLED_AT_START) await passes(random() * START_MS)
      else if (await life.ready) await passes(random() * LIFE_MS_MAX)
      child.kill('SIGKILL')
      await Promise.all([closed, life.over])
    }
    const last = start(folder)
    const url = await readyUrl(last)
    assert.ok(url, 'the last gateway starts')
    await allSettled(folder)
    last.kill('SIGTERM')
    await once(last, 'close')
    assert.deepEqual(unverified, [], 'bodies whose signature is wrong or too old')
    return compare(folder, receiver.requests)
  } finally {
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A database with an account that has its URL registered, made before any gateway runs on it. */
function prepare(folder: string, url: string): Prepared {
  const directory = dataDirectory(folder)
  makeDataDirectory(directory)
  const storage = openStorage(directory, {
    settings: testSettings(),
    source: systemSource(new Uint8Array(32)),
    now: systemNow,
    faulted: error => {
      throw error
    },
  })
  const ask = (name: 'gateway.first-start' | 'notification.set', input: object) => {
    const [answer] = storage.batch.run([{ id: 0, name, input } as never]).answers
    if (!answer?.ok) throw new Error(`${name} was refused`)
    return answer.output as Prepared
  }
  const { accountId, testKey } = ask('gateway.first-start', {})
  const { secret } = ask('notification.set', { accountId, url, events: NOTIFICATION_EVENTS })
  storage.close()
  const config = `data_dir = ${JSON.stringify(folder)}
[http]
host = "127.0.0.1"
port = 0
[notifications]
allowed_hosts = ["127.0.0.1"]
[plans.pro]
sms_per_day = -1
two_factor_per_day = -1
api_calls_per_minute = -1
devices = -1
notifications = true
`
  writeFileSync(join(folder, 'config.toml'), config)
  return { accountId, testKey, secret }
}

function start(folder: string): ChildProcess {
  const args = [MAIN, 'serve', '--json', '--config', join(folder, 'config.toml')]
  return spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
}

/** Where it listens; null when it ends before. */
async function readyUrl(child: ChildProcess): Promise<string | null> {
  if (child.stdout === null) return null
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('{')) return (JSON.parse(line) as { url: string }).url
  return null
}

/** Sends messages from when the gateway is ready until it is dead. */
function live(child: ChildProcess, key: string) {
  const ready = readyUrl(child)
  return { ready, over: ready.then(url => (url === null ? undefined : sendUntilDead(url, key))) }
}

async function sendUntilDead(url: string, key: string): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ phoneNumber: '+14155550123', message: 'hello' })
  try {
    for (;;) {
      await (await fetch(`${url}/api/v1/sms/send`, { method: 'POST', headers, body })).text()
      await passes(SEND_EVERY_MS)
    }
  } catch {
    // Killed: whether the last one was taken is for the database to say.
  }
}

/** Waits until no message of the sandbox is open and no notification is pending. */
async function allSettled(folder: string): Promise<void> {
  const database = openReadOnly(dataDirectory(folder).database)
  const count = database.prepare(`
    SELECT (SELECT count(*) FROM message WHERE status NOT IN ('delivered', 'failed'))
      + (SELECT count(*) FROM notification_delivery WHERE status = 'pending') AS open`)
  while (Number(count.get()?.['open']) > 0) await passes(LOOK_MS)
  database.close()
}

/** On arrival: the library refuses what is five minutes old. */
function verifies(verifier: Webhook | undefined, { body, headers }: ReceivedRequest): boolean {
  try {
    verifier?.verify(body, headers as Record<string, string>)
    return verifier !== undefined
  } catch {
    return false
  }
}

function compare(folder: string, requests: readonly ReceivedRequest[]): KillReport {
  const database = openReadOnly(dataDirectory(folder).database)
  const written = new Map(
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
  assert.equal(written.size, Number(changes?.['events']), 'one event for each change of a status')
  const arrived = new Set<string>()
  for (const { headers, body } of requests) {
    const id = String(headers['x-webhook-id'])
    arrived.add(id)
    assert.equal(body, written.get(id), `${id} was invented or is not what was written`)
  }
  const missing = [...written.keys()].filter(id => !arrived.has(id))
  assert.deepEqual(missing, [], 'events that never arrived')
  return {
    events: written.size,
    requests: requests.length,
    repeated: requests.length - arrived.size,
    messages: Number(changes?.['messages']),
  }
}
