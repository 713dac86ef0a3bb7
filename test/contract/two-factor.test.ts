import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import * as v from 'valibot'
import { IssuedCodeResource, VerifiedCodeResource } from '#contracts/two-factor.ts'
import { type CodeCalls, codeCalls } from '#test/kit/code-gateway.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const NUMBER = '+14155550123'
const NO_CODE = { verified: false, reason: 'NOT_FOUND' }
let codes: CodeCalls

beforeEach(async () => {
  const gateway = await sharedGateway()
  codes = codeCalls(gateway, await gateway.newAccount())
})

const issue = (json: object, options: object = {}) => codes.request('POST', '/sms/2fa', { json, ...options })
const verify = (json: object, options: object = {}) =>
  codes.request('POST', '/sms/2fa/verify', { json, ...options })

test('a sandbox code is 123456, is verified once, and is shown masked', async () => {
  const issued = await issue({ phoneNumber: '+1 (415) 555-0123', expiresIn: 60 })
  assert.equal(issued.status, 200)
  const data = v.parse(v.strictObject(IssuedCodeResource.entries), issued.data)
  assert.equal(data.status, 'queued')
  assert.equal(data.phoneNumber, NUMBER)
  assert.equal(Date.parse(data.expiresAt) - Date.parse(data.createdAt), 60_000)
  const shown = await codes.request('GET', `/sms/${data.messageId}`)
  assert.equal(shown.data['message'], 'Your verification code is ******')
  assert.equal(shown.data['kind'], '2fa')
  assert.equal(shown.data['expiresAt'], data.expiresAt)
  const right = await verify({ phoneNumber: NUMBER, code: '123456' })
  assert.equal(right.status, 200)
  assert.deepEqual(v.parse(VerifiedCodeResource, right.data), { verified: true, reason: null })
  const again = await verify({ messageId: data.messageId, code: '123456' })
  assert.deepEqual(again.data, { verified: false, reason: 'ALREADY_USED' })
})

test('a live code reaches the phone, and the code in its text verifies', async t => {
  const key = codes.account.liveKey
  const refused = await issue({ phoneNumber: '+14155550177' }, { key })
  assert.equal(refused.status, 503)
  assert.equal(refused.error.code, 'NO_DEVICE_AVAILABLE')
  assert.equal(refused.headers.get('retry-after'), '30')
  const phone = await codes.connectPhone(t)
  const issued = await issue({ phoneNumber: '+14155550177', template: 'Type {code}!' }, { key })
  const text = await phone.nextText()
  assert.match(text, /^Type \d{6}!$/)
  const { messageId } = issued.data
  const shown = await codes.request('GET', `/sms/${messageId}`, { key })
  assert.equal(shown.data['message'], 'Type ******!')
  assert.equal(shown.data['status'], 'delivered')
  const code = text.slice(5, 11)
  assert.deepEqual((await verify({ messageId, code })).data, NO_CODE, 'sandbox keys see no live codes')
  assert.equal((await verify({ messageId, code }, { key })).data['verified'], true)
  assert.ok(!codes.output().includes(code))
})

const BAD_ISSUES: readonly (readonly [what: string, body: object, path: string])[] = [
  ['no number', {}, 'phoneNumber'],
  ['an impossible number', { phoneNumber: '+1415' }, 'phoneNumber'],
  ['a short code', { phoneNumber: NUMBER, code: '123' }, 'code'],
  ['a long code', { phoneNumber: NUMBER, code: '12345678901' }, 'code'],
  ['a code with a blank', { phoneNumber: NUMBER, code: '12 34' }, 'code'],
  ['a code that is a number', { phoneNumber: NUMBER, code: 123456 }, 'code'],
  ['a template without {code}', { phoneNumber: NUMBER, template: 'your code' }, 'template'],
  ['a template of 481', { phoneNumber: NUMBER, template: `{code}${'x'.repeat(475)}` }, 'template'],
  ['a template with U+0000', { phoneNumber: NUMBER, template: '\0{code}' }, 'template'],
  ['a template with half a pair', { phoneNumber: NUMBER, template: '\ud800{code}' }, 'template'],
  ['29 seconds', { phoneNumber: NUMBER, expiresIn: 29 }, 'expiresIn'],
  ['3601 seconds', { phoneNumber: NUMBER, expiresIn: 3601 }, 'expiresIn'],
  ['half a second', { phoneNumber: NUMBER, expiresIn: 60.5 }, 'expiresIn'],
  ['seconds as text', { phoneNumber: NUMBER, expiresIn: '60' }, 'expiresIn'],
  ['a phone that is a number', { phoneNumber: NUMBER, deviceId: 1 }, 'deviceId'],
]

