import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  FAILURES_PER_ACCOUNT_PER_MINUTE,
  FAILURES_PER_ADDRESS_PER_MINUTE,
  FAILURES_PER_PAIR_PER_MINUTE,
} from '#app/auth/login-guard.ts'
import { DUMMY_HASH, passwordsOf } from '#app/auth/passwords.ts'
import { LOGINS_PER_ADDRESS_MAX, SignIn } from '#app/auth/sign-in.ts'
import { PASSWORDS_WAITING_MAX } from '#contracts/bounds.ts'
import { hashPassword, verifyPassword } from '#pool/tasks/hash-password.ts'
import { createLimiterBuffer, openLimiter } from '#rate-limit/limiter.ts'

const WALL_MS = Date.UTC(2026, 0, 15)
const RIGHT = 'the right password'
const OWNER = { email: 'owner@example.org', accountId: 'acc_1' }

/** The real guard and limiter on a manual clock. The fake hash of a password is the password itself. */
function signInWorld() {
  let ms = 0
  const clock = { wallMs: () => WALL_MS + ms, monotonicNs: () => BigInt(ms) * 1_000_000n }
  const compared: (string | null)[] = []
  let gate: Promise<void> = Promise.resolve()
  const service = new SignIn({
    limiter: openLimiter(createLimiterBuffer(clock), clock),
    wallMs: clock.wallMs,
    reader: {
      findLogin: email =>
        email === OWNER.email
          ? { userId: 'usr_1', accountId: OWNER.accountId, passwordHash: RIGHT, tokenVersion: 0 }
          : email === 'unset@example.org'
            ? { userId: 'usr_2', accountId: 'acc_2', passwordHash: null, tokenVersion: 0 }
            : undefined,
    },
    passwords: {
      hash: async password => password,
      async verify(password, stored) {
        compared.push(stored)
        await gate
        return password === stored
      },
    },
  })
  return {
    compared,
    advance(byMs: number) {
      ms += byMs
    },
    /** Makes password comparisons wait until the returned function is called. */
    hold() {
      const held = Promise.withResolvers<void>()
      gate = held.promise
      return held.resolve
    },
    async attempt(address: string, password: string, email = OWNER.email): Promise<string> {
      try {
        await service.signIn({ email, password, address })
        return 'ok'
      } catch (error) {
        return (error as { code: string }).code
      }
    },
  }
}

test('an unknown e-mail, or an account without a password, costs one password comparison', async () => {
  const { attempt, compared } = signInWorld()
  for (const email of [OWNER.email, 'nobody@example.org', 'unset@example.org'])
    assert.equal(await attempt('192.0.2.9', 'wrong', email), 'UNAUTHORIZED')
  assert.deepEqual(compared, [RIGHT, null, null])
})

test('the dummy hash for unknown accounts costs as much as a real one and matches no password', async () => {
  const made = await hashPassword(RIGHT)
  const shape = (hash: string) => hash.split('$').map((part, index) => (index < 3 ? part : part.length))
  assert.deepEqual(shape(DUMMY_HASH), shape(made))
  const passwords = passwordsOf({
    run: (async (_name: string, input: { password: string; hash: string }) =>
      verifyPassword(input.password, input.hash)) as never,
  })
  assert.equal(await passwords.verify(RIGHT, made), true)
  assert.equal(await passwords.verify('', null), false)
})

for (const email of [OWNER.email, 'nobody@example.org'])
  test(`guessing at ${email} from one address is slowed down to one try in 12 s`, async () => {
    const { attempt, advance, compared } = signInWorld()
    const answers: string[] = []
    for (let i = 0; i < 12; i++) answers.push(await attempt('192.0.2.9', 'wrong', email))
    assert.equal(answers.filter(code => code === 'UNAUTHORIZED').length, FAILURES_PER_PAIR_PER_MINUTE)
    assert.equal(compared.length, FAILURES_PER_PAIR_PER_MINUTE)
    assert.equal(await attempt('192.0.2.9', RIGHT, email), 'RATE_LIMIT_EXCEEDED')
    advance(11_900)
    assert.equal(await attempt('192.0.2.9', 'wrong', email), 'RATE_LIMIT_EXCEEDED')
    advance(100)
    assert.equal(await attempt('192.0.2.9', 'wrong', email), 'UNAUTHORIZED')
    assert.equal(await attempt('192.0.2.9', 'wrong', email), 'RATE_LIMIT_EXCEEDED')
  })

test('one address that tries many accounts is slowed down', async () => {
  const { attempt, compared } = signInWorld()
  for (let i = 0; i < FAILURES_PER_ADDRESS_PER_MINUTE + 5; i++)
    await attempt('192.0.2.9', 'wrong', `user${i}@example.org`)
  assert.equal(compared.length, FAILURES_PER_ADDRESS_PER_MINUTE)
})

test('guesses at one account from many addresses are slowed down together', async () => {
  const { attempt, advance, compared } = signInWorld()
  const strangers = Array.from({ length: 40 }, (_, i) => `2001:db8:0:${i.toString(16)}::/64`)
  for (const address of strangers) await attempt(address, 'wrong')
  assert.equal(compared.length, FAILURES_PER_ACCOUNT_PER_MINUTE)
  assert.equal(await attempt('203.0.113.5', RIGHT), 'RATE_LIMIT_EXCEEDED')
  assert.equal(await attempt('203.0.113.5', 'wrong', 'nobody@example.org'), 'UNAUTHORIZED')
  advance(2000)
  assert.equal(await attempt('203.0.113.5', RIGHT), 'ok')
})

test('a stranger who sends many logins at once leaves room in the queue for others', async () => {
  const { attempt, hold } = signInWorld()
  const release = hold()
  const crowd = Array.from({ length: 100 }, () => attempt('192.0.2.9', 'wrong'))
  const owner = attempt('203.0.113.5', RIGHT)
  release()
  assert.equal(await owner, 'ok')
  const refused = (await Promise.all(crowd)).filter(code => code === 'SERVICE_UNAVAILABLE')
  assert.equal(refused.length, 100 - LOGINS_PER_ADDRESS_MAX)
})

test('logins beyond the queue are refused, and those in it are checked in their order', async () => {
  const { attempt, hold, compared } = signInWorld()
  const release = hold()
  const owner = attempt('203.0.113.250', RIGHT)
  const crowd = Array.from({ length: PASSWORDS_WAITING_MAX + 5 }, (_, index) =>
    attempt(`203.0.113.${index}`, 'wrong', `user${index}@example.org`),
  )
  release()
  assert.equal(await owner, 'ok')
  assert.equal(compared.indexOf(RIGHT), 0)
  const refused = (await Promise.all(crowd)).filter(code => code === 'SERVICE_UNAVAILABLE')
  assert.equal(refused.length, 5)
})

test('logins that succeed are never slowed down', async () => {
  const { attempt } = signInWorld()
  for (let i = 0; i < 100; i++) assert.equal(await attempt('203.0.113.5', RIGHT), 'ok')
})
