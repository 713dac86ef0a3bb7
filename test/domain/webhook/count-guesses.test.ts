import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#domain/time.ts'
import { guessedSince, NO_TRIGGERS, withGuess } from '#domain/webhook/webhook.ts'
import { startWebhook } from '#test/kit/webhook-world.ts'

test('guesses count for seven days, the current one included, and older days are forgotten', () => {
  const { world, ids, token, trigger, triggerAt } = startWebhook()
  let count = 0
  const guess = () => triggerAt(token, `guess ${++count}`, { guess: true })
  const guessed = () => world.ask('webhook.update', { ...ids, change: {} }).usage.guessed
  guess()
  guess()
  trigger()
  assert.equal(guessed(), 2)
  world.advance(6 * DAY_MS)
  guess()
  assert.equal(guessed(), 3)
  world.advance(DAY_MS)
  assert.equal(guessed(), 1)
  world.restart()
  assert.equal(guessed(), 1)
})

test('no more than seven days are stored', () => {
  let counters = NO_TRIGGERS
  for (let day = 100; day < 130; day += 1) counters = { ...counters, guesses: withGuess(counters, day) }
  assert.equal(Object.keys(counters.guesses).length, 7)
  assert.equal(guessedSince(counters, 0), 7)
})
