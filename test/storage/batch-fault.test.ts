import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandCall, CommandName } from '#contracts/commands.ts'
import type { PhoneFrame } from '#contracts/device-frames.ts'
import { Batch } from '#storage/batch.ts'
import { READS } from '#storage/full-disk.ts'
import { systemSource } from '#storage/source.ts'
import { endOf, openWorld } from '#test/kit/test-phone.ts'
import { HEALTHY_MACHINE } from '#test/kit/watched-world.ts'
import { newsOf } from '#transport/device/roost/frame-translation.ts'

/** A gateway whose next commits fail after all commands ran; the test sets how many. */
function withFaults() {
  const gateway = openWorld(1)
  const { database } = gateway.world
  const [phone] = gateway.phones
  assert.ok(phone)
  let left = 0
  database.function('fail_commit', () => {
    if (left === 0) return 0
    left -= 1
    throw new Error('planted')
  })
  database.exec(`
    CREATE TEMP TRIGGER fail_commit BEFORE UPDATE ON main.commit_count BEGIN SELECT fail_commit(); END`)
  const fail = (times: number) => {
    left = times
  }
  const frame = (frame: PhoneFrame) => {
    const { deviceId, connection } = phone
    return { id: 0, name: 'phone.news', input: { deviceId, connection, news: newsOf(frame) } } as const
  }
  return { ...gateway, phone, fail, frame }
}

test('a sync in a failed batch is processed when it is tried alone', () => {
  const { world, phone, send, stored, message, fail, frame } = withFaults()
  phone.connect()
  const id = send()
  phone.begin(id)
  phone.hello()
  fail(1)
  const messages = [{ messageId: id, attempt: 1, state: 'accepted', code: null } as const]
  const sync = frame({ type: 'sync', messages, more: false })
  const { answers, effects } = world.batch.run([sync, { id: 1, name: 'message.accept', input: message() }])
  assert.deepEqual(
    answers.map(({ ok }) => ok),
    [true, true],
  )
  const told = effects.map(effect => (effect.kind === 'order' ? effect.order.type : effect.kind))
  assert.deepEqual(told.slice(0, 2), ['no', 'synced'])
  assert.equal(endOf(stored(id)), 'queued')
})

test('a sync that fails alone leaves the session unsynced, without offers', () => {
  const { world, phone, send, stored, fail } = withFaults()
  phone.connect()
  const id = send()
  phone.begin(id)
  phone.hello()
  send()
  phone.received()
  fail(1)
  assert.throws(() => phone.sync([{ messageId: id, attempt: 1, state: 'sent', code: null }]))
  world.advance(1000)
  assert.deepEqual(phone.received(), [])
  assert.equal(endOf(stored(id)), 'sending')
})

test('a hello whose transaction failed opens no session', () => {
  const { world, phone, fail } = withFaults()
  fail(1)
  assert.throws(() => phone.hello())
  assert.equal(world.ask('device.list', { accountId: null })[0]?.status, 'offline')
  phone.connect()
  assert.equal(world.ask('device.list', { accountId: null })[0]?.status, 'online')
})

test('rebuilt memory keeps the time to live, whatever the wall clock says', () => {
  const { world, send, stored, message, fail } = withFaults()
  const id = send({ ttlMs: 60_000 })
  world.wallMs += 86_400_000
  fail(1)
  assert.throws(() => world.ask('message.accept', message()))
  world.advance(59_999)
  assert.equal(endOf(stored(id)), 'queued')
  world.advance(1)
  assert.equal(endOf(stored(id)), 'EXPIRED')
})

test('orders of a failed transaction are never sent', () => {
  const { world, phone, send, stored, fail } = withFaults()
  phone.connect()
  const id = send()
  phone.received()
  fail(1)
  assert.throws(() => phone.begin(id))
  assert.deepEqual(phone.received(), [])
  assert.equal(endOf(stored(id)), 'queued')
  world.advance(0)
  assert.deepEqual(phone.received(), ['offer/1'])
})

