/** Fills each row of the table of what an account may hold, and asks for one more at its door. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as v from 'valibot'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { CreateGroupRequest } from '#contracts/group.ts'
import { CreatePolicyRequest } from '#contracts/on-call.ts'
import { whyFull } from '#domain/problem.ts'
import { openAuditReader } from '#storage/audit-store.ts'
import { type FullRig, fullRig, MADE, type MadeName } from '#test/kit/full-account.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { plantRows } from '#test/kit/plant-rows.ts'
import { FIELDS } from '#test/kit/webhook-world.ts'

type BoundName = keyof typeof ACCOUNT_BOUNDS

/** Rows whose doors are tested beside them. */
const TESTED_BESIDE: Partial<Record<BoundName, string>> = {
  recipientsOfCall: 'test/contract/dialects/states.test.ts',
  openIncidents: 'test/domain/sending/incident-bounds.test.ts',
  openIncidentsOfWebhook: 'test/domain/sending/incident-bounds.test.ts',
  closedIncidents: 'test/domain/sending/incident-bounds.test.ts',
  incidentThings: 'test/domain/incident/step-incident.test.ts',
  sessionsOfUser: 'test/domain/account/sessions.test.ts',
  sessionCalls: 'test/transport/http/count-call.test.ts',
  phoneFrames: 'test/transport/device/roost/frame-counter.test.ts',
  mailsPerMinute: 'test/transport/smtp/mail-server.test.ts',
  mailConnections: 'test/transport/smtp/mail-server.test.ts',
  largeBodies: 'test/contract/large-bodies.test.ts',
  extraTexts: 'test/domain/sending/text-bounds.test.ts',
  rehearsals: 'test/domain/sending/text-bounds.test.ts',
  sandboxTexts: 'test/domain/sending/accept-message.test.ts',
}
/** What they count does not exist yet. */
const NOTHING_TO_COUNT: readonly BoundName[] = ['drills']

/** Makes things until the account has as many as it may, and sees the refusal of one more. */
function fill(name: MadeName, rig: FullRig): void {
  const bound = ACCOUNT_BOUNDS[name]
  const { held, prepare } = MADE[name]
  const make = prepare(rig)
  for (let number = held; number < bound.most; number++) make(number)
  assert.throws(() => make(bound.most), { code: 'CONFLICT', message: whyFull(bound) })
}

function isMade(name: BoundName): name is MadeName {
  return Object.hasOwn(MADE, name)
}

const NAMED = { name: 'One' }
const ids = (most: number) => Array.from({ length: most }, (_, at) => `per_${String(at).padStart(26, '0')}`)

