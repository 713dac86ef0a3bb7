import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incoming, Order } from '#agent/drivers/driver.ts'
import { AGENT_COMMAND_MS_MAX } from '#agent/drivers/run-process.ts'
import { termuxDriver } from '#agent/drivers/termux/termux-driver.ts'
import { messageIdOf } from '#test/kit/fake-gateway.ts'
import type { HandClock } from '#test/kit/hand-clock.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { type Sms, TermuxPhone } from '#test/kit/termux-phone.ts'

const options = { timeout: HANGS_AFTER_MS }
const never = new AbortController().signal
const order: Order = {
  messageId: messageIdOf(1),
  attempt: 1,
  phoneNumber: '+15550100',
  message: '-n is \\n not an option 😀',
  segments: 1,
  simSlot: 2,
  kind: 'sms',
  ttlMs: 3_600_000,
  acceptedAt: '2026-01-31T12:00:00.000Z',
  mark: '20',
  at: '2026-01-31T12:00:00.000Z',
}

const mine = { address: '+1 555-0100', body: order.message }

/**
 * Advances the clock by the driver's own pauses until it answers. While a command runs, which takes real
 * time, the clock stands still: the next timer is then the time limit of the command.
 */
async function passing<T>(clock: HandClock, answer: Promise<T> | undefined): Promise<T | undefined> {
  let isOver = false
  const watched = answer?.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await nextTurn()
    const nextInMs = clock.nextInMs ?? AGENT_COMMAND_MS_MAX
    if (nextInMs < AGENT_COMMAND_MS_MAX / 2) clock.advance(10)
  }
  return watched
}

test(
  'the text is passed on standard input, SIM slots count from 0, and success means submitted',
  options,
  async t => {
    const phone = new TermuxPhone(t)
    assert.deepEqual(await phone.driver.send(order, never), { state: 'submitted' })
    assert.equal(phone.read('termux-sms-send.args'), '-n\n+15550100\n-s\n1\n')
    assert.equal(phone.read('termux-sms-send.text'), order.message)
  },
)

test(
  'a text that was certainly not sent is failed; one that may have been sent is uncertain',
  options,
  async t => {
    const phone = new TermuxPhone(t)
    const state = async (changes: Partial<Order> = {}) => {
      const { state, code } = await phone.driver.send({ ...order, ...changes }, never)
      return `${state} ${code}`
    }
    assert.equal(await state({ phoneNumber: '+1; rm' }), 'failed INVALID_NUMBER')
    phone.setAnswer('termux-sms-send', {
      error: 'Please grant the following permission: android.permission.SEND_SMS',
    })
    assert.equal(await state(), 'failed PERMISSION_DENIED')
    for (const exitCode of [126, 127]) {
      phone.script('termux-sms-send', `exit ${exitCode}`)
      assert.equal(await state(), 'failed TERMUX_API_MISSING')
    }
    phone.script('termux-sms-send', 'exit 3')
    assert.equal(await state(), 'uncertain TERMUX_EXIT_3')
    phone.script('termux-sms-send', 'kill -9 $$')
    assert.equal(await state(), 'uncertain TERMUX_KILLED')
    const bare = termuxDriver(phone.clock, { PATH: '/nowhere' })
    assert.equal((await bare.send(order, never)).code, 'TERMUX_API_MISSING')
  },
)

test('the mark is the highest message id, or null if no message can be read', options, async t => {
  const phone = new TermuxPhone(t)
  assert.equal(await phone.driver.mark?.(), '20')
  phone.setAnswer('termux-sms-list', { error: 'no permission' })
  assert.equal(await phone.driver.mark?.(), null)
})

for (const [type, outcome] of [
  ['sent', { state: 'sent' }],
  ['failed', { state: 'failed', code: 'RADIO_FAILURE' }],
] as const) {
  test(`a message that Android files under ${type} is ${outcome.state}`, options, async t => {
    const phone = new TermuxPhone(t)
    phone.setTexts([
      { _id: 20, type: 'failed', ...mine },
      { _id: 21, type: 'inbox', ...mine },
      { _id: 22, type: 'outbox', ...mine },
    ])
    const outcomeLater = phone.driver.follow?.(order, 'submitted', never)
    setImmediate(() => phone.setTexts([{ _id: 22, type, ...mine }]))
    assert.deepEqual(await passing(phone.clock, outcomeLater), outcome)
  })
}

