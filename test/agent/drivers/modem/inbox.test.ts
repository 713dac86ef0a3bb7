import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver } from '#agent/drivers/driver.ts'
import { type ModemRig, modemRig, readyAgain } from '#test/kit/modem/modem-rig.ts'
import { modemManagerMissing } from '#test/kit/modem/modem-world.ts'

const skip = modemManagerMissing()
const at = new Date('2026-01-31T11:59:00.000Z')

/** Reads until there are so many new texts. */
async function readUntil(driver: Driver, count: number, cursor: string | null) {
  const messages = []
  let next = cursor
  while (messages.length < count) {
    const woken = Promise.withResolvers<void>()
    driver.onIncoming?.(woken.resolve)
    const incoming = await driver.incoming?.(next)
    messages.push(...(incoming?.messages ?? []))
    next = incoming?.cursor ?? null
    if (messages.length < count) await woken.promise
  }
  return { messages, cursor: next }
}

test('a received text is handed in once, and deleted after the gateway has it', { skip }, async t => {
  const { driver, modem } = await modemRig(t)
  modem.receive({ from: '+4915100000002', text: 'Grüße 🙂', at })
  const { messages, cursor } = await readUntil(driver, 1, null)
  assert.deepEqual(
    messages.map(({ id, ...rest }) => [/^modem-[\w-]{22}$/.test(id), rest]),
    [[true, { from: '+4915100000002', message: 'Grüße 🙂', at: at.toISOString(), simSlot: null }]],
  )
  assert.deepEqual(await driver.incoming?.(cursor, () => true), { messages: [], cursor })
  assert.equal(modem.memory.size, 1, 'the gateway has not acknowledged it')
  assert.deepEqual(await driver.incoming?.(cursor, () => false), { messages: [], cursor })
  assert.equal(modem.memory.size, 0)
})

test('the parts of a long text come as one', { skip }, async t => {
  const { driver, modem } = await modemRig(t)
  const text = 'äöü'.repeat(60)
  modem.receive({ from: '+4915100000002', text, at, reference: 7 })
  const { messages, cursor } = await readUntil(driver, 1, null)
  assert.equal(messages[0]?.message, text)
  await driver.incoming?.(cursor, () => false)
  assert.equal(modem.memory.size, 0)
})

test('a text that was there before, or comes back after a restart, is not handed in twice', {
  skip,
}, async t => {
  const rig = await modemRig(t, modem => {
    modem.receive({ from: '+4915100000002', text: 'early', at })
  })
  const { driver, modem, world } = rig
  const { messages, cursor } = await readUntil(driver, 1, null)
  assert.equal(messages[0]?.message, 'early')
  await world.killManager()
  await world.startManager()
  await readyAgain(rig)
  assert.deepEqual(await driver.incoming?.(cursor, () => true), { messages: [], cursor })
  assert.equal(modem.memory.size, 1)
  await driver.incoming?.(cursor, () => false)
  assert.equal(modem.memory.size, 0)
})

test('what is left of a text that never becomes complete is deleted after a day', { skip }, async t => {
  const { driver, modem, clock, logged } = await modemRig(t)
  modem.receive({ from: '+4915100000002', text: 'x'.repeat(100), at }, 1)
  await modem.until(() => modem.memory.get(1)?.isRead === true)
  await driver.incoming?.(null)
  clock.advance(86_400_000)
  while (modem.memory.size > 0) await driver.incoming?.(null)
  assert.match(logged.join(), /never became complete/)
})

/** A long text is handed in, and ModemManager dies while it deletes the parts. Returns the cursor. */
async function cutOffDeletion({ driver, modem, world }: ModemRig, reference: number): Promise<string | null> {
  modem.receive({ from: '+4915100000002', text: `${reference}äöü`.repeat(30), at, reference })
  await modem.until(() => [...modem.memory.values()].every(({ isRead }) => isRead))
  const { cursor } = await readUntil(driver, 1, null)
  const { size } = modem.memory
  const deleting = driver.incoming?.(cursor, () => false)
  await modem.until(() => modem.memory.size === size - 1)
  modem.fault = 'hang'
  await world.killManager()
  await deleting
  modem.fault = 'none'
  return cursor
}

test('what a deletion that was cut off has left is deleted after ten minutes', { skip }, async t => {
  const rig = await modemRig(t)
  const { driver, modem, clock, world } = rig
  const cursor = await cutOffDeletion(rig, 300)
  const left = modem.memory.size
  await world.startManager()
  await readyAgain(rig)
  assert.deepEqual(await driver.incoming?.(cursor), { messages: [], cursor })
  clock.advance(599_000)
  await driver.incoming?.(cursor)
  assert.ok(left > 0 && modem.memory.size === left)
  clock.advance(1_000)
  while (modem.memory.size > 0) await driver.incoming?.(cursor)
})

test('also when ModemManager has not read it yet, ten minutes after an earlier one', { skip }, async t => {
  const rig = await modemRig(t)
  const { driver, modem, clock, world } = rig
  const restart = async () => {
    await world.killManager()
    await world.startManager()
    await readyAgain(rig)
  }
  await cutOffDeletion(rig, 300)
  modem.memory.clear()
  await restart()
  await driver.incoming?.(null)
  clock.advance(599_000)
  const cursor = await cutOffDeletion(rig, 301)
  const left = [...modem.memory]
  modem.memory.clear()
  await restart()
  clock.advance(1_000)
  await driver.incoming?.(cursor)
  for (const [index, part] of left) modem.memory.set(index, part)
  await restart()
  await driver.incoming?.(cursor)
  clock.advance(600_000)
  for (let look = 0; look < 5; look++) await driver.incoming?.(cursor)
  assert.deepEqual([left.length > 0, modem.memory.size], [true, 0])
})

test('a text that cannot be deleted does not keep others from it', { skip }, async t => {
  const { driver, modem, logged } = await modemRig(t)
  modem.receive({ from: '+4915100000002', text: 'one', at })
  modem.receive({ from: '+4915100000002', text: 'two', at })
  const { cursor } = await readUntil(driver, 2, null)
  // The modem has lost it, and refuses to delete it.
  modem.memory.delete(1)
  await driver.incoming?.(cursor, () => false)
  assert.equal(modem.memory.size, 0)
  assert.match(logged.join(), /does not delete a text/)
})

test('parts that came at the same moment are read after the modem was switched off and on', {
  skip,
}, async t => {
  const { driver, modem, clock } = await modemRig(t, modem => Object.assign(modem, { isBursty: true }))
  const text = 'äöü'.repeat(60)
  modem.receive({ from: '+4915100000002', text, at })
  await modem.until(() => modem.commands.some(command => command.startsWith('AT+CMGR=')))
  while (modem.memory.size > 0) {
    const incoming = await driver.incoming?.(null)
    if (incoming?.messages.length === 1) return assert.equal(incoming.messages[0]?.message, text)
    clock.advance(30_000)
  }
})
