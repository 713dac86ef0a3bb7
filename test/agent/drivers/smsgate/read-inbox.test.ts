import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incoming } from '#agent/drivers/driver.ts'
import { SMSGATE_INBOX_PAGE } from '#agent/drivers/smsgate/read-inbox.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import type { InboxText } from '#test/kit/smsgate-phone.ts'
import { type SmsgateRig, smsgateRig } from '#test/kit/smsgate-rig.ts'

const options = { timeout: HANGS_AFTER_MS }
const HOUR = 60
/** A text so many minutes after the start of the test, by the clock of its service centre. */
const textAt = (id: string, minute: number): InboxText => ({
  id,
  sender: '+4917012345678',
  contentPreview: `text ${id}`,
  createdAt: new Date(Date.parse('2026-01-31T12:00:00.000Z') + minute * 60_000).toISOString(),
})
const idsOf = ({ messages }: Incoming) => messages.map(({ id }) => id)

/** A phone with texts of its owner, after it was added. */
async function addedPhone(t: Parameters<typeof smsgateRig>[0], owners: readonly InboxText[] = []) {
  const rig = await smsgateRig(t)
  rig.phone.inbox.push(...owners)
  await rig.driver.check()
  const { messages, cursor } = await rig.driver.incoming(null)
  assert.deepEqual(messages, [])
  return { ...rig, cursor }
}

/** Reads until nothing is new, as the agent does. */
async function readAll(driver: SmsgateRig['driver'], from: string | null) {
  const ids: string[] = []
  for (let cursor = from; ; ) {
    const read = await driver.incoming(cursor)
    if (read.messages.length === 0) return { ids, cursor: read.cursor }
    ids.push(...idsOf(read))
    cursor = read.cursor
  }
}

test('each new text is read once, and texts older than the agent are not read', options, async t => {
  const { phone, driver } = await smsgateRig(t)
  phone.inbox.push(textAt('old', 0))
  assert.deepEqual(await driver.incoming(null), { messages: [], cursor: null })
  await driver.check()
  const first = await driver.incoming(null)
  assert.deepEqual(first.messages, [])
  phone.inbox.push(textAt('b', 2), textAt('a', 1), { ...textAt('mms', 2), type: 'MMS' })
  const second = await driver.incoming(first.cursor)
  assert.deepEqual(second.messages, [
    { id: 'a', from: '+4917012345678', message: 'text a', at: '2026-01-31T12:01:00.000Z', simSlot: 1 },
    { id: 'b', from: '+4917012345678', message: 'text b', at: '2026-01-31T12:02:00.000Z', simSlot: 1 },
  ])
  assert.deepEqual(await driver.incoming(second.cursor), { messages: [], cursor: second.cursor })
})

for (const [what, minute] of [
  ['61 minutes older than the newest one', -61],
  ['six days older than the newest one', -6 * 24 * HOUR],
  ['56 years old', -56 * 365 * 24 * HOUR],
] as const)
  test(`a text that is ${what} is read, also behind a full page`, options, async t => {
    const owners = Array.from({ length: 250 }, (_, index) => textAt(`owner ${index}`, -index))
    const { phone, driver, cursor } = await addedPhone(t, owners)
    phone.inbox.push(textAt('newest', 0))
    const first = await readAll(driver, cursor)
    phone.inbox.push(textAt('late', minute))
    const second = await readAll(driver, first.cursor)
    assert.deepEqual([...first.ids, ...second.ids], ['newest', 'late'])
  })

test('a text from the future hides none of those that come after it', options, async t => {
  const { phone, driver, cursor } = await addedPhone(t)
  phone.inbox.push(textAt('future', 7 * HOUR))
  const first = await readAll(driver, cursor)
  phone.inbox.push(textAt('now', 1))
  const second = await readAll(driver, first.cursor)
  assert.deepEqual([...first.ids, ...second.ids], ['future', 'now'])
})

test('a text without a sender, time or words is read', options, async t => {
  const { phone, driver, cursor } = await addedPhone(t)
  phone.inbox.push({ ...textAt('bare', 0), sender: null, createdAt: 'yesterday', simNumber: 9 })
  const { messages } = await driver.incoming(cursor)
  assert.deepEqual(messages, [{ id: 'bare', from: null, message: 'text bare', at: null, simSlot: null }])
})

test('a late text whose coming a deletion hides is read within ten minutes', options, async t => {
  const owners = Array.from({ length: 250 }, (_, index) => textAt(`owner ${index}`, -index))
  const { phone, driver, cursor, clock } = await addedPhone(t, owners)
  phone.inbox.push(textAt('late', -200))
  phone.inbox.splice(0, 1)
  assert.deepEqual(await readAll(driver, cursor), { ids: [], cursor })
  clock.advance(10 * 60_000)
  assert.deepEqual((await readAll(driver, cursor)).ids, ['late'])
})

