import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEWS_OF_ACCOUNT_MAX, NewsLane, PHONE_NEWS_MAX } from '#transport/device/roost/news-lane.ts'

/** A lane, and a writer that answers only when told to. */
function openLane(atOnceMax: number) {
  const lane = new NewsLane(atOnceMax)
  const asked: string[] = []
  const answers = new Map<string, () => void>()
  const phone = (accountId = 'acc_1') => ({ accountId, newsWaiting: 0, newsAsked: 0 })
  const pass = (source: ReturnType<typeof phone>, name: string, isReturn: boolean) =>
    lane.pass({ source, isReturn }, () => {
      asked.push(name)
      return new Promise<void>(resolve => answers.set(name, resolve))
    })
  const answer = async (name: string) => {
    answers.get(name)?.()
    await Promise.resolve()
  }
  return { lane, asked, phone, pass, answer }
}

test('only some phones return at once, and the others follow in order', async () => {
  const { asked, phone, pass, answer } = openLane(2)
  for (const name of ['a', 'b', 'c', 'd']) pass(phone(), name, true)
  assert.deepEqual(asked, ['a', 'b'])
  await answer('b')
  assert.deepEqual(asked, ['a', 'b', 'c'])
  await answer('a')
  await answer('c')
  assert.deepEqual(asked, ['a', 'b', 'c', 'd'])
})

test('other news waits only behind earlier news of its own connection', async () => {
  const { asked, phone, pass, answer } = openLane(1)
  const [first, second] = [phone(), phone()]
  pass(first, 'first hello', true)
  pass(second, 'second hello', true)
  pass(second, 'second report', false)
  pass(first, 'first report', false)
  assert.deepEqual(asked, ['first hello', 'first report'])
  await answer('first hello')
  assert.deepEqual(asked, ['first hello', 'first report', 'second hello', 'second report'])
  pass(second, 'second begin', false)
  assert.equal(asked.at(-1), 'second begin')
})

test('a lane that was opened holds nothing back', () => {
  const { lane, asked, phone, pass } = openLane(1)
  for (const name of ['a', 'b', 'c']) pass(phone(), name, true)
  lane.open()
  pass(phone(), 'd', true)
  assert.deepEqual(asked, ['a', 'b', 'c', 'd'])
})

test('a connection may have only so much news that is not answered', async () => {
  const { lane, phone, pass, answer } = openLane(1)
  const [flooding, calm] = [phone(), phone()]
  for (let n = 0; n < PHONE_NEWS_MAX; n += 1) {
    assert.equal(lane.isFull(flooding), false)
    pass(flooding, `telemetry ${n}`, false)
  }
  assert.deepEqual([lane.isFull(flooding), lane.isFull(calm)], [true, false])
  await answer('telemetry 7')
  assert.equal(lane.isFull(flooding), false)
})

test('the phones of an account have only so much news with the writer, and others do not wait', async () => {
  const { asked, phone, pass, answer } = openLane(4)
  const [one, two] = [phone(), phone()]
  for (let n = 0; n < NEWS_OF_ACCOUNT_MAX; n += 1) pass(n % 2 ? one : two, `${n}`, false)
  pass(one, 'waits', false)
  pass(two, 'waits, too', false)
  pass(phone('acc_2'), 'of another', false)
  assert.deepEqual(asked.slice(NEWS_OF_ACCOUNT_MAX), ['of another'])
  await answer('5')
  assert.deepEqual(asked.slice(NEWS_OF_ACCOUNT_MAX), ['of another', 'waits'])
  await answer('4')
  assert.equal(asked.at(-1), 'waits, too')
})

test('accounts take turns when their phones return', async () => {
  const { asked, phone, pass, answer } = openLane(1)
  for (const name of ['a1', 'a2', 'a3', 'a4']) pass(phone('acc_a'), name, true)
  for (const name of ['b1', 'b2']) pass(phone('acc_b'), name, true)
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await answer(name)
  assert.deepEqual(asked, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
})
