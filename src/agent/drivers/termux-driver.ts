/**
 * Sends through the Android phone that this runs on, by Termux:API. `termux-sms-send` hands the text to
 * Android and does not report the result, so success is only `submitted`; Android then files the
 * message under `sent` or `failed`, and that is where the driver looks. Android's delivery reports do not
 * reach it.
 */
import { type Clock, pause } from '#agent/clock.ts'
import { checkTermux, isPermissionMissing } from '#agent/drivers/check-termux.ts'
import type { Driver, Incoming, Order, Outcome, Telemetry } from '#agent/drivers/driver.ts'
import type { CommandEnd } from '#agent/drivers/run-command.ts'
import { type PhoneSms, TermuxApi } from '#agent/drivers/termux-api.ts'
import type { Received } from '#agent/journal-record.ts'
import type { Sim } from '#contracts/phone-orders.ts'

const LIST_LENGTH = 50
const INBOX_LENGTH = 100
/** Android files a message after the radio has finished with it, not before. */
const FILED_MS_MAX = 60_000
const LOOK_MS = 3_000
/** Ends a mark that was set while the sent folder was empty. */
const IN_DOUBT = '?'

export function termuxDriver(clock: Clock, env: NodeJS.ProcessEnv): Driver {
  const api = new TermuxApi(clock, env)
  return {
    send: async (order, signal) => {
      if (!/^\+?\d{1,20}$/.test(order.phoneNumber)) return { state: 'failed', code: 'INVALID_NUMBER' }
      // Termux counts the slots from 0.
      const slot = order.simSlot === null ? [] : ['-s', String(order.simSlot - 1)]
      return outcomeOf(await api.sendSms(['-n', order.phoneNumber, ...slot], order.message, signal))
    },
    mark: () => markOf(api),
    follow: (order, state, signal) =>
      state === 'submitted' ? follow(clock, api, { order, signal }) : noMore(),
    lookUp: (order, signal) => lookUp(clock, api, { order, signal }),
    check: () => checkTermux(clock, env),
    telemetry: () => telemetryOf(api),
    sims: () => simsOf(api),
    incoming: cursor => incomingSince(api, cursor),
  }
}

interface Search {
  readonly order: Order
  readonly signal: AbortSignal
}

const noMore = () => Promise.resolve(null)

function outcomeOf(end: CommandEnd): Outcome {
  if (end.kind === 'not-started') return MISSING
  if (end.kind !== 'exit')
    return { state: 'uncertain', code: `TERMUX_${end.kind.replace('-', '_').toUpperCase()}` }
  if (end.exitCode === 126 || end.exitCode === 127) return MISSING
  if (end.exitCode !== 0) return { state: 'uncertain', code: `TERMUX_EXIT_${end.exitCode}` }
  if (isPermissionMissing(end.output))
    return { state: 'failed', code: 'PERMISSION_DENIED', detail: wordsOf(end.output) }
  return { state: 'submitted' }
}

const MISSING: Outcome = {
  state: 'failed',
  code: 'TERMUX_API_MISSING',
  detail: 'the commands of Termux:API are missing: run in Termux: pkg install termux-api',
}

/** The sentence of Termux:API. */
function wordsOf(output: string): string {
  const [, words] = /"error"\s*:\s*"((?:[^"\\]|\\.)*)"/i.exec(output) ?? []
  return (words ?? output)
    .replace(/\\?[\s\p{Cc}]+|\\n/gu, ' ')
    .trim()
    .slice(0, 300)
}

/**
 * The highest id in use: what this agent sends gets a higher one. With the sent folder empty it is in doubt
 * whether the phone keeps one (a new phone has sent nothing yet): what appears after such a mark is proof,
 * what does not appear proves nothing. Null where the messages are not to be seen.
 */
async function markOf(api: TermuxApi): Promise<string | null> {
  const sent = await api.listSms('sent', 1)
  if (sent === null) return null
  const all = await api.listSms('all', LIST_LENGTH)
  if (all === null) return null
  const highest = Math.max(0, ...all.map(sms => sms._id))
  return sent.length > 0 ? String(highest) : `${highest}${IN_DOUBT}`
}

const isInDoubt = (mark: string) => mark.endsWith(IN_DOUBT)
const idOf = (mark: string | null) => Number.parseInt(mark ?? '', 10)

/**
 * Waits for what Android files. A list that cannot be read now may be at the next look: Termux:API answers
 * late while the phone sleeps. Where it files nothing, or does not show it, there is only the exit code, and
 * that decides as it does for any other command: else each text would end as failed hours after it left.
 */
async function follow(clock: Clock, api: TermuxApi, search: Search): Promise<Outcome | null> {
  const { mark } = search.order
  if (mark === null) return { state: 'sent' }
  const begunMs = clock.monotonicMs()
  while (!search.signal.aborted && clock.monotonicMs() - begunMs < FILED_MS_MAX) {
    const found = await find(api, search.order)
    if (found !== null && found !== 'unreadable' && found.state !== 'submitted') return found
    await pause(clock, LOOK_MS, search.signal)
  }
  return isInDoubt(mark) && !search.signal.aborted ? { state: 'sent' } : null
}

