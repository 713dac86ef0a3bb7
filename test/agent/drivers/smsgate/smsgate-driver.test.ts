import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SMSGATE_EXAMINATION_AGE_MS_MAX } from '#agent/drivers/smsgate/phone-link.ts'
import { messageIdOf } from '#test/kit/fake-gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import type { Fate } from '#test/kit/smsgate-phone.ts'
import { never, smsgateOrder, smsgateRig } from '#test/kit/smsgate-rig.ts'

const options = { timeout: HANGS_AFTER_MS }

test('a text is posted to the phone with our id and followed until it is delivered', options, async t => {
  const { phone, driver } = await smsgateRig(t)
  const order = smsgateOrder(1, { kind: '2fa' })
  assert.deepEqual(await driver.send(order, never), { state: 'submitted' })
  const [row] = phone.rows.values()
  assert.deepEqual(
    [row?.id, row?.text, row?.number, row?.ttl],
    [messageIdOf(1), order.message, '+15550100', 3600],
  )
  assert.deepEqual(await driver.follow(order, 'submitted', never), { state: 'delivered' })
  assert.deepEqual(phone.transmitted, [messageIdOf(1)])
})

test('a text without a delivery report ends as sent', options, async t => {
  const { phone, driver } = await smsgateRig(t)
  phone.reportsDelivery = false
  const order = smsgateOrder(1)
  await driver.send(order, never)
  assert.deepEqual(await driver.follow(order, 'submitted', never), { state: 'sent' })
  assert.equal(await driver.follow(order, 'sent', never), null)
})

test('a second attempt uses a new id, because the phone accepts an id only once', options, async t => {
  const { phone, driver } = await smsgateRig(t)
  phone.radio = async () => 'Send result: RESULT_ERROR_NO_SERVICE (Failed because there is no service)'
  await driver.send(smsgateOrder(1), never)
  const outcome = await driver.follow(smsgateOrder(1), 'submitted', never)
  assert.deepEqual([outcome?.state, outcome?.code], ['failed', 'RESULT_ERROR_NO_SERVICE'])
  phone.radio = async () => null
  const second = smsgateOrder(1, { attempt: 2 })
  await driver.send(second, never)
  assert.deepEqual(await driver.follow(second, 'submitted', never), { state: 'delivered' })
  assert.deepEqual(phone.transmitted, [`${messageIdOf(1)}.2`])
})

for (const fate of ['cut-before', 'cut-after', 'fail'] as const) {
  test(`a POST with the fate ${fate} loses no text and sends none twice`, options, async t => {
    const { phone, driver } = await smsgateRig(t)
    await driver.send(smsgateOrder(1), never)
    let isSpoilt = false
    phone.fate = asked => {
      if (asked !== 'POST /message' || isSpoilt) return 'answer'
      isSpoilt = true
      return fate
    }
    const order = smsgateOrder(2, { mark: await driver.mark() })
    assert.notEqual((await driver.send(order, never)).state, 'submitting')
    assert.deepEqual((await driver.follow(order, 'submitted', never))?.state, 'delivered')
    assert.deepEqual(phone.transmitted, [messageIdOf(1), messageIdOf(2)])
  })
}

test('if the request of the very first text is lost, its outcome stays unknown', options, async t => {
  const { phone, driver, newDriver } = await smsgateRig(t)
  const order = smsgateOrder(1, { mark: await driver.mark() })
  // The phone accepts and sends the text, then loses its database before the look-up.
  phone.fate = asked => {
    if (asked === 'POST /message') return 'cut-after'
    if (asked.startsWith('GET /message')) phone.forgetAll()
    return 'answer'
  }
  assert.deepEqual(await driver.send(order, never), { state: 'submitting' })
  assert.equal(await newDriver().lookUp(order, never), 'unknown')
  assert.deepEqual([phone.taken, phone.transmitted], [[messageIdOf(1)], [messageIdOf(1)]])
})

