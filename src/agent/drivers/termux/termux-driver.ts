/**
 * Sends through the Android phone that the agent runs on, with Termux:API. `termux-sms-send` passes the
 * text to Android and does not report the result, so its success only means `submitted`. Later Android
 * moves the message to the folder `sent` or `failed`, where the driver looks for it. Android's delivery
 * reports do not reach Termux.
 */
import { type Clock, pause } from '#agent/clock.ts'
import type { Driver, Incoming, Order, Outcome, Telemetry } from '#agent/drivers/driver.ts'
import type { CommandEnd } from '#agent/drivers/run-process.ts'
import { checkTermux, isPermissionMissing } from '#agent/drivers/termux/check-termux.ts'
import { type PhoneSms, TermuxApi } from '#agent/drivers/termux/termux-api.ts'
import type { Received } from '#agent/journal-record.ts'
import type { Sim } from '#contracts/phone-orders.ts'

const LIST_LENGTH = 50
const INBOX_LENGTH = 100
/** How long to wait for Android to file a message. Android files it after the radio has finished. */
const FILED_MS_MAX = 60_000
const POLL_EVERY_MS = 3_000
/** The last character of a mark that was made while the sent folder was empty. */
const EMPTY_FOLDER_SUFFIX = '?'

export function termuxDriver(clock: Clock, env: NodeJS.ProcessEnv): Driver {
  const api = new TermuxApi(clock, env)
  return {
    send: async (order, signal, began) => {
      if (!/^\+?\d{1,20}$/.test(order.phoneNumber)) return { state: 'failed', code: 'INVALID_NUMBER' }
      // Termux counts the slots from 0.
      const slot = order.simSlot === null ? [] : ['-s', String(order.simSlot - 1)]
      const sms = { args: ['-n', order.phoneNumber, ...slot], text: order.message }
      return outcomeOf(await api.sendSms(sms, signal, began))
    },
    mark: () => markOf(api),
    follow: (order, state, signal) =>
      state === 'submitted' ? follow(clock, api, { order, signal }) : Promise.resolve(null),
    lookUp: (order, signal) => lookUp(clock, api, { order, signal }),
    check: () => checkTermux(clock, env),
    phoneName: () => api.phoneName(),
    telemetry: () => telemetryOf(api),
    sims: () => simsOf(api),
    incoming: cursor => incomingSince(api, cursor),
  }
}

interface Search {
  readonly order: Order
  readonly signal: AbortSignal
}

function outcomeOf(end: CommandEnd): Outcome {
  if (end.kind === 'not-started') return MISSING
  if (end.kind !== 'exit')
    return { state: 'uncertain', code: `TERMUX_${end.kind.replace('-', '_').toUpperCase()}` }
  if (end.exitCode === 126 || end.exitCode === 127) return MISSING
  if (end.exitCode !== 0) return { state: 'uncertain', code: `TERMUX_EXIT_${end.exitCode}` }
  if (isPermissionMissing(end.output))
    return { state: 'failed', code: 'PERMISSION_DENIED', detail: errorMessageOf(end.output) }
  return { state: 'submitted' }
}

const MISSING: Outcome = {
  state: 'failed',
  code: 'TERMUX_API_MISSING',
  detail: 'the commands of Termux:API are missing: run in Termux: pkg install termux-api',
}

/** The error message that Termux:API printed. */
function errorMessageOf(output: string): string {
  const [, message] = /"error"\s*:\s*"((?:[^"\\]|\\.)*)"/i.exec(output) ?? []
  return (message ?? output)
    .replace(/\\?[\s\p{Cc}]+|\\n/gu, ' ')
    .trim()
    .slice(0, 300)
}

/**
 * The highest message id on the phone. A text that is sent later gets a higher id. If the sent folder is
 * empty, the phone may be new, or it may not keep sent texts at all. The mark then ends with
 * `EMPTY_FOLDER_SUFFIX`: a text that appears in the folder was sent, but a missing text proves nothing. Null:
 * Termux:API cannot read the messages.
 */
async function markOf(api: TermuxApi): Promise<string | null> {
  const sent = await api.listSms('sent', 1)
  if (sent === null) return null
  const all = await api.listSms('all', LIST_LENGTH)
  if (all === null) return null
  const highest = Math.max(0, ...all.map(sms => sms._id))
  return sent.length > 0 ? String(highest) : `${highest}${EMPTY_FOLDER_SUFFIX}`
}

const hadEmptyFolder = (mark: string) => mark.endsWith(EMPTY_FOLDER_SUFFIX)
const idOf = (mark: string | null) => Number.parseInt(mark ?? '', 10)

/**
 * Waits until Android has filed the message. A list that cannot be read is read again, because Termux:API
 * answers late while the phone sleeps. If the phone does not show sent messages at all, the message counts
 * as `sent`, because the command succeeded. Without this rule, each text of such a phone would end as failed
 * hours after it was sent.
 */
async function follow(clock: Clock, api: TermuxApi, search: Search): Promise<Outcome | null> {
  const { mark } = search.order
  if (mark === null) return { state: 'sent' }
  const begunMs = clock.monotonicMs()
  while (!search.signal.aborted && clock.monotonicMs() - begunMs < FILED_MS_MAX) {
    const found = await find(api, search.order)
    if (found !== null && found !== 'unreadable' && found.state !== 'submitted') return found
    await pause(clock, POLL_EVERY_MS, search.signal)
  }
  return hadEmptyFolder(mark) && !search.signal.aborted ? { state: 'sent' } : null
}

/** Answers `not-sent` only after `FILED_MS_MAX`, and only if the phone is known to keep a sent folder. */
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
      return found === null && !hadEmptyFolder(search.order.mark) ? 'not-sent' : 'unknown'
    }
    await pause(clock, POLL_EVERY_MS, search.signal)
  }
  return 'unknown'
}

/** The state of this message in Android's folders. Only ids above its mark are searched. Null: not found. */
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
    // Android writes 2147483647 for an unknown value.
    signal: dbm !== null && dbm >= -200 && dbm <= 0 ? dbm : null,
  }
}

function chargingOf(status: string | null): boolean | null {
  if (status === 'CHARGING' || status === 'FULL') return true
  return status === 'DISCHARGING' || status === 'NOT_CHARGING' ? false : null
}

/** Termux reports one SIM: the one that Android uses by default. */
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
 * Reads texts that arrived after the cursor. The first call only records where the inbox ends, because older
 * texts belong to the owner, not to the gateway. The cursor is an id and a time, because Android reuses ids:
 * after the newest message was deleted, the next message gets its id, and in an empty inbox ids start at 1.
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
  const added = byId.filter(
    sms => sms._id > seen.id || (isGone && seen.received !== '' && sms.received > seen.received),
  )
  return { messages: added.map(receivedOf), cursor: next }
}

/** Compares minutes and seconds only, because the hour changes when the phone moves to another time zone. */
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
    at: known ? localTime.toISOString() : null,
    simSlot: null,
  }
}