for (const [what, body, path] of BAD_ISSUES)
  test(`a request for a code with ${what} is refused with the path of the fault`, async () => {
    const { status, error } = await issue(body)
    assert.equal(status, 400)
    assert.deepEqual(
      error.details?.issues?.map(fault => fault.path),
      [path],
    )
  })

const BAD_GUESSES: readonly (readonly [what: string, body: object, path: string])[] = [
  ['neither number nor message', { code: '1234' }, 'phoneNumber'],
  ['both', { phoneNumber: NUMBER, messageId: 'msg_1', code: '1234' }, 'phoneNumber'],
  ['nulls', { phoneNumber: null, messageId: null, code: '1234' }, 'phoneNumber'],
  ['no code', { phoneNumber: NUMBER }, 'code'],
  ['a code that is a number', { phoneNumber: NUMBER, code: 123456 }, 'code'],
  ['a short code', { phoneNumber: NUMBER, code: '1' }, 'code'],
  ['a message id that is a list', { messageId: [], code: '1234' }, 'messageId'],
  ['an impossible number', { phoneNumber: '+1415', code: '1234' }, 'phoneNumber'],
]

test('a guess with neither number nor message, or with both, is told which of the two it is', async () => {
  const messageOf = async (json: object) => (await verify(json)).error.details?.issues?.[0]?.message
  assert.equal(await messageOf({ code: '1234' }), 'is required, unless messageId is given')
  const both = { phoneNumber: NUMBER, messageId: 'msg_1', code: '1234' }
  assert.equal(await messageOf(both), 'give either phoneNumber or messageId, not both')
})

for (const [what, body, path] of BAD_GUESSES)
  test(`a guess with ${what} is refused with the path of the fault`, async () => {
    const { status, error } = await verify(body)
    assert.equal(status, 400)
    assert.ok(error.details?.issues?.some(fault => fault.path === path))
  })

test('all faults of a request are reported at once', async () => {
  const empty = await verify({})
  assert.deepEqual(empty.error.details?.issues?.map(({ path }) => path).sort(), ['code', 'phoneNumber'])
  const { error } = await issue({ phoneNumber: '+1', code: '?', template: '', expiresIn: 0 })
  assert.deepEqual(error.details?.issues?.map(({ path }) => path).sort(), [
    'code',
    'expiresIn',
    'phoneNumber',
    'template',
  ])
})

test('verifying a code that was never issued answers 200 with NOT_FOUND', async () => {
  for (const json of [
    { phoneNumber: '+14155550166', code: '1234' },
    { messageId: 'msg_00000000000000000000000000', code: '1234' },
    { messageId: 'nonsense', code: '1234' },
  ]) {
    const { status, data } = await verify(json)
    assert.deepEqual([status, data], [200, NO_CODE])
  }
})

test('of 1,000 parallel guesses over HTTP five are compared and one verifies', async () => {
  const phoneNumber = '+14155550155'
  await issue({ phoneNumber, code: 'Right1' })
  const guesses = Array.from({ length: 1000 }, (_, i) =>
    verify({ phoneNumber, code: `no${String(i).padStart(4, '0')}` }),
  )
  const reasons = (await Promise.all(guesses)).map(({ data }) => data['reason'])
  assert.equal(reasons.filter(reason => reason === 'WRONG_CODE').length, 5)
  assert.equal(reasons.filter(reason => reason === 'TOO_MANY_ATTEMPTS').length, 995)

  await issue({ phoneNumber, code: 'Right2' })
  const rights = await Promise.all(Array.from({ length: 50 }, () => verify({ phoneNumber, code: 'Right2' })))
  assert.equal(rights.filter(({ data }) => data['verified']).length, 1)
})