test('the witness survives a restart of the agent, and an old witness is checked again', options, async t => {
  const { phone, driver, clock, newDriver } = await smsgateRig(t)
  assert.deepEqual(JSON.parse((await driver.mark()) ?? ''), { phoneId: null, witness: null })
  await driver.send(smsgateOrder(1), never)
  const mark = await newDriver().mark()
  assert.equal(JSON.parse(mark ?? '').witness, messageIdOf(1))
  assert.deepEqual(await newDriver().lookUp(smsgateOrder(2, { mark }), never), { state: 'submitted' })
  clock.advance(24 * 3_600_000)
  const looks = () => phone.requests.filter(asked => asked === `GET /message/${messageIdOf(1)}`).length
  const before = looks()
  assert.equal(await newDriver().mark(), mark)
  assert.equal(looks(), before + 1)
  phone.forgetAll()
  assert.equal(
    JSON.parse((await newDriver().mark()) ?? '').witness,
    messageIdOf(1),
    'a witness seen recently is not checked again',
  )
  clock.advance(24 * 3_600_000)
  assert.equal(JSON.parse((await newDriver().mark()) ?? '').witness, null)
})

test('while the witness cannot be checked, the outcome of a text stays unknown', options, async t => {
  const { phone, driver } = await smsgateRig(t)
  await driver.send(smsgateOrder(1), never)
  const order = smsgateOrder(2, { mark: await driver.mark() })
  phone.fate = asked => (asked === `GET /message/${messageIdOf(1)}` ? 'fail' : 'answer')
  assert.equal(await driver.lookUp(order, never), 'later')
  phone.fate = () => 'answer'
  assert.deepEqual(await driver.lookUp(order, never), { state: 'submitted' })
})

test(
  'after a timeout the phone is asked for the id, and a text that it accepted late is not sent again',
  options,
  async t => {
    const { phone, driver, clock } = await smsgateRig(t)
    await driver.send(smsgateOrder(1), never)
    const late = Promise.withResolvers<Fate>()
    let posts = 0
    phone.fate = asked => {
      if (asked !== 'POST /message' || ++posts > 1) return 'answer'
      setImmediate(() => clock.timeOut())
      return late.promise
    }
    const order = smsgateOrder(2, { mark: await driver.mark() })
    assert.deepEqual(await driver.send(order, never), { state: 'submitted' })
    late.resolve('answer')
    assert.deepEqual((await driver.follow(order, 'submitted', never))?.state, 'delivered')
    // The first request arrived late, and the phone already had its id.
    const both = [messageIdOf(1), messageIdOf(2)]
    assert.deepEqual([posts, phone.taken, phone.transmitted], [2, both, both])
  },
)

test(
  'a text on a phone that disappears is uncertain until the phone is back and reports it',
  options,
  async t => {
    const { phone, driver, newDriver } = await smsgateRig(t)
    phone.fate = asked => {
      if (asked !== 'POST /message') return 'answer'
      setImmediate(() => void phone.stop())
      return 'cut-after'
    }
    const order = smsgateOrder(1)
    assert.deepEqual(await driver.send(order, never), { state: 'submitting' })
    assert.equal(await driver.lookUp(order, never), 'later')
    assert.equal(await newDriver().lookUp(order, never), 'later')
    await phone.comeBack()
    const found = await newDriver().lookUp(order, never)
    assert.notEqual(typeof found, 'string')
    assert.deepEqual(phone.transmitted, [messageIdOf(1)])
  },
)

test(
  'after a crash the agent finds texts that the phone has, and posts texts that it does not have',
  options,
  async t => {
    const { phone, driver } = await smsgateRig(t)
    await driver.send(smsgateOrder(1), never)
    assert.notEqual(typeof (await driver.lookUp(smsgateOrder(1), never)), 'string')
    const mark = await driver.mark()
    assert.deepEqual(await driver.lookUp(smsgateOrder(2, { mark }), never), { state: 'submitted' })
    assert.deepEqual(phone.taken, [messageIdOf(1), messageIdOf(2)])
  },
)

