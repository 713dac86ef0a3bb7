import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstOf, MessageQueue, type OpenMessage } from '#domain/message/message-queue.ts'
import { openMessage } from '#test/kit/messages.ts'

/** Messages with these ranks and increasing ids. */
function messages(ranks: readonly (0 | 1 | 2)[]): OpenMessage[] {
  return ranks.map((rank, index) =>
    openMessage({ id: `msg_${String(index).padStart(4, '0')}`, rank, segments: 1 + (index % 3) }),
  )
}

function inOrder(all: Iterable<OpenMessage>): OpenMessage[] {
  return [...all].sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1))
}

const rank = fc.constantFrom<(0 | 1 | 2)[]>(0, 1, 2)
const step = fc.record({ kind: fc.constantFrom('push', 'remove', 'take', 'drain'), at: fc.nat(199) })

test('a queue behaves like a sorted array', () => {
  const steps = fc.array(
    step.map(({ kind, at }) => ({ kind: kind === 'drain' && at > 10 ? 'push' : kind, at })),
    { maxLength: 400 },
  )
  const ranks = fc.array(rank, { minLength: 200, maxLength: 200 })
  fc.assert(
    fc.property(ranks, steps, (ranks, steps) => {
      const all = messages(ranks)
      const queue = new MessageQueue()
      const model = new Set<OpenMessage>()
      for (const { kind, at } of steps) {
        const message = all[at]
        assert.ok(message)
        if (kind === 'push') {
          queue.push(message)
          model.add(message)
        } else if (kind === 'remove') assert.equal(queue.remove(message), model.delete(message))
        else if (kind === 'drain') {
          assert.deepEqual(inOrder(queue.drain()), inOrder(model))
          model.clear()
        } else {
          const first = queue.first()
          assert.equal(first, inOrder(model)[0])
          if (first !== undefined) model.delete(first)
          if (first !== undefined) queue.remove(first)
        }
        assert.equal(queue.length, model.size)
        assert.equal(
          queue.segments,
          [...model].reduce((sum, { segments }) => sum + segments, 0),
        )
      }
      for (const wanted of inOrder(model)) {
        assert.equal(queue.first(), wanted)
        queue.remove(wanted)
      }
      assert.equal(queue.first(), undefined)
    }),
  )
})

test('codes go first, then alerts and high priority, then the rest, first in first out', () => {
  const queue = new MessageQueue()
  for (const message of messages([2, 1, 0, 2, 1, 0])) queue.push(message)
  const order: string[] = []
  for (let first = queue.first(); first !== undefined; first = queue.first()) {
    order.push(`${first.rank}${first.id.slice(-1)}`)
    queue.remove(first)
  }
  assert.deepEqual(order, ['02', '05', '11', '14', '20', '23'])
})

test('a look for a short text costs the same, however many long ones wait', () => {
  const queue = new MessageQueue()
  const long = Array.from({ length: 20_000 }, (_, at) => openMessage({ id: `msg_${at}`, segments: 2 }))
  for (const message of long) queue.push(message)
  let reads = 0
  for (const message of long) {
    const { queue: own } = message
    const get = () => {
      reads += 1
      return own
    }
    Object.defineProperty(message, 'queue', { get })
  }
  assert.equal(queue.firstOfAtMost(1), undefined)
  assert.equal(queue.firstOfAtMost(2), long[0])
  assert.ok(reads < 10, `${reads} messages were looked at`)
})

test('the first of several queue heads has the best rank and age', () => {
  const [a, b, c] = messages([2, 1, 1])
  assert.equal(firstOf([a, undefined, c, b]), b)
  assert.equal(firstOf([undefined]), undefined)
})