test('of fifty simultaneous codes with a limit of ten, ten pass, and the usage shows it', async t => {
  await codes.connectPhone(t)
  const key = codes.account.liveKey
  const used = async () => (await codes.request('GET', '/account/usage', { key })).data['usage'] as object
  const before = (await used()) as { '2faToday': number; smsToday: number }
  await codes.setPlan('ten codes')
  const numbers = Array.from({ length: 50 }, (_, i) => `+1415555${1000 + i}`)
  const replies = await Promise.all(numbers.map(phoneNumber => issue({ phoneNumber }, { key })))
  const passed = replies.filter(({ status }) => status === 200).length
  assert.equal(passed, 10 - before['2faToday'])
  const refused = replies.filter(({ status }) => status === 429)
  assert.equal(refused.length, 50 - passed)
  const details = refused[0]?.error.details
  assert.deepEqual([details?.limit, details?.used], [10, 10])
  assert.match(details?.resetAt ?? '', /T00:00:00\.000Z$/)
  assert.deepEqual(await used(), { ...(await used()), '2faToday': 10, smsToday: before.smsToday })
})

test('a repeated Idempotency-Key gives the first answer, and belongs to one endpoint', async () => {
  const headers = { 'Idempotency-Key': 'one-sign-in' }
  const body = { phoneNumber: '+14155550144', code: 'first1', message: 'good for both endpoints' }
  const first = await issue(body, { headers })
  const again = await issue(body, { headers })
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.data, first.data)
  const other = await issue({ ...body, code: 'other1' }, { headers })
  assert.deepEqual([other.status, other.error.code], [422, 'IDEMPOTENCY_MISMATCH'])
  const elsewhere = await codes.request('POST', '/sms/send', { json: body, headers })
  assert.deepEqual([elsewhere.status, elsewhere.error.code], [422, 'IDEMPOTENCY_MISMATCH'])
})

test('an unsupported method is refused with the supported one', async () => {
  for (const path of ['/sms/2fa', '/sms/2fa/verify']) {
    const { status, headers } = await codes.request('GET', path)
    assert.deepEqual([path, status, headers.get('allow')], [path, 405, 'POST'])
  }
})

test('a code survives a restart, and its text is then in no file and no output', async t => {
  const folder = temporaryDirectory(t)
  const first = await startGateway({ dataDir: folder })
  const account = await first.owner()
  const before = codeCalls(first, account)
  // Messages to this sandbox number stay queued, so the text is stored until the message is cancelled.
  const json = { phoneNumber: '+15005550003', code: 'Sesame77' }
  const headers = { 'Idempotency-Key': 'over-a-restart' }
  const issued = await before.request('POST', '/sms/2fa', { json, headers })
  assert.equal(await first.stop(), 0)
  const second = await startGateway({ dataDir: folder })
  const after = codeCalls(second, account)
  const again = await after.request('POST', '/sms/2fa', { json, headers })
  assert.deepEqual([again.data, again.headers.get('idempotent-replayed')], [issued.data, 'true'])
  const verified = await after.request('POST', '/sms/2fa/verify', { json })
  assert.equal(verified.data['verified'], true)
  const cancelled = await after.request('DELETE', `/sms/${issued.data['messageId']}`)
  assert.equal(cancelled.data['message'], 'Your verification code is ********')
  assert.equal(await second.stop(), 0)
  const keyFile = join(folder, 'secrets', 'code-key')
  assert.equal(statSync(keyFile).mode & 0o777, 0o600)
  const database = readFileSync(join(folder, 'roost.db'), 'latin1')
  assert.ok(!database.includes(readFileSync(keyFile, 'latin1')))
  assert.ok(!database.includes('Sesame77'), 'the wiped text is overwritten')
  assert.ok(!`${before.output()}${after.output()}`.includes('Sesame77'))
})