test('deadlines on a full disk are postponed without a fault until there is space', () => {
  const { world, send, stored } = withFaults()
  const id = send({ ttlMs: 60_000 })
  let full = true
  world.database.function('no_space', () => {
    if (!full) return 0
    throw Object.assign(new Error('planted'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
  })
  world.database.exec(
    'CREATE TEMP TRIGGER no_space BEFORE UPDATE ON main.message BEGIN SELECT no_space(); END',
  )
  world.monoMs += 60_000
  world.wallMs += 60_000
  assert.equal(world.batch.run([]).stalled, true)
  assert.ok((world.batch.nextDeadline ?? Number.POSITIVE_INFINITY) <= world.monoMs)
  assert.deepEqual([endOf(stored(id)), world.faults], ['queued', []])
  full = false
  assert.equal(world.batch.run([]).stalled, false)
  assert.equal(endOf(stored(id)), 'EXPIRED')
})

test('on a full disk reads are answered although what is due and other commands fail', () => {
  const { world, accountId, phone, send, message } = withFaults()
  const { deviceId } = phone
  const { database } = world
  const answered = (...calls: readonly object[]) =>
    world.batch.run(calls.map((call, id) => ({ id, ...call }) as CommandCall)).answers.map(({ ok }) => ok)
  const reads = [
    { name: 'health.list', input: { accountId } },
    { name: 'device.list', input: { accountId } },
    { name: 'device.find', input: { accountId, deviceId } },
  ]
  const write = { name: 'message.accept', input: message({ queueIfOffline: true }) }
  send({ ttlMs: 60_000 })
  const full = () => {
    throw Object.assign(new Error('planted'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
  }
  database.function('no_space', full)
  for (const event of ['INSERT', 'UPDATE'])
    database.exec(
      `CREATE TEMP TRIGGER no_${event} BEFORE ${event} ON main.message BEGIN SELECT no_space(); END`,
    )
  world.monoMs += 60_000
  world.hasRoom = false
  for (let turn = 0; turn < 3; turn += 1)
    assert.deepEqual(answered(write, ...reads), [false, true, true, true], `${turn}`)
  const [problem] = world.ask('health.list', { accountId })
  assert.equal(problem?.code, 'DISK_FULL')
  for (const event of ['INSERT', 'UPDATE']) database.exec(`DROP TRIGGER no_${event}`)
  world.hasRoom = true
  assert.deepEqual(answered(write), [true])
  assert.equal(world.batch.health.isDiskFull, false)
})

test('what is read on a full disk writes nothing', () => {
  const { world, accountId, phone, send } = withFaults()
  const { deviceId } = phone
  const messageId = send()
  const { id: groupId } = world.ask('device-group.create', {
    accountId,
    fields: { name: 'all', devices: [deviceId], fallback: 'any', fallbackAfterMinutes: 5 },
  })
  const inputs: Partial<Record<CommandName, object>> = {
    'device.find': { accountId, deviceId },
    'device-group.find': { accountId, groupId },
    'drill.list': { accountId, deviceId },
    'health.check': HEALTHY_MACHINE,
    'key.list': { email: null },
    'live.join': { accountId, listener: 1, socket: 1 },
    'live.leave': { accountId, listener: 1, socket: 1 },
    'message.forecast': { accountId, messageId, test: false },
    'account.find': { email: 'owner@localhost' },
  }
  const calls = [...READS].map((name, id) => ({ id, name, input: inputs[name] ?? { accountId } }))
  const before = world.database.prepare('SELECT total_changes() AS n').get()
  const { answers } = world.batch.run(calls as CommandCall[])
  assert.deepEqual(
    answers.filter(({ ok }) => !ok),
    [],
  )
  assert.deepEqual(world.database.prepare('SELECT total_changes() AS n').get(), before)
})

test('a phone that disconnects while the disk is full does not count as connected', () => {
  const { world, phone, message } = withFaults()
  const { database } = world
  phone.connect()
  database.function('no_space', () => {
    throw Object.assign(new Error('planted'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
  })
  database.exec('CREATE TEMP TRIGGER no_space BEFORE INSERT ON main.message BEGIN SELECT no_space(); END')
  const { deviceId, connection } = phone
  const { answers } = world.batch.run([
    { id: 0, name: 'message.accept', input: message() },
    { id: 1, name: 'phone.closed', input: { deviceId, connection, silentMs: 0 } },
  ])
  assert.deepEqual(
    answers.map(answer => (answer.ok ? 'ok' : answer.problem.code)),
    ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
  )
  assert.equal(world.ask('device.list', { accountId: null })[0]?.status, 'offline')
})

test('on a full disk a small write does not count as room for messages', () => {
  const { world, message } = withFaults()
  let hasRoom = false
  const { database, settings } = world
  const batch = new Batch({
    database,
    settings,
    source: systemSource(new Uint8Array(32)),
    now: () => ({ wallMs: world.wallMs, monoMs: world.monoMs }),
    hasRoom: () => hasRoom,
    faulted: error => assert.fail(String(error)),
  })
  const limit = (pages: number) => database.exec(`PRAGMA max_page_count = ${pages}`)
  const ask = (name: 'gateway.check' | 'message.accept', input: object) =>
    batch.run([{ id: 0, name, input } as CommandCall]).answers[0]?.ok
  const look = () => ask('gateway.check', {})
  const send = () => ask('message.accept', message({ text: 'x'.repeat(9000) }))
  assert.deepEqual([look(), send()], [true, true])
  limit(1)
  assert.deepEqual([send(), look(), look(), batch.health.isDiskFull], [false, false, false, true])
  limit(1_000_000)
  hasRoom = true
  assert.deepEqual([send(), batch.health.isDiskFull, look()], [true, false, true])
})
