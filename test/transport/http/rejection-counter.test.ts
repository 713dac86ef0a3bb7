import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandName, Writer } from '#contracts/commands.ts'
import { RejectionCounter } from '#transport/http/rejection-counter.ts'

/** A writer that keeps what it was asked and answers when it is told to. */
class SlowWriter implements Writer {
  readonly asked: unknown[] = []
  readonly #answers: ((error?: Error) => void)[] = []

  ask(_name: CommandName, input: unknown): Promise<never> {
    this.asked.push(input)
    return new Promise((resolve, reject) => {
      this.#answers.push(error => (error === undefined ? resolve(null as never) : reject(error)))
    })
  }

  answer(error?: Error): void {
    this.#answers.shift()?.(error)
  }
}

test('refusals that come while others are counted go together with the next', async () => {
  const writer = new SlowWriter()
  const counter = new RejectionCounter(writer)
  const first = counter.count('a')
  await Promise.resolve()
  const others = ['a', 'b', 'a'].map(id => counter.count(id))
  writer.answer()
  await first
  await Promise.resolve()
  writer.answer()
  await Promise.all(others)
  assert.deepEqual(writer.asked, [
    { counts: [['a', 1]] },
    {
      counts: [
        ['a', 2],
        ['b', 1],
      ],
    },
  ])
})

test('a refusal that could not be counted is a refusal all the same', async () => {
  const writer = new SlowWriter()
  const counter = new RejectionCounter(writer)
  const counted = counter.count('a')
  await Promise.resolve()
  writer.answer(new Error('the disk is full'))
  await counted
  const next = counter.count('a')
  await Promise.resolve()
  writer.answer()
  await next
  assert.equal(writer.asked.length, 2)
})
