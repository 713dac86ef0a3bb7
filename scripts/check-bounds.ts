/**
 * Shows that no account feels another: `node scripts/check-bounds.ts [--rounds 10]`. Two gateways run beside
 * each other. In one, an account holds all that an account may hold. Sends and alerts of another account are
 * measured in both by turns, so that what else the machine does falls on both alike.
 *
 * Exit code 1: an answer was not 200, sends or alerts took more than twice their time beside the full
 * account, or the gateway did not start with its data within 5 s.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { median, quantile } from '#bench/load/quantiles.ts'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { firstUserId } from '#domain/account/user.ts'
import { Problem } from '#domain/problem.ts'
import { DAY_MS } from '#domain/time.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { type FullRig, fullRig, MADE, type MadeName } from '#test/kit/full-account.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { type Planted, plantRows } from '#test/kit/plant-rows.ts'
import { FIELDS, NO_FACTS } from '#test/kit/webhook-world.ts'
import { TestWorld } from '#test/kit/world.ts'

const RATIO_MAX = 2
const START_MS_MAX = 5000
const STARTS = 3
const SENDS = 40
const ALERTS = 20
/** Alerts of one webhook of which the request is kept. */
const KEPT = 20
/** Nothing listens there, so deliveries go on waiting. */
const DEAD_URL = 'http://127.0.0.1:9/'
const BOUNDS = ACCOUNT_BOUNDS

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } })
const cleaning: (() => unknown)[] = []
try {
  const t = { after: (clean: () => unknown) => cleaning.push(clean) }
  const [empty, full] = [await GatewayProcess.start(t), await GatewayProcess.start(t)]
  await Promise.all([empty.stop(), full.stop()])
  console.log(`the full account holds ${JSON.stringify(fillAccount(full))}`)
  console.log(`start without it, ms: ${(await startMs(empty)).toFixed(0)}`)
  check('start with the full account, ms', await startMs(full), START_MS_MAX)
  await compare(await openDoor(empty), await openDoor(full))
} finally {
  for (const clean of cleaning.reverse()) await clean()
}

/** The processor time that the gateway has used, as Linux counts it: in ticks of 10 ms. */
function cpuMs({ program }: GatewayProcess): number {
  const stat = readFileSync(`/proc/${program.child.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The fastest of some starts: what else the machine does makes a start longer, and never shorter. */
async function startMs(gateway: GatewayProcess): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < STARTS; at++) {
    await gateway.stop()
    await gateway.restart()
    times.push(gateway.readyMs)
    console.log(`  ready after ${gateway.readyMs.toFixed(0)} ms, of which ${cpuMs(gateway)} ms of processors`)
  }
  return Math.min(...times)
}

function check(what: string, found: number, most: number): void {
  const isGood = found <= most
  if (!isGood) process.exitCode = 1
  console.log(`${what}: ${found.toFixed(2)}; at most ${most}${isGood ? '' : ' -- TOO MUCH'}`)
}

interface Door {
  readonly gateway: GatewayProcess
  /** The address of a webhook with a policy. */
  readonly webhook: string
}

async function openDoor(gateway: GatewayProcess): Promise<Door> {
  await gateway.pair('Phone')
  const make = async (path: string, body: object) => {
    const { status, data, error } = await gateway.asOwner('POST', path, body)
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(error)}`)
    return data as { readonly id: string; readonly url: string }
  }
  const { id } = await make('/people', { name: 'Eve', phoneNumber: '+14155550199' })
  const policy = await make('/policies', { name: 'Day', steps: [{ afterMinutes: 0, tell: [id] }] })
  const recipients = ['+14155550123']
  const webhook = { name: 'Rack', recipients, maxPerHour: 1000, policyId: policy.id }
  return { gateway, webhook: gateway.url + (await make('/webhooks', webhook)).url }
}