/** Says `not-sent` only when the radio has had its time and the folder is known to be kept. */
async function lookUp(
  clock: Clock,
  api: TermuxApi,
  search: Search,
): Promise<Outcome | 'not-sent' | 'unknown'> {
  if (search.order.mark === null) return 'unknown'
  const begunMs = clock.monotonicMs()
  while (!search.signal.aborted) {
    const found = await find(api, search.order)
    if (found !== null && found !== 'unreadable') return found
    if (clock.monotonicMs() - begunMs >= FILED_MS_MAX) {
      return found === null && !isInDoubt(search.order.mark) ? 'not-sent' : 'unknown'
    }
    await pause(clock, LOOK_MS, search.signal)
  }
  return 'unknown'
}

/** What Android has filed about this message since its mark; null: nothing. */
async function find(api: TermuxApi, order: Order): Promise<Outcome | null | 'unreadable'> {
  const list = await api.listSms('all', LIST_LENGTH)
  if (list === null) return 'unreadable'
  const after = idOf(order.mark)
  const mine = list.filter(sms => sms._id > after && sms.type !== 'inbox' && isTextOf(sms, order))
  if (mine.some(sms => sms.type === 'sent')) return { state: 'sent' }
  if (mine.some(sms => sms.type === 'failed')) return { state: 'failed', code: 'RADIO_FAILURE' }
  return mine.length > 0 ? { state: 'submitted' } : null
}

function isTextOf(sms: PhoneSms, order: Order): boolean {
  return digitsOf(addressOf(sms)) === digitsOf(order.phoneNumber) && sms.body?.trim() === order.message.trim()
}

const addressOf = (sms: PhoneSms) => sms.address ?? sms.number ?? ''
const digitsOf = (number: string) => number.replace(/\D/g, '')

async function telemetryOf(api: TermuxApi): Promise<Telemetry> {
  const [battery, cells] = [await api.battery(), await api.cellInfo()]
  const dbm = cells?.find(cell => cell.registered && cell.dbm !== null)?.dbm ?? null
  const percentage = battery?.percentage ?? null
  return {
    battery: percentage !== null && percentage >= 0 && percentage <= 100 ? percentage : null,
    charging: chargingOf(battery?.status ?? null),
    // Android writes 2147483647 for what it does not know.
    signal: dbm !== null && dbm >= -200 && dbm <= 0 ? dbm : null,
  }
}

function chargingOf(status: string | null): boolean | null {
  if (status === 'CHARGING' || status === 'FULL') return true
  return status === 'DISCHARGING' || status === 'NOT_CHARGING' ? false : null
}

/** Termux tells of one SIM, the one that Android sends with when none is named. */
async function simsOf(api: TermuxApi): Promise<readonly Sim[]> {
  const info = await api.deviceInfo()
  if (info === null || info.sim_state === 'absent') return []
  const country = info.sim_country_iso ?? ''
  return [
    {
      slot: 1,
      carrier: info.sim_operator_name?.slice(0, 80) || null,
      countryCode: /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : null,
      phoneNumber: null,
    },
  ]
}

/**
 * The first look only notes where the inbox ends: old messages are the owner's, not the gateway's. The end is
 * a number and a time, because Android gives numbers again: once the newest message is deleted, the next one
 * that comes in has its number, and after all are deleted they begin at 1.
 */
async function incomingSince(api: TermuxApi, cursor: string | null): Promise<Incoming> {
  const inbox = await api.listSms('inbox', INBOX_LENGTH)
  if (inbox === null) return { messages: [], cursor }
  const byId = inbox.toSorted((a, b) => a._id - b._id)
  const last = byId.at(-1)
  if (last === undefined) return { messages: [], cursor: cursor ?? '0' }
  const next = `${last._id} ${last.received}`.trimEnd()
  if (cursor === null) return { messages: [], cursor: next }
  const [seenId = '', ...seenTime] = cursor.split(' ')
  const seen = { id: Number(seenId), received: seenTime.join(' ') }
  const isGone = !byId.some(sms => sms._id === seen.id && isSameTime(sms.received, seen.received))
  const fresh = byId.filter(
    sms => sms._id > seen.id || (isGone && seen.received !== '' && sms.received > seen.received),
  )
  return { messages: fresh.map(receivedOf), cursor: next }
}

/** Compares without the hour: in another time zone the phone shows another hour for the same message. */
function isSameTime(one: string, other: string): boolean {
  return one.slice(-5) === other.slice(-5)
}

function receivedOf(sms: PhoneSms): Received {
  const localTime = new Date(sms.received.replace(' ', 'T'))
  const known = !Number.isNaN(localTime.getTime())
  return {
    id: `sms-${sms._id}-${sms.received.replace(/\D/g, '')}`,
    from: addressOf(sms).slice(0, 64),
    message: (sms.body ?? '').slice(0, 10_000),
    at: (known ? localTime : new Date(0)).toISOString(),
    simSlot: null,
  }
}
