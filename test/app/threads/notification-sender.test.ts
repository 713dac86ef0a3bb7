import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  NOTIFICATIONS_HELD_MAX,
  NotificationSender,
  type SenderPorts,
} from '#app/threads/notification-sender.ts'
import type { CommandInput, CommandName, CommandOutput, Writer } from '#contracts/commands.ts'
import type { AttemptResult } from '#contracts/notification-attempt.ts'
import { signNotifications } from '#pool/tasks/sign-notifications.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { HUNG, NotifiedWorld, OK } from '#test/kit/notified-world.ts'
import type { DeliveryTarget } from '#transport/notification/deliver.ts'

/** Takes everything at once and answers when the test says so. */
class SlowDeliverer {
  readonly sent: DeliveryTarget[] = []
  readonly #waiting: ((result: AttemptResult) => void)[] = []

  deliver(target: DeliveryTarget): Promise<AttemptResult> {
    this.sent.push(target)
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  answer(result: AttemptResult): void {
    for (const resolve of this.#waiting.splice(0)) resolve(result)
  }

  async close(): Promise<void> {
    this.answer({ ...HUNG, error: 'STOPPED' })
  }
}

function rig(change: Partial<SenderPorts> = {}) {
  const given = new NotifiedWorld()
  const deliverer = new SlowDeliverer()
  const faults: unknown[] = []
  let refusing = false
  const writer: Writer = {
    async ask<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> {
      await nextTurn()
      if (refusing) throw new Error('refused')
      return given.world.ask(name, input)
    },
  }
  const sender = new NotificationSender({
    writer,
    deliverer,
    mailer: { deliver: async () => OK, close: async () => undefined },
    signBatch: async batch => signNotifications(batch),
    nowMs: () => given.world.wallMs,
    random: () => 0.5,
    faulted: error => faults.push(error),
    ...change,
  })
  const refuse = (on: boolean) => {
    refusing = on
  }
  return { given, deliverer, faults, sender, refuse }
}

/** Runs everything that is ready without advancing the clock. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await nextTurn()
}

function testEvent(given: NotifiedWorld): string {
  return given.world.ask('notification.test', { accountId: given.accountId }).id
}

test('a due delivery is posted once, and its result is stored', async () => {
  const { given, deliverer, sender } = rig()
  given.subscribe()
  const id = testEvent(given)
  for (let turn = 0; turn < 5; turn += 1) sender.wake()
  await settle()
  assert.deepEqual(
    deliverer.sent.map(({ headers }) => headers['x-webhook-id']),
    [id],
  )
  deliverer.answer(OK)
  await settle()
  assert.equal(given.deliveries()[0]?.status, 'delivered')
  await sender.stop()
})

test('a delivery that does not end before a stop stays pending, with its id', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { given, deliverer, sender } = rig()
  given.subscribe()
  testEvent(given)
  sender.wake()
  await settle()
  assert.equal(deliverer.sent.length, 1)
  const stopped = sender.stop()
  await settle()
  t.mock.timers.tick(3_000)
  await stopped
  const [delivery] = given.deliveries()
  assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 0])
  sender.wake()
  await settle()
  assert.equal(deliverer.sent.length, 1, 'a stopped sender takes no deliveries')
})

test('a stopping sender reports deliveries that end in time and takes no new ones', async () => {
  const { given, deliverer, sender } = rig()
  given.subscribe()
  testEvent(given)
  sender.wake()
  await settle()
  const stopped = sender.stop()
  testEvent(given)
  sender.wake()
  deliverer.answer(OK)
  await stopped
  assert.equal(deliverer.sent.length, 1)
  assert.deepEqual(
    given.deliveries().map(({ status }) => status),
    ['pending', 'delivered'],
  )
})

test('a result that the writer refuses is reported again, and nothing is posted twice', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { given, deliverer, sender, faults, refuse } = rig()
  given.subscribe()
  testEvent(given)
  sender.wake()
  await settle()
  refuse(true)
  deliverer.answer(OK)
  await settle()
  assert.equal(faults.length, 1)
  assert.equal(given.deliveries()[0]?.status, 'pending')
  refuse(false)
  t.mock.timers.tick(1_000)
  await settle()
  assert.equal(given.deliveries()[0]?.status, 'delivered')
  assert.equal(deliverer.sent.length, 1)
  await sender.stop()
})

test('a delivery that the writer gives out again after a restart is not posted twice', async () => {
  const { given, deliverer, sender } = rig()
  given.subscribe()
  testEvent(given)
  sender.wake()
  await settle()
  given.world.restart()
  sender.wake()
  await settle()
  assert.equal(deliverer.sent.length, 1)
  deliverer.answer(OK)
  await settle()
  assert.equal(given.deliveries()[0]?.status, 'delivered')
  await sender.stop()
})

test('a batch that cannot be signed is postponed and costs no attempt', async () => {
  const broken = async () => Promise.reject(new Error('no pool'))
  const { given, deliverer, sender, faults } = rig({ signBatch: broken })
  given.subscribe()
  testEvent(given)
  sender.wake()
  await settle()
  const [delivery] = given.deliveries()
  assert.deepEqual(
    [delivery?.status, delivery?.attempts, delivery?.nextAt],
    ['pending', 0, given.world.wallMs + 1_000],
  )
  assert.deepEqual([deliverer.sent.length, faults.length], [0, 1])
  await sender.stop()
})

test('the sender holds a bounded number of deliveries, however many are due', async () => {
  const { given, deliverer, sender } = rig()
  // One account alone may have fewer.
  const accounts = Array.from({ length: 20 }, (_, number) => {
    const owner = { email: `${number}@example.org`, plan: 'pro', passwordHash: null }
    return given.world.ask('account.create', owner).accountId
  })
  for (let origin = 0; origin < 700; origin += 1) {
    const notificationUrl = `https://t${origin}.test/`
    const accountId = accounts[origin % accounts.length] ?? ''
    given.accept({ accountId, test: true, notificationUrl, phoneNumber: '+15005550001' })
  }
  given.world.advance(5_000)
  sender.wake()
  await settle()
  assert.equal(deliverer.sent.length, NOTIFICATIONS_HELD_MAX)
  for (let time = 0; time < 2; time++) {
    deliverer.answer(OK)
    await settle()
  }
  assert.equal(deliverer.sent.length, 700)
  await sender.stop()
})
