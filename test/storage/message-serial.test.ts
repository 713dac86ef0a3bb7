import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSerials, SERIALS_PER_MS } from '#storage/message-serial.ts'
import { openMessageStore } from '#storage/message-writer.ts'
import { Transactor } from '#storage/transaction.ts'
import { storedMessage } from '#test/kit/messages.ts'
import { TestWorld } from '#test/kit/world.ts'

const START = Date.UTC(2026, 0, 1)

/** A table to which one or several processes add messages of given times in milliseconds. */
function rig() {
  const { database } = new TestWorld()
  let made = 0
  const add = (times: readonly number[]) => {
    const store = openMessageStore(database)
    new Transactor(database).transact(tx => {
      for (const createdAt of times) store.insert(tx, storedMessage({ id: `msg_${made++}`, createdAt }))
    })
  }
  const serials = () =>
    database
      .prepare('SELECT serial FROM message ORDER BY id')
      .all()
      .map(row => Number(row['serial']))
  return { database, add, serials }
}

test('a serial is the first free microsecond of the millisecond', () => {
  const { add, serials } = rig()
  add([START, START, START + 1, START])
  const first = START * SERIALS_PER_MS
  assert.deepEqual(serials(), [first, first + 1, first + SERIALS_PER_MS, first + 2])
})

test('after the clock was set back, serials follow the new time, also after a restart', () => {
  const { add, serials } = rig()
  add([START + 5, START + 6, START])
  add([START, START + 5, START + 4, START + 6])
  const ofMs = serials().map(serial => (serial - START * SERIALS_PER_MS) / SERIALS_PER_MS)
  assert.deepEqual(ofMs, [5, 6, 0, 0.001, 5.001, 4, 6.001])
})

test('more than a thousand serials in a millisecond use microseconds of the next one', () => {
  const { add, serials, database } = rig()
  add(Array(SERIALS_PER_MS + 2).fill(START))
  add([START, START + 1, START + 9, START])
  assert.equal(new Set(serials()).size, SERIALS_PER_MS + 6)
  assert.equal(openSerials(database)(START), (START + 1) * SERIALS_PER_MS + 5)
})

test('a clock far in the future still gives a serial', () => {
  const { database } = rig()
  const serialOf = openSerials(database)
  const serials = [serialOf(8.64e15), serialOf(8.64e15), serialOf(-1)]
  assert.equal(new Set(serials).size, 3)
  assert.ok(serials.every(Number.isSafeInteger))
})
