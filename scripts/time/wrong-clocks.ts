/** The week without power, the power cut, and the clock that is wrong, with the real program. */
import * as v from 'valibot'
import { TimedGateway } from '#scripts/time/timed-gateway.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'

const SECOND = 1000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START_MS = Date.UTC(2027, 0, 15, 12)
const NUMBER = '+14155550123'

export interface Judge {
  readonly say: (words: string) => void
  /** Says whether it is so. What is not, is a fault. */
  readonly expect: (isRight: boolean, words: string) => void
}

const Sent = v.object({ messageId: v.string() })
const Message = v.object({ status: v.string(), createdAt: v.string(), message: v.nullable(v.string()) })
const Received = v.array(v.object({ message: v.string(), receivedAt: v.string() }))

function start(t: Cleaner): Promise<TimedGateway> {
  return TimedGateway.start(t, START_MS)
}

async function send(timed: TimedGateway, more: object = {}): Promise<string> {
  const body = { phoneNumber: NUMBER, message: 'hello', queueIfOffline: true, ...more }
  const { status, data, error } = await timed.gateway.api('POST', '/sms/send', { body })
  if (status !== 200) throw new Error(`not accepted: ${status} ${JSON.stringify(error)}`)
  return v.parse(Sent, data).messageId
}

async function message(timed: TimedGateway, id: string): Promise<v.InferOutput<typeof Message>> {
  return v.parse(Message, (await timed.gateway.api('GET', `/sms/${id}`)).data)
}

async function received(timed: TimedGateway): Promise<v.InferOutput<typeof Received>> {
  return v.parse(Received, (await timed.gateway.api('GET', '/received')).data)
}

function isNear(instant: string | undefined, atMs: number): boolean {
  return instant !== undefined && Math.abs(Date.parse(instant) - atMs) < 5 * SECOND
}

/** Off for eight days, with a clock that is right. It must run on, for hours, and through another start. */
export async function proveWeekOff(t: Cleaner, { expect }: Judge): Promise<void> {
  const timed = await start(t)
  await timed.pass(2 * HOUR)
  const planned = await send(timed, { sendAt: new Date(timed.nowMs + 9 * DAY).toISOString() })
  await timed.off(8 * DAY, { signal: 'SIGKILL' })
  expect((await timed.wrongClocks()).length === 1, 'a clock a week ahead is a problem of the list')
  for (let hours = 0; hours < 6; hours++) await timed.pass(HOUR)
  expect(timed.gateway.program.child.exitCode === null, 'it runs on for six hours')
  await timed.off(MINUTE)
  await timed.pass(3 * HOUR)
  expect(timed.gateway.program.child.exitCode === null, 'it runs on after another start')
  await timed.gateway.cli('clock', 'confirm')
  expect((await timed.wrongClocks()).length === 0, 'the owner confirms the clock')
  await timed.pass(DAY)
  expect((await message(timed, planned)).status === 'sent', 'what was planned for the day after is sent')
}

/** A power cut of eight minutes, and a clock that goes on where it stood, until it is right. */
export async function provePowerCut(t: Cleaner, { expect }: Judge): Promise<void> {
  const timed = await start(t)
  const webhook = { name: 'Backup', recipients: [NUMBER], silentAfterMinutes: 30, gather: true }
  const { token } = await timed.owner<{ token: string }>('POST', '/webhooks', webhook)
  const post = async (text: string) => {
    const response = await fetch(`${timed.gateway.url}/api/v1/webhooks/${token}/trigger`, { method: 'POST', body: text })
    if (!response.ok) throw new Error(`the alert was answered ${response.status}`)
  }
  await timed.pass(10 * MINUTE)
  const planned = await send(timed, { sendAt: new Date(timed.nowMs + 5 * MINUTE).toISOString(), ttl: HOUR / SECOND })
  for (const name of ['A', 'B', 'C', 'D', 'E']) await post(`DOWN ${name}: no answer`)
  const told = () => timed.phone.sent.map(({ message }) => message)
  await timed.pass(20 * SECOND)
  expect(!told().some(text => text.startsWith('1 down')), 'the gathered text waits')
  const offMs = 8 * MINUTE
  await timed.off(offMs, { signal: 'SIGKILL', wrongMs: -offMs })
  const receivedAt = timed.nowMs
  await timed.phone.reportReceived({ id: 'r1', from: '+14155550999', message: 'in the dark' })
  await timed.pass(12 * SECOND)
  timed.setWrong(0)
  await timed.pass(30 * SECOND)
  expect(told().some(text => text.startsWith('1 down')), 'the gathered text comes at once when the clock is right')
  expect((await message(timed, planned)).status === 'sent', 'so does a text that was planned for the time off')
  expect(isNear((await received(timed))[0]?.receivedAt, receivedAt), 'a text that came meanwhile has its right time')
  await timed.pass(20 * MINUTE)
  expect(!told().some(text => text.startsWith('SILENT')), 'the time off is no silence')
  await timed.pass(12 * MINUTE)
  expect(told().filter(text => text.startsWith('SILENT')).length === 1, 'SILENT comes once, in its time')
}

/** Sixteen months behind at a start, and days ahead for twelve seconds. */
export async function proveWrongClock(t: Cleaner, { expect }: Judge): Promise<void> {
  const timed = await start(t)
  await timed.pass(2 * HOUR)
  await timed.off(5 * MINUTE, { wrongMs: -480 * DAY })
  expect((await timed.wrongClocks()).some(words => words.includes('behind')), 'a clock behind is a problem at once')
  const receivedAt = timed.nowMs
  await timed.phone.reportReceived({ id: 'r1', from: '+14155550999', message: 'for my eyes only' })
  const sentAt = timed.nowMs
  const sent = await send(timed, { message: 'a secret text' })
  await timed.pass(12 * SECOND)
  timed.setWrong(0)
  await timed.pass(6 * SECOND)
  expect(isNear((await received(timed))[0]?.receivedAt, receivedAt), 'the received text has its right time')
  expect(isNear((await message(timed, sent)).createdAt, sentAt), 'so has the one that was sent')
  for (let hours = 0; hours < 3; hours++) await timed.pass(HOUR)
  expect((await received(timed))[0]?.message === 'for my eyes only', 'the received text is there after three hours')
  expect((await message(timed, sent)).message === 'a secret text', 'so is the sent one')
  expect((await timed.wrongClocks()).length === 0, 'the clock is no problem any more')
  const planned = await send(timed, { sendAt: new Date(timed.nowMs + HOUR).toISOString(), ttl: 60 })
  for (const isRestarted of [false, true]) {
    timed.setWrong(2 * DAY)
    if (isRestarted) await timed.off(2 * SECOND, { wrongMs: 2 * DAY })
    await timed.pass(12 * SECOND)
    const words = await timed.wrongClocks()
    timed.setWrong(0)
    await timed.pass(6 * SECOND)
    if (!isRestarted) expect(words.some(one => one.includes('ahead')), 'a jump ahead is a problem of the list')
    expect((await message(timed, planned)).status === 'queued', 'a planned text is not ended by it')
  }
  await timed.pass(HOUR)
  expect((await message(timed, planned)).status === 'sent', 'it is sent in its time')
}