test('one that is older than a week is read within a day, and after a restart', options, async t => {
  const owners = Array.from({ length: 250 }, (_, index) => textAt(`owner ${index}`, -index * 24 * HOUR))
  for (const isRestart of [false, true]) {
    const rig = await addedPhone(t, owners)
    rig.phone.inbox.push(textAt('late', -200 * 24 * HOUR))
    rig.phone.inbox.splice(0, 1)
    rig.clock.advance(10 * 60_000)
    assert.deepEqual((await readAll(rig.driver, rig.cursor)).ids, [])
    if (!isRestart) rig.clock.advance(24 * HOUR * 60_000)
    const driver = isRestart ? rig.newDriver() : rig.driver
    await driver.check()
    assert.deepEqual((await readAll(driver, rig.cursor)).ids, ['late'])
  }
})

test('while nothing is new, one page is read', options, async t => {
  const owners = Array.from({ length: 250 }, (_, index) => textAt(`owner ${index}`, -index))
  const { phone, driver, cursor } = await addedPhone(t, owners)
  phone.requests.length = 0
  await driver.incoming(cursor)
  assert.deepEqual(phone.requests, ['GET /inbox'])
})

test('an inbox that is longer than a page is read to its end', options, async t => {
  const { phone, driver, cursor } = await addedPhone(t)
  const count = 7 * SMSGATE_INBOX_PAGE + 1
  for (let index = 0; index < count; index++) phone.inbox.push(textAt(`t${index}`, index / 100))
  const { ids } = await readAll(driver, cursor)
  assert.equal(ids.length, count)
  assert.equal(new Set(ids).size, count)
})

test('a phone that falls silent, or deletes a text, while it is added is read again', options, async t => {
  const { phone, driver } = await smsgateRig(t)
  const owners = Array.from({ length: 250 }, (_, index) => textAt(`owner ${index}`, -index))
  phone.inbox.push(...owners)
  await driver.check()
  const nothing = { messages: [], cursor: null }
  let calls = 0
  phone.fate = () => (++calls === 2 ? 'fail' : 'answer')
  assert.deepEqual(await driver.incoming(null), nothing)
  calls = 0
  phone.fate = () => {
    if (++calls === 2) phone.inbox.shift()
    return 'answer'
  }
  assert.deepEqual(await driver.incoming(null), nothing)
  const { cursor } = await driver.incoming(null)
  assert.deepEqual(await readAll(driver, cursor), { ids: [], cursor })
})

test('what the journal did not keep is read again', options, async t => {
  const { phone, driver, cursor } = await addedPhone(t)
  phone.inbox.push(textAt('a', 0))
  assert.deepEqual(idsOf(await driver.incoming(cursor)), ['a'])
  assert.deepEqual(idsOf(await driver.incoming(cursor)), ['a'])
})

test('after an update of Roost older texts than the last hour stay the owner’s', options, async t => {
  for (const newestMinute of [0, 7 * HOUR]) {
    const { phone, driver } = await smsgateRig(t)
    phone.inbox.push(textAt('owner', -61), textAt('known', newestMinute), textAt('new', -59))
    const newestMs = Date.parse(textAt('', newestMinute).createdAt)
    const old = JSON.stringify({ newestMs, seen: ['known'] })
    await driver.check()
    const { ids, cursor } = await readAll(driver, old)
    assert.deepEqual(ids, ['new'])
    phone.inbox.push(textAt('late', -62))
    assert.deepEqual((await readAll(driver, cursor)).ids, ['late'])
  }
})

test('a new leader hands in what the last one did not, and none of the owner’s', options, async t => {
  const { phone, driver } = await smsgateRig(t)
  phone.inbox.push(textAt('owner', -10), textAt('known', -2), textAt('missed', -3))
  await driver.check()
  const sinceMs = Date.parse(textAt('', -5).createdAt)
  const { ids } = await readAll(driver, JSON.stringify({ sinceMs, seen: ['known'] }))
  assert.deepEqual(ids, ['missed'])
})

test('an update of the app that renames all texts hands in none of the owner’s', options, async t => {
  for (const isRenaming of [true, false]) {
    const { phone, driver, cursor } = await addedPhone(t, [textAt('owner', -300), textAt('owner too', -90)])
    phone.inbox.push(textAt('a', 0))
    const known = await readAll(driver, cursor)
    const inbox = phone.inbox.map(one => ({ ...one, id: isRenaming ? `${one.id} renamed` : one.id }))
    phone.inbox.splice(0, 3, ...inbox, textAt('b', 1), textAt('late', -100))
    phone.version = '1.69.0'
    await driver.check()
    const { ids } = await readAll(driver, known.cursor)
    assert.deepEqual(ids, isRenaming ? ['a renamed', 'b'] : ['late', 'b'])
  }
})

test(
  'an app version without an inbox reports that it receives nothing, and still sends',
  options,
  async t => {
    const { phone, driver } = await smsgateRig(t, { version: '1.52.5' })
    assert.equal(await driver.check(), null)
    assert.match(
      driver.receiveTrouble() ?? '',
      /^received texts do not reach Roost: update SMSGate from 1\.52\.5 to 1\.59\.0 or newer$/,
    )
    assert.deepEqual(await driver.incoming(null), { messages: [], cursor: null })
    assert.ok(!phone.requests.includes('GET /inbox'))
  },
)