async function compare(empty: Door, full: Door): Promise<void> {
  const took = { sends: new Map<Door, number[]>(), alerts: new Map<Door, number[]>() }
  for (let round = 0; round <= Number(values.rounds); round++)
    for (const door of round % 2 === 0 ? [empty, full] : [full, empty]) {
      const sends = await timeOf(SENDS, at => send(door, `${round} ${at}`))
      const alerts = await timeOf(ALERTS, at => alert(door, `${round}-${at}`))
      // The first round warms up.
      if (round === 0) continue
      took.sends.set(door, [...(took.sends.get(door) ?? []), ...sends])
      took.alerts.set(door, [...(took.alerts.get(door) ?? []), ...alerts])
    }
  for (const [what, times] of Object.entries(took)) {
    const [without, beside] = [times.get(empty) ?? [], times.get(full) ?? []]
    for (const [name, all] of [
      ['alone', without],
      ['beside the full account', beside],
    ] as const)
      console.log(
        `${what} ${name}, ms: ${median(all).toFixed(2)} (median), ${quantile(all, 0.99).toFixed(2)} (99 %)`,
      )
    check(`${what}, times as long`, median(beside) / median(without), RATIO_MAX)
  }
}

async function timeOf(count: number, call: (at: number) => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    const startedAt = performance.now()
    await call(at)
    times.push(performance.now() - startedAt)
  }
  return times
}

async function send({ gateway }: Door, message: string): Promise<void> {
  await gateway.send(message, { queueIfOffline: true })
}

