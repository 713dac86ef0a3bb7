import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CodeWorld, NUMBER } from '#test/kit/code-world.ts'
import { sized } from '#test/kit/test-size.ts'

const MINUTE_MS = 60_000

test('the right code verifies once', () => {
  const world = new CodeWorld()
  world.issue()
  assert.deepEqual(world.verify('4711'), { verified: true, reason: null })
  assert.deepEqual(world.verify('4711'), { verified: false, reason: 'ALREADY_USED' })
  assert.deepEqual(world.verify('0000'), { verified: false, reason: 'ALREADY_USED' })
})

test('a code is found by its number or its message id, only by its own account', () => {
  const world = new CodeWorld()
  const { messageId } = world.issue().answer
  const { accountId } = world.ask('account.create', { email: 'b@c.d', plan: 'pro', passwordHash: null })
  for (const by of [{ phoneNumber: NUMBER }, { messageId }]) {
    assert.equal(world.reasonFor('4711', { by, accountId }), 'NOT_FOUND')
    assert.equal(world.reasonFor('4711', { by, test: false }), 'NOT_FOUND')
  }
  assert.equal(world.reasonFor('4711', { by: { phoneNumber: '+14155550199' } }), 'NOT_FOUND')
  assert.equal(world.reasonFor('4711', { by: { messageId: 'msg_x' } }), 'NOT_FOUND')
  assert.equal(world.column('SELECT tries FROM two_factor'), 0)
  assert.ok(world.verify('4711', { by: { messageId } }).verified)
})

test('codes are case-sensitive', () => {
  const world = new CodeWorld()
  world.issue({ code: 'AbCd' })
  assert.equal(world.reasonFor('abcd'), 'WRONG_CODE')
  assert.ok(world.verify('AbCd').verified)
})

test('after five tries even the right code is refused', () => {
  const world = new CodeWorld()
  world.issue()
  for (let i = 0; i < 5; i++) assert.equal(world.reasonFor('0000'), 'WRONG_CODE')
  assert.equal(world.reasonFor('4711'), 'TOO_MANY_ATTEMPTS')
  world.issue()
  assert.ok(world.verify('4711').verified)
})

test('the fifth try may be the right one', () => {
  const world = new CodeWorld()
  world.issue()
  for (let i = 0; i < 4; i++) world.verify('0000')
  assert.ok(world.verify('4711').verified)
})

test('a newer code supersedes the older one', () => {
  const world = new CodeWorld()
  const { messageId: older } = world.issue({ code: 'older' }).answer
  const { messageId: newer } = world.issue({ code: 'newer' }).answer
  assert.equal(world.reasonFor('older'), 'WRONG_CODE')
  assert.equal(world.reasonFor('older', { by: { messageId: older } }), 'EXPIRED')
  assert.ok(world.verify('newer', { by: { messageId: newer } }).verified)
  assert.equal(world.reasonFor('older', { by: { messageId: older } }), 'EXPIRED')
})

test('a newer code supersedes one that was delivered', () => {
  const world = new CodeWorld()
  const { messageId } = world.issue().answer
  world.advance(2000)
  assert.equal(world.status(messageId), 'delivered')
  world.issue({ code: 'newer' })
  assert.equal(world.reasonFor('4711', { by: { messageId } }), 'EXPIRED')
})

test('the code issued last is the one that counts, even if the clock went back during a restart', () => {
  const world = new CodeWorld()
  world.issue({ code: 'older' })
  world.wallMs -= 86_400_000
  world.restart()
  world.issue({ code: 'newer' })
  assert.ok(world.verify('newer').verified)
})

test('cancelling the message of a code ends the code', () => {
  const world = new CodeWorld()
  const { messageId } = world.issue({ phoneNumber: '+15005550003' }).answer
  world.ask('message.cancel', { accountId: world.accountId, test: true, messageId })
  assert.equal(world.reasonFor('4711', { by: { messageId } }), 'EXPIRED')
})