const OTHERS: Partial<Record<BoundName, (rig: FullRig) => void>> = {
  groupPeople() {
    const isValid = (most: number) => v.safeParse(CreateGroupRequest, { ...NAMED, people: ids(most) })
    const { most } = ACCOUNT_BOUNDS.groupPeople
    assert.ok(isValid(most).success)
    assert.equal(isValid(most + 1).issues?.[0]?.message, `must contain at most ${most} ids`)
  },
  stepTargets() {
    const parse = (tell: string[]) =>
      v.safeParse(CreatePolicyRequest, { ...NAMED, steps: [{ afterMinutes: 0, tell, ring: false }] })
    const { most } = ACCOUNT_BOUNDS.stepTargets
    assert.ok(parse(ids(most)).success)
    assert.match(parse(ids(most + 1)).issues?.[0]?.message ?? '', new RegExp(`at most ${most}`))
    assert.ok(parse(['everyone']).success, '`everyone` is one')
  },
  openTexts({ world, accountId, pairOther }) {
    const send = (different = {}) =>
      world.ask('message.accept', messageToAccept(accountId, { queueIfOffline: true, ...different }))
    const { messageId } = acceptedIn(send({ sendAt: world.wallMs + 86_400_000 }))
    const { most } = ACCOUNT_BOUNDS.openTexts
    const first = Number(world.database.prepare('SELECT max(serial) AS at FROM message').get()?.['at'])
    plantRows(world.database, {
      table: 'message',
      like: `id = '${messageId}'`,
      count: most - 1,
      change: number => ({ id: `msg_0${String(number).padStart(9, '0')}`, serial: first + number }),
    })
    world.restart()
    const refusal = (room: number) => ({
      code: 'SERVICE_UNAVAILABLE',
      message: whyFull({ ...ACCOUNT_BOUNDS.openTexts, most: room }),
      details: { retryAfterS: 60 },
    })
    assert.throws(send, refusal(most))
    send({ priority: 'high' })
    // The first one is cancelled, and then the one of high priority that took its place is too many.
    const cancel = () => world.ask('message.cancel', { accountId, test: false, messageId })
    cancel()
    assert.throws(send, refusal(most))
    Object.assign(world.settings, { messagesOpenMax: 90_000 })
    send({ priority: 'high' })
    const other = pairOther()
    assert.throws(send, refusal(40_500))
    assert.throws(() => send({ priority: 'high' }), refusal(45_000))
    world.ask('message.accept', messageToAccept(other, { queueIfOffline: true }))
  },
  alertBodyBytes({ world, ids, accountId, trigger }) {
    const { most } = ACCOUNT_BOUNDS.alertBodyBytes
    trigger('first')
    const kept = world.database.prepare('SELECT body, seq FROM webhook_seen').get()
    assert.equal(kept?.['body'], 'first')
    const made = Array.from({ length: 80 }, () => world.ask('webhook.create', { accountId, fields: FIELDS }))
    plantRows(world.database, {
      table: 'webhook_seen',
      count: 80,
      change: number => ({
        seq: Number(kept?.['seq']) + number,
        webhook_id: made[number - 1]?.id,
        body: 'x'.repeat(most / 80 - 50),
      }),
    })
    const bytes = () =>
      Number(world.database.prepare('SELECT sum(octet_length(body)) AS n FROM webhook_seen').get()?.['n'])
    const before = bytes()
    trigger('second')
    assert.ok(bytes() > before, 'there is room')
    trigger('x'.repeat(10_000))
    const bodies = world.database.prepare('SELECT body FROM webhook_seen WHERE webhook_id = ?')
    assert.deepEqual(
      bodies.all(ids.webhookId).map(({ body }) => (body === null ? null : String(body).length)),
      [null, 6, 10_000],
      'the oldest went',
    )
    assert.ok(bytes() < most - 900_000)
    world.ask('webhook.remove', { accountId, webhookId: made[79]?.id ?? '' })
    const { total } = world.database
      .prepare("SELECT total FROM temp.account_total WHERE name = 'bodies'")
      .get() as { total: number }
    const rows = world.database.prepare(`SELECT sum(octet_length(body) + octet_length(fields)
      + octet_length(headers)) AS n FROM webhook_seen WHERE body NOT NULL`)
    assert.equal(total, rows.get()?.['n'], 'the total follows a removal')
  },
  waitingDeliveries({ world, accountId }) {
    const { most } = ACCOUNT_BOUNDS.waitingDeliveries
    const events = ['sms.sent'] as const
    world.ask('notification.set', { accountId, url: 'https://receiver.test/', events })
    const add = () => world.ask('notification.test', { accountId }).id
    const oldest = add()
    plantRows(world.database, {
      table: 'notification_delivery',
      count: most - 1,
      change: number => ({ seq: 10 + number, id: `evt_${number}` }),
    })
    const read = world.database.prepare('SELECT status, error FROM notification_delivery WHERE id = ?')
    const statusOf = (id: string) => Object.values(read.get(id) ?? {})
    const newest = add()
    assert.deepEqual(
      [statusOf(oldest), statusOf(newest)],
      [
        ['failed', 'OVERLOADED'],
        ['pending', null],
      ],
    )
    assert.deepEqual(statusOf('evt_1'), ['pending', null])
    world.ask('notification.replay', { accountId, id: oldest })
    assert.deepEqual(statusOf(oldest), ['failed', 'OVERLOADED'], 'it is still the oldest')
    const { replayed } = world.ask('notification.replay-failed', { accountId, since: 0 })
    assert.equal(replayed, 0)
  },
  optOuts({ world, accountId }) {
    const bound = ACCOUNT_BOUNDS.optOuts
    const add = (phoneNumber: string) => world.ask('opt-out.add', { accountId, test: false, phoneNumber })
    add('+14155550100')
    const change = (number: number) => ({ seq: 10 + number, phone_number: `+1212${number}` })
    plantRows(world.database, { table: 'opt_out', count: bound.most - 1, change })
    assert.throws(() => add('+14155550101'), { code: 'CONFLICT', message: whyFull(bound) })
    add('+14155550100')
  },
  receivedTexts({ world, send }) {
    const { most } = ACCOUNT_BOUNDS.receivedTexts
    const receive = (id: string) =>
      send({ type: 'received', id, from: '+14155550199', message: 'Hi', at: null, simSlot: 1 })
    const find = (what: string) =>
      world.database.prepare(`SELECT ${what} AS found FROM received`).get()?.['found']
    receive('first')
    // They are younger.
    const change = (number: number) => ({ id: `x${number}`, phone_message_id: `p${number}` })
    plantRows(world.database, { table: 'received', count: most - 1, change })
    assert.equal(find('count(*)'), most)
    receive('last')
    assert.deepEqual([find('count(*)'), find("sum(phone_message_id = 'first')")], [most, 0])
  },
  auditEntries({ world, accountId }) {
    const { most } = ACCOUNT_BOUNDS.auditEntries
    const note = () => {
      const input = { accountId, name: null }
      world.batch.run([{ id: 1, name: 'device.create-pairing', input, by: 'key_1' }])
    }
    note()
    plantRows(world.database, { table: 'audit', count: most - 1, change: number => ({ seq: 10 + number }) })
    const count = () => Number(world.database.prepare('SELECT count(*) AS n FROM audit').get()?.['n'])
    assert.equal(count(), most)
    note()
    assert.equal(count(), most)
    const read = openAuditReader(world.database)
    const [last] = read({ accountId, since: 0, before: 12, limit: 5 })
    assert.equal(last?.id, '11', 'the first one went')
  },
}

for (const name of Object.keys(ACCOUNT_BOUNDS) as BoundName[]) {
  const run = isMade(name) ? (rig: FullRig) => fill(name, rig) : OTHERS[name]
  const { most } = ACCOUNT_BOUNDS[name]
  if (run !== undefined) test(`an account has at most ${most} of ${name}`, () => run(fullRig()))
}

test('each row of the table is filled by a test', () => {
  for (const name of Object.keys(ACCOUNT_BOUNDS) as BoundName[]) {
    const file = TESTED_BESIDE[name]
    if (file !== undefined)
      assert.match(readFileSync(file, 'utf8'), new RegExp(`ACCOUNT_BOUNDS\\.${name}\\b`))
    else assert.ok(isMade(name) || OTHERS[name] || NOTHING_TO_COUNT.includes(name), name)
  }
})
