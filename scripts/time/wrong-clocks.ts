/** The week without power, the power cut, and the clock that is wrong, with the real program. */
import * as v from 'valibot'
import { TimedGateway } from '#scripts/time/timed-gateway.ts'
import type { Cleaner, GatewaySettings } from '#test/kit/gateway-process.ts'
import { startReceiver } from '#test/kit/rogue-receiver.ts'

const SECOND = 1000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START_MS = Date.UTC(2027, 0, 15, 12)
const NUMBER = '+14155550123'

/** Says whether it is so. The program has a moment to do what is due. What is not so then is a fault. */
export type Expect = (isSo: () => boolean | Promise<boolean>, words: string) => Promise<void>

const Received = v.array(v.object({ message: v.string(), receivedAt: v.string() }))
const Setting = v.object({ enabled: v.boolean() })

function start(t: Cleaner, settings: GatewaySettings = {}): Promise<TimedGateway> {
  return TimedGateway.start(t, START_MS, settings)
}

function send(timed: TimedGateway, more: { [field: string]: unknown } = {}): Promise<string> {
  return timed.gateway.send('hello', { queueIfOffline: true, ...more })
}

async function statusOf(timed: TimedGateway, id: string): Promise<string> {
  return (await timed.gateway.message(id)).status
}

async function received(timed: TimedGateway): Promise<v.InferOutput<typeof Received>> {
  return v.parse(Received, (await timed.gateway.api('GET', '/received')).data)
}

function isNear(instant: string | undefined, atMs: number): boolean {
  return instant !== undefined && Math.abs(Date.parse(instant) - atMs) < 5 * SECOND
}

/** A webhook that gathers, after five alerts: the fifth is gathered, and told a minute later. */
async function storm(timed: TimedGateway, name: string, silentAfterMinutes: number) {
  const post = await timed.webhook({ name, recipients: [NUMBER], silentAfterMinutes, gather: true })
  for (const thing of ['A', 'B', 'C', 'D', 'E']) await post({ name: `${name}-${thing}`, status: 'down' })
  const count = (text: RegExp) => timed.phone.sent.filter(({ message }) => text.test(message)).length
  return {
    gathered: () => count(new RegExp(`^1 down: ${name}-E`)),
    silent: () => count(new RegExp(`^SILENT ${name}:`)),
  }
}

/** Off for eight days, with a clock that is right. It must run on, for hours, and through another start. */
export async function proveWeekOff(t: Cleaner, expect: Expect): Promise<void> {
  const timed = await start(t)
  await timed.pass(2 * HOUR)
  const planned = await send(timed, { sendAt: new Date(timed.nowMs + 9 * DAY).toISOString() })
  await timed.off(8 * DAY, { signal: 'SIGKILL' })
  await expect(
    async () => (await timed.wrongClocks()).length === 1,
    'a clock a week ahead is a problem of the list',
  )
  await timed.pass(6 * HOUR)
  await expect(() => timed.gateway.program.child.exitCode === null, 'it runs on for six hours')
  await timed.off(MINUTE)
  await timed.pass(3 * HOUR)
  await expect(() => timed.gateway.program.child.exitCode === null, 'it runs on after another start')
  await expect(async () => (await timed.wrongClocks()).length === 1, 'the clock is still a problem')
  timed.setSynchronised(true)
  await timed.pass(30 * SECOND)
  await expect(
    async () => (await timed.wrongClocks()).length === 0,
    'it is none once the machine says that it is right',
  )
  await timed.pass(DAY)
  await expect(
    async () => (await statusOf(timed, planned)) === 'sent',
    'what was planned for the day after is sent',
  )
}

/** Power cuts of 70 seconds and of three days, with a clock that is right. */
export async function provePowerCut(t: Cleaner, expect: Expect): Promise<void> {
  const timed = await start(t)
  for (const [name, offMs] of [
    ['short', 70 * SECOND],
    ['long', 3 * DAY],
  ] as const) {
    await timed.pass(10 * MINUTE)
    const told = await storm(timed, name, 1)
    await timed.pass(5 * SECOND)
    await timed.off(offMs, { signal: 'SIGKILL' })
    await timed.pass(5 * SECOND)
    await expect(() => told.gathered() === 1, `${name}: the gathered text comes at once`)
    await timed.pass(30 * SECOND)
    await expect(() => told.silent() === 0, `${name}: the time off is no silence`)
    await timed.pass(2 * MINUTE)
    await expect(() => told.silent() === 1, `${name}: SILENT comes once, in its time`)
  }
}

