import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { Principal } from '#domain/account/principal.ts'
import { createLimiterBuffer, openLimiter } from '#rate-limit/limiter.ts'
import { countCall, SESSION_CALLS_PER_MINUTE } from '#transport/http/count-call.ts'
import type { Exchange } from '#transport/http/exchange.ts'

test('the sessions of an account share a limit, beside that of each', () => {
  const clock = { wallMs: () => 0, monotonicNs: () => 1n }
  const limiter = openLimiter(createLimiterBuffer(clock), clock)
  const ports = { limiter } as unknown as Parameters<typeof countCall>[2]
  const exchange = { rate: null } as Exchange
  const call = (accountId: string, id: string) =>
    countCall(exchange, { accountId, session: { id } } as Principal, ports)
  const isOver = { code: 'RATE_LIMIT_EXCEEDED' }
  const { most } = ACCOUNT_BOUNDS.sessionCalls
  const sessions = most / SESSION_CALLS_PER_MINUTE
  for (let session = 0; session < sessions; session += 1) {
    for (let count = 0; count < SESSION_CALLS_PER_MINUTE; count += 1) call('acc_1', `ses_${session}`)
    assert.throws(() => call('acc_1', `ses_${session}`), isOver)
  }
  assert.throws(() => call('acc_1', 'ses_new'), isOver)
  assert.equal(exchange.rate?.limit, most)
  call('acc_2', 'ses_other')
  assert.equal(exchange.rate?.limit, SESSION_CALLS_PER_MINUTE)
})
