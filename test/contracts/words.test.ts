import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { say } from '#contracts/words.ts'

describe('a sentence', () => {
  const german = {
    tag: 'de',
    number: String,
    words: { '{count} day|{count} days': '{count} Tag|{count} Tage' },
  }

  test('is said in the form for its count, with its values', () => {
    assert.equal(say(german, '{count} day|{count} days', { count: 1 }), '1 Tag')
    assert.equal(say(german, '{count} day|{count} days', { count: 0 }), '0 Tage')
  })

  test('without a translation is said in English', () => {
    assert.equal(say(german, '1 hour|{count} hours', { count: 1 }), '1 hour')
    assert.equal(say(german, 'Ask {name}', { name: 'Ada' }), 'Ask Ada')
  })

  test('has as many forms as its language', () => {
    const polish = {
      tag: 'pl',
      number: String,
      words: { '{count} day|{count} days': '{count} dzień|{count} dni|{count} dni!|{count} dnia' },
    }
    assert.deepEqual(
      [1, 2, 5].map(count => say(polish, '{count} day|{count} days', { count })),
      ['1 dzień', '2 dni', '5 dni!'],
    )
  })
})