/** After a power cut the clock goes on where it stood, or is behind, and is put right later. */
export async function proveBehind(t: Cleaner, expect: Expect): Promise<void> {
  const timed = await start(t)
  const cuts = [
    { name: 'stood', offMs: 8 * MINUTE, wrongMs: -8 * MINUTE },
    { name: 'behind', offMs: 2 * SECOND, wrongMs: -150 * SECOND },
  ]
  for (const { name, offMs, wrongMs } of cuts) {
    await timed.pass(10 * MINUTE)
    const planned = await send(timed, { sendAt: new Date(timed.nowMs + MINUTE).toISOString(), ttl: 3600 })
    const told = await storm(timed, name, 3)
    const heardAt = timed.nowMs
    await timed.off(offMs, { signal: 'SIGKILL', wrongMs })
    const receivedAt = timed.nowMs
    await timed.phone.reportReceived({ id: name, from: '+14155550999', message: name })
    await timed.pass(12 * SECOND)
    timed.setWrong(0)
    const rightAt = timed.nowMs
    await timed.passUntil(Math.max(heardAt + MINUTE, rightAt) + MINUTE)
    await expect(() => told.gathered() === 1, `${name}: the gathered text is late by less than a minute`)
    await expect(async () => (await statusOf(timed, planned)) === 'sent', `${name}: so is the planned one`)
    await expect(
      async () => isNear((await received(timed))[0]?.receivedAt, receivedAt),
      `${name}: what came has its right time`,
    )
    await timed.passUntil(heardAt + offMs + 170 * SECOND)
    await expect(() => told.silent() === 0, `${name}: the time off is no silence`)
    await timed.pass(70 * SECOND)
    await expect(() => told.silent() === 1, `${name}: SILENT is late by less than a minute`)
  }
}

/** Sixteen months behind at a start, and days ahead for twelve seconds. */
export async function proveWrongClock(t: Cleaner, expect: Expect): Promise<void> {
  const timed = await start(t)
  await timed.pass(2 * HOUR)
  await timed.off(5 * MINUTE, { wrongMs: -480 * DAY })
  await expect(
    async () => (await timed.wrongClocks()).some(words => words.includes('behind')),
    'a clock behind is a problem',
  )
  const at = timed.nowMs
  await timed.phone.reportReceived({ id: 'r1', from: '+14155550999', message: 'for my eyes only' })
  const sent = await send(timed)
  await timed.pass(12 * SECOND)
  timed.setWrong(0)
  await timed.pass(6 * SECOND)
  await expect(
    async () => isNear((await received(timed))[0]?.receivedAt, at),
    'the received text has its right time',
  )
  await expect(
    async () => isNear((await timed.gateway.message(sent)).createdAt, at),
    'so has the one that was sent',
  )
  await timed.pass(3 * HOUR)
  await expect(
    async () => (await received(timed))[0]?.message === 'for my eyes only',
    'the received text is there after retention',
  )
  await expect(async () => (await timed.gateway.message(sent)).message === 'hello', 'so is the sent one')
  await expect(async () => (await timed.wrongClocks()).length === 0, 'the clock is no problem any more')
  const planned = await send(timed, { sendAt: new Date(timed.nowMs + HOUR).toISOString(), ttl: 60 })
  for (const isRestarted of [false, true]) {
    if (isRestarted) await timed.off(2 * SECOND, { wrongMs: 2 * DAY })
    else timed.setWrong(2 * DAY)
    await timed.pass(12 * SECOND)
    const words = await timed.wrongClocks()
    timed.setWrong(0)
    await timed.pass(6 * SECOND)
    const jump = isRestarted ? 'a start ahead' : 'a jump ahead'
    if (!isRestarted)
      await expect(() => words.some(one => one.includes('ahead')), `${jump} is a problem of the list`)
    await expect(
      async () => (await statusOf(timed, planned)) === 'queued',
      `${jump} does not end a planned text`,
    )
  }
  await timed.pass(HOUR)
  await expect(async () => (await statusOf(timed, planned)) === 'sent', 'it is sent in its time')
}

/** A failed post, six days without power, and one more. */
export async function proveNotifications(t: Cleaner, expect: Expect): Promise<void> {
  let status = 500
  const receiver = await startReceiver((_, response) => response.writeHead(status).end())
  t.after(() => receiver.close())
  const timed = await start(t, { env: { ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '["127.0.0.1"]' } })
  await timed.owner('PUT', '/notifications', { url: receiver.url, events: ['sms.sent'] })
  await send(timed)
  await timed.pass(MINUTE)
  await expect(() => receiver.requests.length > 0, 'a post fails')
  const before = receiver.requests.length
  await timed.off(6 * DAY, { signal: 'SIGKILL' })
  await timed.pass(10 * MINUTE)
  await expect(() => receiver.requests.length > before, 'six days later one more fails')
  await timed.pass(SECOND)
  const { enabled } = v.parse(Setting, await timed.owner('GET', '/notifications'))
  await expect(() => enabled, 'notifications are still on')
  status = 200
  await timed.pass(3 * HOUR)
  const deliveries = v.parse(
    v.array(v.object({ status: v.string() })),
    await timed.owner('GET', '/notifications/deliveries'),
  )
  await expect(() => deliveries.every(one => one.status === 'delivered'), 'the event arrives')
}
