import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { SMSGATE_CALL_MS_MAX } from '#agent/drivers/smsgate/call-phone.ts'
import { examinePhone } from '#agent/drivers/smsgate/examine-phone.ts'
import { readPhoneAddress } from '#agent/drivers/smsgate/phone-address.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { SkippingClock } from '#test/kit/skipping-clock.ts'
import { smsgateRig } from '#test/kit/smsgate-rig.ts'

const options = { timeout: HANGS_AFTER_MS }
const clock = new SkippingClock(SMSGATE_CALL_MS_MAX)

test('each fault of a phone is reported in a sentence that says how to fix it', options, async t => {
  const { phone } = await smsgateRig(t)
  const says = async (changes: object = {}, id: string | null = null) => {
    const examined = await examinePhone(clock, { ...phone.access, ...changes }, id)
    return examined.kind === 'trouble' ? `${examined.code}: ${examined.sentence}` : examined.kind
  }
  assert.equal(await says(), 'phone')
  assert.match(await says({ password: 'x' }), /^PHONE_REFUSED: .* refuses the password of sms: copy both /)
  assert.match(await says({}, 'mine'), /^PHONE_CHANGED: another phone answers at \S+ \(Google\/oriole\): /)
  phone.version = '1.38.2'
  assert.match(await says(), /^APP_TOO_OLD: .* SMSGate 1.38.2, and 1.39.0 is the oldest that works: update /)
  phone.version = '1.52.0'
  assert.equal(await says(), 'phone')
  phone.fate = () => 'cut-before'
  assert.match(await says(), /^PHONE_UNREACHABLE: the server at \S+ ends the connection early: /)
  phone.fate = () => new Promise(() => setImmediate(() => clock.timeOut()))
  assert.match(await says(), /^PHONE_UNREACHABLE: the phone does not answer at \S+: is it on, in this Wi-Fi/)
  await phone.stop()
  assert.match(await says(), /^PHONE_UNREACHABLE: nothing listens at \S+: switch on "Local server"/)
  assert.match(
    await says({ url: 'http://a-name-that-nobody-knows.invalid:8080' }),
    /^PHONE_UNREACHABLE: there is no route to \S+: is the phone in this network/,
  )
})

test('what a phone says of itself is cleaned and cut, and a long answer is not read', options, async t => {
  const evil = `\u001b]0;owned\u0007\u202e${'n'.repeat(500)}`
  const answers: Record<string, unknown> = {
    '/health': { status: 'pass', version: `1.68.0\u001b[2J${'x'.repeat(1000)}` },
    '/device': [
      {
        id: 'phone-1',
        name: evil,
        simCards: [{ simNumber: 1, carrierName: evil, phoneNumber: evil }, ...Array(20_000).fill(0)],
      },
    ],
  }
  const server = createServer((request, response) => response.end(JSON.stringify(answers[request.url ?? ''])))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const examine = () => examinePhone(clock, { url, username: 'sms', password: 'x' }, null)
  const seen = await examine()
  const { name, appVersion, sims } = seen.kind === 'phone' ? seen.phone : assert.fail()
  assert.equal(name, `]0;owned ${'n'.repeat(71)}`)
  assert.equal(appVersion, '1.68.0')
  assert.deepEqual(sims, [
    { slot: 1, carrier: name, countryCode: null, phoneNumber: `]0;owned ${'n'.repeat(23)}` },
  ])
  answers['/device'] = [{ id: 'phone-1', name: 'n'.repeat(65_536) }]
  const long = await examine()
  assert.equal(long.kind === 'trouble' ? long.code : null, 'PHONE_UNREACHABLE')
})

test("another server at the phone's address gets no password", options, async t => {
  const heard: (string | undefined)[] = []
  const server = createServer((request, response) => {
    heard.push(request.headers.authorization)
    response.end('<h1>Printer</h1>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const examined = await examinePhone(clock, { url, username: 'sms', password: 'secret' }, null)
  assert.equal(examined.kind === 'trouble' ? examined.code : null, 'NOT_SMSGATE')
  assert.deepEqual(heard, [undefined])
})

test('an address is accepted in the forms in which people copy it', () => {
  const reads = (text: string) => {
    const read = readPhoneAddress(text)
    return read.kind === 'address' ? read.url : read.message
  }
  assert.equal(reads(' 192.168.1.20:8080 '), 'http://192.168.1.20:8080')
  assert.equal(reads('192.168.1.20'), 'http://192.168.1.20:8080')
  assert.equal(reads('http://phone.lan:80/'), 'http://phone.lan:80')
  assert.equal(reads('http://[fd00::2]:9000/'), 'http://[fd00::2]:9000')
  assert.match(reads('https://192.168.1.20:8080'), /^must begin with http:\/\/: .* does not speak HTTPS$/)
  assert.match(reads('http://sms:secret@192.168.1.20'), /^must not contain a user name or password/)
  assert.match(reads('http://192.168.1.20:8080/message'), /^must end after the port/)
  assert.match(reads('ftp://192.168.1.20'), /^must begin with http:\/\/$/)
  assert.match(reads(''), /^must be the address that the app shows/)
})
