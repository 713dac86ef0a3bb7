import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DUMMY_HASH, passwordsOf } from '#app/auth/passwords.ts'
import { SignIn } from '#app/auth/sign-in.ts'
import {
  LOGIN_FAILURES_PER_ADDRESS_PER_MINUTE,
  LOGIN_FAILURES_PER_PAIR_PER_MINUTE,
  PASSWORDS_PER_STRANGER_MAX,
  PASSWORDS_WAITING_MAX,
} from '#contracts/bounds.ts'
import { hashPassword, verifyPassword } from '#pool/tasks/hash-password.ts'
import { createLimiterBuffer, openLimiter } from '#rate-limit/limiter.ts'

const WALL_MS = Date.UTC(2026, 0, 15)
const RIGHT = 'the right password'
const OWNER = { email: 'owner@example.org', accountId: 'acc_1' }
const HOME = '192.0.2.1'

/** The real guard and limiter on a manual clock. The fake hash of a password is the password itself. */
function signInWorld() {
  let ms = 0
  const clock = { wallMs: () => WALL_MS + ms, monotonicNs: () => BigInt(ms) * 1_000_000n }
  const known = new Set([HOME])
  const compared: (string | null)[] = []
  let gate: Promise<void> = Promise.resolve()
  const service = new SignIn({
    limiter: openLimiter(createLimiterBuffer(clock), clock),
    wallMs: clock.wallMs,
    reader: {
      findLogin: email =>
        email === OWNER.email
          ? { accountId: OWNER.accountId, passwordHash: RIGHT, tokenVersion: 0 }
          : email === 'unset@example.org'
            ? { accountId: 'acc_2', passwordHash: null, tokenVersion: 0 }
            : undefined,
      isKnownAddress: (accountId, address) => accountId === OWNER.accountId && known.has(address),
    },
    passwords: {
      hash: async password => password,
      async verify(password, stored) {
        compared.push(stored)
        await gate
        return password === stored
      },
    },
    record: async ({ address }) => known.add(address),
  })
  return {
    known,
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
    assert.equal(answers.filter(code => code === 'UNAUTHORIZED').length, LOGIN_FAILURES_PER_PAIR_PER_MINUTE)
    assert.equal(compared.length, LOGIN_FAILURES_PER_PAIR_PER_MINUTE)
    assert.equal(await attempt('192.0.2.9', RIGHT, email), 'RATE_LIMIT_EXCEEDED')
    advance(11_900)
    assert.equal(await attempt('192.0.2.9', 'wrong', email), 'RATE_LIMIT_EXCEEDED')
    advance(100)
    assert.equal(await attempt('192.0.2.9', 'wrong', email), 'UNAUTHORIZED')
    assert.equal(await attempt('192.0.2.9', 'wrong', email), 'RATE_LIMIT_EXCEEDED')
  })

test('one address that tries many accounts is slowed down', async () => {
  const { attempt, compared } = signInWorld()
  for (let i = 0; i < LOGIN_FAILURES_PER_ADDRESS_PER_MINUTE + 5; i++)
    await attempt('192.0.2.9', 'wrong', `user${i}@example.org`)
  assert.equal(compared.length, LOGIN_FAILURES_PER_ADDRESS_PER_MINUTE)
})

test('guesses from many addresses are slowed down together, except for the first guess of each', async () => {
  const { attempt, advance, compared } = signInWorld()
  const strangers = Array.from({ length: 40 }, (_, i) => `2001:db8:0:${i.toString(16)}::/64`)
  const guess = async () => {
    for (const address of strangers) await attempt(address, 'wrong')
    return compared.length
  }
  assert.equal(await guess(), 40)
  assert.equal(await guess(), 40, 'after forty failures the limit of the account is used up')
  advance(2000)
  assert.equal(await guess(), 41)
  advance(60_000)
  assert.equal(await guess(), 81)
})