test('a code is valid to its last millisecond and no longer', () => {
  for (const [afterMs, reason] of [
    [299_999, null],
    [300_000, 'EXPIRED'],
  ] as const) {
    const world = new CodeWorld()
    world.issue()
    world.advance(afterMs)
    assert.equal(world.reasonFor('4711'), reason)
  }
})

test('a wall clock that goes back does not extend a code', () => {
  const world = new CodeWorld()
  world.issue()
  world.advance(4 * MINUTE_MS)
  world.wallMs -= 3_600_000
  assert.equal(world.reasonFor('0000'), 'WRONG_CODE')
  world.monoMs += MINUTE_MS
  assert.equal(world.reasonFor('4711'), 'EXPIRED')
})

test('an expired code stays expired over a restart with a clock that went back', () => {
  const world = new CodeWorld()
  world.issue()
  world.advance(5 * MINUTE_MS)
  world.wallMs -= 3_600_000
  world.restart()
  assert.equal(world.reasonFor('4711'), 'EXPIRED')
})

test('a wall clock that goes forward expires no code early', () => {
  const world = new CodeWorld()
  world.issue()
  world.wallMs += 3_600_000
  world.advance(MINUTE_MS)
  assert.ok(world.verify('4711').verified)
})

test('a code keeps its remaining time and its counted tries over a restart', () => {
  const world = new CodeWorld()
  world.issue()
  for (let i = 0; i < 3; i++) world.verify('0000')
  world.advance(4 * MINUTE_MS)
  world.monoMs = 0
  world.restart()
  assert.equal(world.reasonFor('0000'), 'WRONG_CODE')
  world.advance(MINUTE_MS - 1)
  assert.equal(world.reasonFor('0000'), 'WRONG_CODE')
  assert.equal(world.reasonFor('4711'), 'TOO_MANY_ATTEMPTS')
})

test('a failed transaction does not change the deadline of a code', () => {
  const world = new CodeWorld()
  world.issue()
  world.advance(4 * MINUTE_MS)
  world.wallMs -= 3_600_000
  const broken = { accountId: world.accountId, name: null, toString: null } as never
  assert.throws(() => world.ask('device.pair', broken))
  world.monoMs += MINUTE_MS - 1
  assert.equal(world.reasonFor('0000'), 'WRONG_CODE')
  world.monoMs += 1
  assert.equal(world.reasonFor('4711'), 'EXPIRED')
})

test('a crash between counting and comparing uses up a try and adds none', () => {
  const world = new CodeWorld()
  world.issue()
  const guess = { accountId: world.accountId, test: true, by: { phoneNumber: NUMBER } }
  for (let i = 0; i < 5; i++) {
    assert.equal(world.ask('two-factor.count-try', guess).reason, null)
    world.restart()
  }
  assert.equal(world.reasonFor('4711'), 'TOO_MANY_ATTEMPTS')
})

test('a counted try is compared once, and an uncounted one never', () => {
  const world = new CodeWorld()
  const { messageId } = world.issue().answer
  const input = { accountId: world.accountId, test: true, messageId, code: '4711' }
  for (const tryNumber of [-1, 0, 1, 33])
    assert.equal(
      world.ask('two-factor.compare-try', { ...input, tryNumber }).reason,
      'TOO_MANY_ATTEMPTS',
      `try ${tryNumber}`,
    )
  world.verify('0000')
  assert.equal(world.ask('two-factor.compare-try', { ...input, tryNumber: 1 }).reason, 'TOO_MANY_ATTEMPTS')
})

