import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { OpenExchanges } from '#transport/http/open-exchanges.ts'

const MS_MAX = 15_000

function startClock(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  const exchanges = new OpenExchanges(MS_MAX, () => nowMs)
  const told: string[] = []
  const open = (name: string) => {
    const exchange = {
      expire: () => void told.push(`${name} expired at ${nowMs}`),
      renew: () => void told.push(`${name} renewed at ${nowMs}`),
    }
    exchanges.add(exchange)
    return exchange
  }
  const passTo = (ms: number) => {
    for (; nowMs < ms; t.mock.timers.tick(1)) nowMs += 1
  }
  return { exchanges, open, passTo, told }
}

test('each exchange is renewed and expires at its own time, by one timer', t => {
  const { open, passTo, told } = startClock(t)
  open('a')
  passTo(100)
  open('b')
  passTo(30_000)
  assert.deepEqual(told, [
    'a renewed at 5000',
    'b renewed at 5100',
    'a renewed at 10000',
    'b renewed at 10100',
    'a expired at 15000',
    'b expired at 15100',
  ])
})

test('an answered exchange does not expire, and the next one still expires in time', t => {
  const { exchanges, open, passTo, told } = startClock(t)
  const answered = open('answered')
  passTo(10)
  open('waiting')
  exchanges.delete(answered)
  passTo(15_009)
  assert.deepEqual(told, ['waiting renewed at 5010', 'waiting renewed at 10010'])
  passTo(15_010)
  assert.equal(told.at(-1), 'waiting expired at 15010')
  passTo(40_000)
  open('later')
  passTo(45_000)
  assert.equal(told.at(-1), 'later renewed at 45000')
})