test(
  'after a crash the sent folder decides; an older message with the same text proves nothing',
  options,
  async t => {
    const phone = new TermuxPhone(t)
    phone.setTexts([{ _id: 25, type: 'sent', ...mine }])
    assert.deepEqual(await phone.driver.lookUp?.(order, never), { state: 'sent' })
    phone.setTexts([{ _id: 25, type: '', ...mine }])
    assert.deepEqual(await phone.driver.lookUp?.(order, never), { state: 'submitted' })
    phone.setTexts([{ _id: 20, type: 'sent', ...mine }])
    const beforeMs = phone.clock.monotonicMs()
    assert.equal(await passing(phone.clock, phone.driver.lookUp?.(order, never)), 'not-sent')
    assert.ok(phone.clock.monotonicMs() - beforeMs >= 60_000, 'the driver waits a minute for the radio')
  },
)

test('the first message that a phone ever sends is followed to its end', options, async t => {
  const phone = new TermuxPhone(t)
  for (const earlier of [[], [{ _id: 30, type: 'inbox', address: '+15550111', body: 'x' }]]) {
    phone.setTexts(earlier)
    const first = { ...order, mark: (await phone.driver.mark?.()) ?? null }
    phone.setTexts([...earlier, { _id: 31, type: 'sent', ...mine }])
    const followed = passing(phone.clock, phone.driver.follow?.(first, 'submitted', never))
    assert.deepEqual(await followed, { state: 'sent' })
    assert.deepEqual(await phone.driver.lookUp?.(first, never), { state: 'sent' })
  }
})

test(
  'if the sent folder stays empty, the exit code decides; after a crash the outcome is unknown',
  options,
  async t => {
    const phone = new TermuxPhone(t)
    phone.setTexts([{ _id: 30, type: 'inbox', address: '+15550111', body: 'x' }])
    const first = { ...order, mark: (await phone.driver.mark?.()) ?? null }
    assert.equal(await passing(phone.clock, phone.driver.lookUp?.(first, never)), 'unknown')
    const followed = passing(phone.clock, phone.driver.follow?.(first, 'submitted', never))
    assert.deepEqual(await followed, { state: 'sent' })
  },
)

test(
  'without a mark the exit code decides; without a list, or after a crash, the outcome is unknown',
  options,
  async t => {
    const phone = new TermuxPhone(t)
    assert.equal(await phone.driver.lookUp?.({ ...order, mark: null }, never), 'unknown')
    const unseen = { ...order, mark: null }
    assert.deepEqual(await phone.driver.follow?.(unseen, 'submitted', never), { state: 'sent' })
    phone.script('termux-sms-list', 'echo not json')
    assert.equal(await passing(phone.clock, phone.driver.lookUp?.(order, never)), 'unknown')
    assert.equal(await passing(phone.clock, phone.driver.follow?.(order, 'submitted', never)), null)
  },
)

test('a list that cannot be read is read again', options, async t => {
  const phone = new TermuxPhone(t)
  phone.setTexts([{ _id: 25, type: 'sent', ...mine }])
  const list = phone.read('termux-sms-list')
  const untilItRead = `[ -e "$0.once" ] || { touch "$0.once"; exit 1; }`
  phone.script('termux-sms-list', `${untilItRead}\n${list}`)
  assert.deepEqual(await passing(phone.clock, phone.driver.lookUp?.(order, never)), { state: 'sent' })
  phone.script('termux-sms-list', `${untilItRead.replaceAll('once', 'twice')}\n${list}`)
  assert.deepEqual(await passing(phone.clock, phone.driver.follow?.(order, 'submitted', never)), {
    state: 'sent',
  })
})

test(
  'the first look at the inbox only notes its end; later looks return new texts, oldest first',
  options,
  async t => {
    const phone = new TermuxPhone(t)
    const inbox = (_id: number, body: string) => ({ _id, type: 'inbox', address: '+15550199', body })
    phone.setTexts([{ ...inbox(31, 'old'), received: '2026-01-31 18:05:59' }])
    assert.deepEqual(await phone.driver.incoming?.(null), {
      messages: [],
      cursor: '31 2026-01-31 18:05:59',
    })
    phone.setTexts([
      { ...inbox(33, 'second'), received: '2026-01-31 18:06:59' },
      { ...inbox(32, 'first') },
      inbox(31, 'old'),
    ])
    const fresh = await phone.driver.incoming?.('31 2026-01-31 18:05:59')
    assert.equal(fresh?.cursor, '33 2026-01-31 18:06:59')
    assert.deepEqual(
      fresh?.messages.map(({ from, message }) => [from, message]),
      [
        ['+15550199', 'first'],
        ['+15550199', 'second'],
      ],
    )
    assert.equal(fresh?.messages[1]?.at, new Date('2026-01-31T18:06:59').toISOString())
    phone.script('termux-sms-list', 'exit 1')
    assert.deepEqual(await phone.driver.incoming?.('33'), { messages: [], cursor: '33' })
  },
)