test('the owner can log in from a known and from a new address while strangers guess', async () => {
  const { attempt, advance } = signInWorld()
  for (let i = 0; i < 1000; i++) await attempt(`2001:db8:0:${i.toString(16)}::/64`, 'wrong')
  assert.equal(await attempt(HOME, RIGHT), 'ok')
  assert.equal(await attempt('203.0.113.5', RIGHT), 'ok')
  assert.equal(await attempt('203.0.113.6', 'mistyped'), 'UNAUTHORIZED')
  assert.equal(await attempt('203.0.113.6', RIGHT), 'RATE_LIMIT_EXCEEDED')
  advance(2000)
  assert.equal(await attempt('203.0.113.6', RIGHT), 'ok')
})

test('a stranger who sends many logins at once leaves room in the queue for others', async () => {
  const { attempt, hold } = signInWorld()
  const release = hold()
  const crowd = Array.from({ length: 100 }, () => attempt('192.0.2.9', 'wrong'))
  const owner = attempt('203.0.113.5', RIGHT)
  release()
  assert.equal(await owner, 'ok')
  const refused = (await Promise.all(crowd)).filter(code => code === 'SERVICE_UNAVAILABLE')
  assert.equal(refused.length, 100 - PASSWORDS_PER_STRANGER_MAX)
})

test('logins that fill the queue leave a place for the owner, who is checked first', async () => {
  const { attempt, hold, compared } = signInWorld()
  const release = hold()
  const crowd = Array.from({ length: PASSWORDS_WAITING_MAX + 5 }, (_, index) =>
    attempt(`203.0.113.${index}`, 'wrong', `user${index}@example.org`),
  )
  const owner = attempt(HOME, RIGHT)
  release()
  assert.equal(await owner, 'ok')
  assert.equal(compared.indexOf(RIGHT), 1)
  const refused = (await Promise.all(crowd)).filter(code => code === 'SERVICE_UNAVAILABLE')
  assert.equal(refused.length, 4)
})

for (const emailOf of [(index: number) => `user${index}@example.org`, () => OWNER.email])
  test(`a login from a new address is checked before strangers who failed for ${emailOf(0)}`, async () => {
    const { attempt, hold, compared } = signInWorld()
    const strangers = Array.from({ length: 60 }, (_, index) => `198.51.100.${index}`)
    for (const [index, address] of strangers.entries()) await attempt(address, 'wrong', emailOf(index))
    const release = hold()
    const before = compared.length
    const crowd = strangers.map((address, index) => attempt(address, 'wrong', `next${index}@example.org`))
    const owner = attempt('203.0.113.5', RIGHT)
    release()
    assert.equal(await owner, 'ok')
    assert.equal(
      compared.indexOf(RIGHT, before),
      before + 1,
      'it waits only for the comparison that is running',
    )
    await Promise.all(crowd)
  })

for (const [network, addressOf] of [
  ['an IPv4 /24', (index: number) => `198.51.100.${index}`],
  ['an IPv6 /48', (index: number) => `2001:db8:1:${index.toString(16)}::/64`],
] as const)
  test(`a login from a new address is checked before hundreds of new addresses of ${network}`, async () => {
    const { attempt, hold, compared } = signInWorld()
    const release = hold()
    const crowd = Array.from({ length: 250 }, (_, index) =>
      attempt(addressOf(index), 'wrong', `user${index}@example.org`),
    )
    const owner = attempt('203.0.113.5', RIGHT)
    release()
    assert.equal(await owner, 'ok')
    assert.equal(compared.indexOf(RIGHT), 1, 'it waits only for the comparison that is running')
    await Promise.all(crowd)
    // Failures count for the whole network, so later addresses in it wait as well.
    const again = hold()
    const before = compared.length
    const elsewhere = attempt('192.0.2.77', 'wrong', 'elsewhere@example.org')
    const later = attempt(addressOf(250), 'wrong', 'later@example.org')
    const another = attempt('203.0.114.5', RIGHT)
    again()
    assert.equal(await another, 'ok')
    assert.equal(compared.indexOf(RIGHT, before), before + 1)
    await Promise.all([elsewhere, later])
  })

test('logins that succeed are never slowed down', async () => {
  const { attempt } = signInWorld()
  for (let i = 0; i < 100; i++) assert.equal(await attempt('203.0.113.5', RIGHT), 'ok')
})
