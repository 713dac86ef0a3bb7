import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountStore, UsageOfDay } from '#domain/account/account-store.ts'
import { DayCounts } from '#domain/account/day-counts.ts'
import { Usage, type UsageSpend } from '#domain/account/usage.ts'
import type { Message } from '#domain/message/message.ts'
import { Problem } from '#domain/problem.ts'
import { DAY_MS, dayOf } from '#domain/time.ts'
import type { Tx } from '#domain/tx.ts'
import { openAccountStore } from '#storage/account-writer.ts'
import { openDayCountStore } from '#storage/day-counts.ts'
import { Transactor } from '#storage/transaction.ts'
import { TestWorld } from '#test/kit/world.ts'

const NOON = Date.UTC(2026, 0, 15, 12)
const SMS: UsageSpend = { kind: 'sms', count: 1, limit: 10, wallMs: NOON }

function open() {
  const world = new TestWorld()
  const accountId = world.ask('gateway.first-start', {})?.accountId ?? ''
  const accounts: AccountStore = openAccountStore(world.database)
  const transactor = new Transactor(world.database)
  const usage = new Usage(accounts)
  const dayCounts = new DayCounts(openDayCountStore(world.database))
  /** Counts a use as accepting a message does, which adds it to the daily counters. */
  const use = (tx: Tx, what: UsageSpend) => {
    usage.spend(tx, accountId, what)
    const kind = what.kind === 'sms' ? 'sms' : '2fa'
    const message = { accountId, createdAt: what.wallMs, kind, test: false } as Message
    for (let i = 0; i < what.count; i++) dayCounts.accept(message)
  }
  /** Counts `times` uses in one transaction. @returns how many of them the limit allowed */
  const spend = (times: number, what: UsageSpend = SMS) =>
    transactor.transact(tx => {
      let through = 0
      for (let i = 0; i < times; i++)
        try {
          use(tx, what)
          through += 1
        } catch (error) {
          if (!(error instanceof Problem)) throw error
        }
      dayCounts.flush(tx)
      return through
    })
  const stored = (wallMs = NOON): UsageOfDay =>
    transactor.transact(tx => accounts.usageOf(tx, accountId, dayOf(wallMs)))
  return { usage, transactor, accountId, use, dayCounts, spend, stored }
}

test('of fifty simultaneous requests with ten left, ten pass', () => {
  const { spend, stored } = open()
  assert.equal(spend(50), 10)
  assert.equal(spend(5), 0)
  assert.deepEqual(stored(), { sms: 10, twoFactor: 0 })
})

test('-1 is unlimited, and usage is still counted', () => {
  const { spend, stored } = open()
  assert.equal(spend(500, { ...SMS, limit: -1 }), 500)
  assert.equal(stored().sms, 500)
})

test('messages and codes are counted apart', () => {
  const { spend, stored } = open()
  assert.equal(spend(12, { ...SMS, kind: 'twoFactor' }), 10)
  assert.equal(spend(3), 3)
  assert.deepEqual(stored(), { sms: 3, twoFactor: 10 })
})

test('the messages of one request are all counted, or none of them', () => {
  const { spend, stored } = open()
  assert.equal(spend(1, { ...SMS, count: 8 }), 1)
  assert.equal(spend(1, { ...SMS, count: 3 }), 0)
  assert.equal(spend(1, { ...SMS, count: 2 }), 1)
  assert.equal(stored().sms, 10)
})

test('a new day starts at midnight UTC, and a clock that goes back finds the old day as it was', () => {
  const { spend, stored } = open()
  assert.equal(spend(10), 10)
  const tomorrow = { ...SMS, wallMs: NOON + DAY_MS / 2 }
  assert.equal(spend(4, tomorrow), 4)
  assert.equal(spend(1), 0)
  assert.equal(spend(20, tomorrow), 6)
  assert.deepEqual([stored().sms, stored(NOON + DAY_MS).sms], [10, 10])
})

test('a refusal states the limit, the usage, and when the limit is reset', () => {
  const { usage, transactor, accountId, spend } = open()
  spend(10)
  const refused = () => transactor.transact(tx => usage.spend(tx, accountId, SMS))
  assert.throws(refused, {
    code: 'RATE_LIMIT_EXCEEDED',
    message:
      'the plan allows 10 messages a day, 10 are used, and this call needs 1: ' +
      'try again after midnight UTC, or give the account a larger plan',
    details: { limit: 10, used: 10, resetAt: '2026-01-16T00:00:00.000Z', retryAfterS: 43_200 },
  })
})

test('counts of a failed transaction are dropped', () => {
  const { usage, transactor, use, dayCounts, spend, stored } = open()
  spend(3)
  assert.throws(() =>
    transactor.transact(tx => {
      for (let i = 0; i < 7; i++) use(tx, SMS)
      dayCounts.flush(tx)
      throw new Error('planted')
    }),
  )
  usage.discard()
  assert.equal(spend(50), 7)
  assert.equal(stored().sms, 10)
})