test('of 1,000 simultaneous guesses five are compared and one verifies', () => {
  const world = new CodeWorld()
  const { messageId } = world.issue().answer
  const owner = { accountId: world.accountId, test: true }
  const guess = { ...owner, by: { phoneNumber: NUMBER } }
  const counted = world.batch.run(
    Array.from({ length: 1000 }, (_, id) => ({ id, name: 'two-factor.count-try' as const, input: guess })),
  )
  const tickets = counted.answers.flatMap(answer => {
    const output = answer.ok ? (answer.output as { reason: string | null; tryNumber: number }) : null
    return output?.reason === null ? [output.tryNumber] : []
  })
  assert.deepEqual(tickets, [1, 2, 3, 4, 5])
  const compared = world.batch.run(
    tickets.map((tryNumber, id) => {
      const input = { ...owner, messageId, tryNumber, code: '4711' }
      return { id, name: 'two-factor.compare-try' as const, input }
    }),
  )
  const reasons = compared.answers.map(
    answer => answer.ok && (answer.output as { reason: string | null }).reason,
  )
  assert.deepEqual(reasons, [null, 'ALREADY_USED', 'ALREADY_USED', 'ALREADY_USED', 'ALREADY_USED'])
})

test('twenty failures a day lock a number, however many codes; the next day is free', () => {
  const world = new CodeWorld()
  for (let code = 0; code < 4; code++) {
    world.issue()
    for (let i = 0; i < 5; i++) assert.equal(world.reasonFor('0000'), 'WRONG_CODE')
  }
  world.issue()
  assert.equal(world.reasonFor('4711'), 'TOO_MANY_ATTEMPTS')
  world.issue({ phoneNumber: '+14155550124' })
  assert.ok(world.verify('4711', { by: { phoneNumber: '+14155550124' } }).verified, 'another number')
  world.advance(12 * 60 * MINUTE_MS)
  world.issue()
  assert.ok(world.verify('4711').verified)
})

test('a success, and a guess after the code expired, do not count as failures of the number', () => {
  const world = new CodeWorld()
  for (let i = 0; i < 30; i++) {
    world.issue()
    assert.ok(world.verify('4711').verified)
    assert.equal(world.reasonFor('4711'), 'ALREADY_USED')
  }
  assert.equal(world.column('SELECT failures FROM two_factor_failure'), 0)
})

type Step = 'issue' | 'right' | 'wrong' | 'count' | 'restart' | 'wait' | 'back' | 'forward'
const steps = fc.array(
  fc.constantFrom<Step>('issue', 'right', 'wrong', 'wrong', 'count', 'restart', 'wait', 'back', 'forward'),
  { maxLength: 60 },
)

test('a code allows one success, five comparisons, and none after its time, in any sequence', () => {
  fc.assert(
    fc.property(steps, sequence => {
      const world = new CodeWorld()
      const guess = { accountId: world.accountId, test: true, by: { phoneNumber: NUMBER } }
      let issuedAt = Number.NEGATIVE_INFINITY
      // How far the wall clock has been ahead of the monotonic one. Between two restarts the wall clock may
      // be set to anything. At a restart it must not have gone back.
      let furthest = world.wallMs - world.monoMs
      const successes = new Map<unknown, number>()
      for (const step of sequence) {
        if (step === 'issue') {
          world.issue()
          issuedAt = world.monoMs
        } else if (step === 'right') {
          if (!world.verify('4711').verified) continue
          assert.ok(world.monoMs - issuedAt < 300_000, 'verified after its time')
          const newest = world.column('SELECT max(serial) FROM two_factor')
          successes.set(newest, (successes.get(newest) ?? 0) + 1)
        } else if (step === 'wrong') assert.ok(!world.verify('0000').verified)
        else if (step === 'count') world.ask('two-factor.count-try', guess)
        else if (step === 'restart') {
          world.wallMs = world.monoMs + furthest
          world.restart()
        } else if (step === 'wait') world.advance(100_000)
        else if (step === 'forward') world.wallMs += 7_200_000
        else world.wallMs -= 3_600_000
        furthest = Math.max(furthest, world.wallMs - world.monoMs)
      }
      assert.ok([...successes.values()].every(count => count === 1))
      assert.ok(Number(world.column('SELECT coalesce(max(tries), 0) FROM two_factor')) <= 5)
      assert.equal(world.column('SELECT count(*) FROM two_factor WHERE compared >= 32'), 0)
      assert.ok(Number(world.column('SELECT coalesce(max(failures), 0) FROM two_factor_failure')) <= 20)
    }),
    { numRuns: sized(20, 60) },
  )
})