async function alert({ webhook }: Door, thing: string): Promise<void> {
  const body = JSON.stringify({ status: 'down', monitor: `host-${thing}`, message: 'no answer' })
  const response = await fetch(webhook, { method: 'POST', body })
  if (response.status !== 200) throw new Error(`an alert: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

/** Fills an account of a gateway that does not run. Returns how many rows its large tables have then. */
function fillAccount({ dataDir }: GatewayProcess): Record<string, number> {
  const world = new TestWorld(dataDirectory(dataDir).database)
  world.wallMs = Date.now()
  world.restart()
  const rig = fullRig(world)
  fillIncidents(rig)
  for (const name of Object.keys(MADE) as MadeName[]) {
    const make = MADE[name].prepare(rig)
    for (let number: number = MADE[name].held; number < BOUNDS[name].most; number++)
      if (!isMade(() => make(number))) break
  }
  const people = idsOf(rig, 'person')
  for (const id of idsOf(rig, 'people_group'))
    world.ask('group.update', { accountId: rig.accountId, id, change: { people } })
  plantRequests(rig)
  plantQueues(rig)
  plantSessions(rig)
  const counted = ['message', 'notification_delivery', 'audit', 'incident', 'incident_thing', 'webhook_seen']
  const counts = [...counted, 'device', 'person', 'webhook', 'session'].map(name => [name, rig.rows(name)])
  world.database.close()
  return Object.fromEntries(counts)
}

/** False: there are as many as there may be. */
function isMade(make: () => unknown): boolean {
  try {
    make()
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'CONFLICT') return false
    throw error
  }
}

function idsOf({ world, accountId }: FullRig, table: string): string[] {
  const rows = world.database.prepare(`SELECT id FROM ${table} WHERE account_id = ?`).all(accountId)
  return rows.map(({ id }) => String(id))
}

function lastOf({ world }: FullRig, table: string, column: string): number {
  return Number(world.database.prepare(`SELECT max(${column}) AS n FROM ${table}`).get()?.['n'])
}

function plant({ world }: FullRig, planted: Planted): void {
  plantRows(world.database, planted)
}

/** Open ones with all their things, and closed ones. */
function fillIncidents(rig: FullRig): void {
  const { world, accountId, policyId, alarm, triggerAt } = rig
  const { incidentId } = alarm('first')
  world.ask('incident.close', { accountId, incidentId: incidentId ?? '' })
  plant(rig, {
    table: 'incident',
    count: BOUNDS.closedIncidents.most - 1,
    change: number => ({ id: `inc_0${number}`, number: null, closed_at: world.wallMs - number }),
  })
  const ofOne = BOUNDS.openIncidentsOfWebhook.most
  for (let number = 0; number < ofOne; number++) alarm(`nas${number}`)
  const fields = { ...FIELDS, recipients: [], policyId, maxPerHour: 1000 }
  const { token } = world.ask('webhook.create', { accountId, fields })
  for (let number = ofOne; number < BOUNDS.openIncidents.most; number++) {
    const subject = `nas${number}`
    const facts = { ...NO_FACTS, key: `thing:${subject}`, subject, state: 'firing' as const }
    triggerAt(token ?? '', `DOWN ${subject}`, { facts })
  }
  const open = world.database.prepare('SELECT DISTINCT incident_id AS id FROM incident_thing').all()
  for (const { id } of open)
    plant(rig, {
      table: 'incident_thing',
      like: `incident_id = '${id}'`,
      count: BOUNDS.incidentThings.most - 1,
      change: number => ({ key: `thing:t${number}`, place: number }),
    })
}

function plantRequests(rig: FullRig): void {
  const webhooks = idsOf(rig, 'webhook')
  rig.world.database.exec('DELETE FROM webhook_seen WHERE seq > (SELECT min(seq) FROM webhook_seen)')
  const first = lastOf(rig, 'webhook_seen', 'seq')
  const count = webhooks.length * KEPT
  // What was read in a body, and its headers, take some bytes, too.
  const body = 'x'.repeat(Math.floor(BOUNDS.alertBodyBytes.most / count) - 10)
  plant(rig, {
    table: 'webhook_seen',
    count,
    change: number => ({ seq: first + number, webhook_id: webhooks[number % webhooks.length], body }),
  })
}

/** Planned texts, deliveries that wait, and the audit list. */
function plantQueues(rig: FullRig): void {
  const { world, accountId } = rig
  world.ask('notification.set', { accountId, url: DEAD_URL, events: ['sms.sent'] })
  const input = { accountId }
  world.batch.run([{ id: 1, name: 'notification.test', input, by: firstUserId(accountId) }])
  const deliveries = lastOf(rig, 'notification_delivery', 'seq')
  plant(rig, {
    table: 'notification_delivery',
    count: BOUNDS.waitingDeliveries.most - 1,
    change: number => ({ seq: deliveries + number, id: `evt_${number}`, subject_id: `msg_${number}` }),
  })
  const entries = lastOf(rig, 'audit', 'seq')
  plant(rig, {
    table: 'audit',
    like: `account_id = '${accountId}'`,
    count: BOUNDS.auditEntries.most - 1,
    change: number => ({ seq: entries + number }),
  })
  const planned = messageToAccept(accountId, { sendAt: world.wallMs + 7 * DAY_MS })
  const { messageId } = acceptedIn(world.ask('message.accept', planned))
  const texts = lastOf(rig, 'message', 'serial')
  plant(rig, {
    table: 'message',
    like: `id = '${messageId}'`,
    count: BOUNDS.openTexts.most - world.batch.fleet.openCount(accountId),
    change: number => ({ serial: texts + number, id: `msg_0${String(number).padStart(25, '0')}` }),
  })
}

function plantSessions(rig: FullRig): void {
  const { world, accountId } = rig
  const userId = firstUserId(accountId)
  const opened = { userId, tokenVersion: 0, address: '192.0.2.1', browser: 'Firefox' }
  world.ask('session.open', opened)
  const users = idsOf(rig, 'user')
  plant(rig, {
    table: 'session',
    like: `user_id = '${userId}'`,
    count: users.length * BOUNDS.sessionsOfUser.most - 1,
    change: number => ({
      id: `ses_${number}`,
      user_id: users[number % users.length],
      cookie_hash: randomBytes(32),
      half_hash: randomBytes(32),
    }),
  })
}