test('a new message that reuses the id of a deleted one is reported', options, async t => {
  const phone = new TermuxPhone(t)
  const inbox = (_id: number, time: string) => {
    return { _id, type: 'inbox', address: '+15550199', body: time, received: `2026-01-31 ${time}` }
  }
  let cursor: string | null = null
  const newTimes = async (...list: Sms[]) => {
    phone.setTexts(list)
    const found: Incoming | undefined = await phone.driver.incoming?.(cursor)
    cursor = found?.cursor ?? null
    return found?.messages.map(({ message }) => message)
  }
  assert.deepEqual(await newTimes(inbox(7, '10:00:00'), inbox(6, '09:00:00')), [])
  // Android continues from the highest id that exists.
  assert.deepEqual(await newTimes(inbox(7, '11:00:10'), inbox(6, '09:00:00')), ['11:00:10'])
  assert.deepEqual(await newTimes(inbox(6, '09:00:00')), [])
  assert.deepEqual(await newTimes(inbox(7, '12:00:20'), inbox(6, '09:00:00')), ['12:00:20'])
  assert.deepEqual(await newTimes(), [])
  assert.deepEqual(await newTimes(inbox(2, '13:00:40'), inbox(1, '13:00:30')), ['13:00:30', '13:00:40'])
  // The phone moved to another time zone, so no message is new.
  assert.deepEqual(await newTimes(inbox(2, '16:00:40'), inbox(1, '16:00:30')), [])
})

test('reading the inbox continues from the cursor of an earlier version of the agent', options, async t => {
  const phone = new TermuxPhone(t)
  const inbox = { type: 'inbox', address: '+15550199', received: '2026-01-31 18:05:59' }
  phone.setTexts([
    { ...inbox, _id: 32, body: 'new' },
    { ...inbox, _id: 31, body: 'old' },
  ])
  const found = await phone.driver.incoming?.('31')
  assert.deepEqual([found?.messages.length, found?.cursor], [1, '32 2026-01-31 18:05:59'])
})

test('a command whose child keeps the output open ends at its time limit', options, async t => {
  const phone = new TermuxPhone(t)
  const behind = `'echo $$ > "$0.pid"; mv "$0.pid" "$0.behind"; exec sleep 600'`
  phone.script('termux-sms-send', `setsid sh -c ${behind} "$0" &`)
  const outcome = phone.driver.send(order, never)
  while (!phone.has('termux-sms-send.behind')) await nextTurn()
  const pid = Number(phone.read('termux-sms-send.behind'))
  t.after(() => process.kill(pid))
  phone.clock.advance(AGENT_COMMAND_MS_MAX)
  assert.deepEqual(await outcome, { state: 'uncertain', code: 'TERMUX_TIMED_OUT' })
})

test('the phone is called after its maker and model', options, async t => {
  const phone = new TermuxPhone(t)
  const name = () => phone.driver.phoneName?.()
  assert.equal(await name(), null)
  phone.script('getprop', 'case $1 in *.model) echo FP4;; *) echo Fairphone;; esac')
  assert.equal(await name(), 'Fairphone FP4')
  phone.script('getprop', 'case $1 in *.model) echo "Pixel 7";; esac')
  assert.equal(await name(), 'Pixel 7')
  phone.script('getprop', 'case $1 in *.model) echo "motorola edge";; *) echo Motorola;; esac')
  assert.equal(await name(), 'motorola edge')
})

test('battery, signal and SIM are read; a value that Android does not know is null', options, async t => {
  const phone = new TermuxPhone(t)
  phone.setAnswer('termux-battery-status', {
    health: 'GOOD',
    percentage: 71,
    plugged: 'UNPLUGGED',
    status: 'DISCHARGING',
  })
  phone.setAnswer('termux-telephony-cellinfo', [
    { type: 'lte', registered: false, dbm: -60 },
    { type: 'lte', registered: true, dbm: -101 },
  ])
  phone.setAnswer('termux-telephony-deviceinfo', {
    sim_operator_name: 'Example Mobile',
    sim_country_iso: 'de',
    sim_state: 'ready',
  })
  assert.deepEqual(await phone.driver.telemetry?.(), { battery: 71, charging: false, signal: -101 })
  const sim = { slot: 1, carrier: 'Example Mobile', countryCode: 'DE', phoneNumber: null }
  assert.deepEqual(await phone.driver.sims?.(), [sim])
  phone.setAnswer('termux-battery-status', { status: 'UNKNOWN' })
  phone.setAnswer('termux-telephony-cellinfo', [{ registered: true, dbm: 2_147_483_647 }])
  phone.setAnswer('termux-telephony-deviceinfo', { sim_state: 'absent' })
  assert.deepEqual(await phone.driver.telemetry?.(), { battery: null, charging: null, signal: null })
  assert.deepEqual(await phone.driver.sims?.(), [])
})