test('after a crash a text whose time to live is over is not posted again', options, async t => {
  const { phone, driver } = await smsgateRig(t)
  await driver.send(smsgateOrder(1), never)
  const mark = await driver.mark()
  assert.equal(await driver.lookUp(smsgateOrder(2, { mark, ttlMs: 0 }), never), 'not-sent')
  assert.equal(await driver.lookUp(smsgateOrder(3, { mark, kind: '2fa', ttlMs: 14_000 }), never), 'not-sent')
  assert.deepEqual(phone.taken, [messageIdOf(1)])
})

test('a phone whose data was cleared cannot say what it sent before', options, async t => {
  const { phone, driver, newDriver } = await smsgateRig(t)
  await driver.send(smsgateOrder(1), never)
  const mark = await driver.mark()
  await driver.send(smsgateOrder(2, { mark }), never)
  phone.forgetAll()
  assert.equal(await newDriver().lookUp(smsgateOrder(2, { mark }), never), 'unknown')
  assert.equal((await driver.follow(smsgateOrder(2), 'submitted', never))?.code, 'PHONE_FORGOT')
  assert.deepEqual(phone.taken, [messageIdOf(1), messageIdOf(2)])
})

test('a text is not posted to another phone that answers at the same address', options, async t => {
  const { phone, driver, clock } = await smsgateRig(t)
  await driver.send(smsgateOrder(1), never)
  phone.phoneId = 'another'
  assert.equal((await driver.send(smsgateOrder(2), never)).code, 'PHONE_CHANGED')
  assert.equal(await driver.lookUp(smsgateOrder(3), never), 'later')
  clock.advance(100 * 3_600_000)
  assert.equal(await driver.lookUp(smsgateOrder(3), never), 'unknown')
  assert.deepEqual(phone.taken, [messageIdOf(1)])
})

test('a recent check replaces the examination of the phone for one text only', options, async t => {
  const { phone, driver, clock } = await smsgateRig(t)
  const asked = async (n: number) => {
    phone.requests.length = 0
    await driver.send(smsgateOrder(n), never)
    return phone.requests.filter(path => !path.startsWith('GET /message'))
  }
  const examined = ['GET /health', 'GET /device', 'POST /message']
  assert.equal(await driver.check(), null)
  assert.deepEqual(await asked(1), ['POST /message'])
  assert.deepEqual(await asked(2), examined)
  assert.equal(await driver.check(), null)
  clock.advance(SMSGATE_EXAMINATION_AGE_MS_MAX + 1)
  assert.deepEqual(await asked(3), examined)
})

test('a refused text and a phone that is off fail with a reason, and nothing was sent', options, async t => {
  const { phone, driver, newDriver } = await smsgateRig(t)
  const wrong = newDriver({ password: 'wrong' })
  assert.equal((await wrong.send(smsgateOrder(1), never)).code, 'PHONE_REFUSED')
  await phone.stop()
  const { state, code, detail } = await driver.send(smsgateOrder(1), never)
  assert.deepEqual([state, code], ['failed', 'PHONE_UNREACHABLE'])
  assert.match(detail ?? '', /^nothing listens at http:.* switch on "Local server" in SMSGate/)
})

test('a phone that returned to an earlier address is found there by its id', options, async t => {
  const { phone, driver, newDriver, logged } = await smsgateRig(t)
  assert.equal(await driver.check(), null)
  const moved = newDriver({ url: 'http://127.0.0.1:9' })
  assert.equal(await moved.check(), null)
  assert.deepEqual(await moved.send(smsgateOrder(1), never), { state: 'submitted' })
  assert.match(logged[0] ?? '', /^The phone answers at http:\S+ now, no longer at http:\/\/127.0.0.1:9\.$/)
  phone.phoneId = 'another'
  assert.match((await moved.check()) ?? '', /^another phone answers at /)
})

test('battery, SIM and version come from the phone', options, async t => {
  const { driver } = await smsgateRig(t)
  await driver.check()
  assert.deepEqual(await driver.telemetry(), { battery: 80, charging: true, signal: null })
  assert.deepEqual(await driver.sims(), [
    { slot: 1, carrier: 'Testnetz', countryCode: null, phoneNumber: '+4915112345678' },
  ])
  assert.equal(driver.appVersion(), '1.68.0')
  assert.equal(driver.receiveTrouble(), null)
})
