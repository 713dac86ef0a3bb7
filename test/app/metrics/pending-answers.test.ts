import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PendingAnswers } from '#app/metrics/pending-answers.ts'

test('each question gets its own answer, in whatever order they come', async () => {
  const pending = new PendingAnswers<string>()
  const ids: number[] = []
  const answers = Promise.all([pending.ask(id => ids.push(id)), pending.ask(id => ids.push(id))])
  pending.settle(ids[1] ?? 0, 'second')
  pending.settle(ids[0] ?? 0, 'first')
  assert.deepEqual(await answers, ['first', 'second'])
})

test('a question without an answer is null after its time limit, and a late answer is dropped', async () => {
  const pending = new PendingAnswers<string>(1)
  let asked = 0
  assert.equal(await pending.ask(id => (asked = id)), null)
  pending.settle(asked, 'late')
})
