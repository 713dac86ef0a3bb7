import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NewsLane, PHONE_NEWS_ASKED_MAX, PHONE_NEWS_WAITING_MAX } from '#transport/device/roost/news-lane.ts'

/** A lane, and a writer that answers only when told to. */
function openLane(atOnceMax: number) {
  const lane = new NewsLane(atOnceMax)
  const asked: string[] = []
  const answers = new Map<string, () => void>()
  const phone = () => ({ newsWaiting: 0, newsAsked: 0 })
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

test('a connection may let only so much news wait', async () => {
  const { lane, phone, pass, answer } = openLane(1)
  const [flooding, calm] = [phone(), phone()]
  pass(calm, 'hello', true)
  for (let n = 0; n < PHONE_NEWS_WAITING_MAX; n += 1) {
    assert.equal(lane.isFull(flooding), false)
    pass(flooding, `sync ${n}`, true)
  }
  assert.deepEqual([lane.isFull(flooding), lane.isFull(calm)], [true, false])
  await answer('hello')
  assert.equal(lane.isFull(flooding), false)
})

test('a connection may have only so much news with the writer', async () => {
  const { lane, phone, pass, answer } = openLane(1)
  const [flooding, calm] = [phone(), phone()]
  for (let n = 0; n < PHONE_NEWS_ASKED_MAX; n += 1) {
    assert.equal(lane.isFull(flooding), false)
    pass(flooding, `telemetry ${n}`, false)
  }
  assert.deepEqual([lane.isFull(flooding), lane.isFull(calm)], [true, false])
  await answer('telemetry 7')
  assert.equal(lane.isFull(flooding), false)
})
