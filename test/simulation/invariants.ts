/** The invariants that every trial must satisfy, whatever its faults were. */
import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { Phone } from '#domain/device/phone.ts'
import type { Fleet } from '#domain/fleet.ts'
import type { Message } from '#domain/message/message.ts'
import { restoreFleet } from '#domain/restore-fleet.ts'
import type { Now } from '#domain/time.ts'
import type { Batch } from '#storage/batch.ts'
import { readFleet } from '#storage/memory.ts'
import { messageOfRow } from '#storage/message-row.ts'
import type { Bench } from '#test/simulation/bench.ts'

/** What callers and phones observed. */
export interface Seen {
  /** Messages whose caller got the answer that they were accepted. */
  readonly accepted: Set<string>
  readonly cancelled: Set<string>
  /** Messages that still had enough time to live when the faults ended. */
  readonly inTime: Set<string>
  readonly transmitted: { readonly messageId: string; readonly attempt: number; readonly phone: number }[]
  /** Every `go` that was sent, as `message/attempt`. */
  readonly told: string[]
  /** The phone that each `message/attempt` was handed to. */
  readonly handed: Map<string, number>
  readonly wrong: string[]
}

export interface Outcome {
  /** The violated invariants; empty if there are none. */
  readonly wrong: readonly string[]
  /** How each message ended: its status, or its failure code. */
  readonly ends: readonly string[]
}

/** Failure codes with which a message may have been transmitted nevertheless. */
const UNCERTAIN: ReadonlySet<string> = new Set([
  'OUTCOME_UNKNOWN',
  'EXPIRED',
  'UNDELIVERED',
  'GENERIC_FAILURE',
])

export function checkOutcome(database: DatabaseSync, seen: Seen): Outcome {
  const wrong = [...seen.wrong]
  const messages = new Map(
    database
      .prepare('SELECT * FROM message')
      .all()
      .map(row => [String(row['id']), messageOfRow(row)]),
  )
  for (const id of seen.accepted) if (!messages.has(id)) wrong.push(`lost: ${id} was accepted and is gone`)
  for (const message of messages.values()) wrong.push(...checkMessage(message, seen))
  const told = new Set(seen.told)
  if (told.size !== seen.told.length) wrong.push(`go left twice for one attempt: ${seen.told.join(' ')}`)
  return { wrong, ends: [...messages.values()].map(({ status, failure }) => failure?.code ?? status) }
}

function checkMessage(message: Message, seen: Seen): string[] {
  const { id, status, failure } = message
  const times = seen.transmitted.filter(({ messageId }) => messageId === id).length
  const wrong: string[] = []
  if (times > 1) wrong.push(`duplicate: ${id} was transmitted ${times} times`)
  if (status === 'queued' || status === 'sending') wrong.push(`stuck: ${id} is ${status}`)
  if (status === 'sent' || status === 'delivered') {
    if (times === 0) wrong.push(`lost: ${id} is ${status} and was never transmitted`)
  } else if (failure === null) wrong.push(`lost: ${id} failed without a reason`)
  else if (times > 0 && !UNCERTAIN.has(failure.code))
    wrong.push(`wrong: ${id} failed with ${failure.code} and was transmitted`)
  if (seen.inTime.has(id) && failure?.code === 'EXPIRED') wrong.push(`stuck: ${id} expired with idle phones`)
  if (seen.cancelled.has(id) && failure?.code !== 'CANCELLED') wrong.push(`wrong: ${id} was cancelled`)
  return wrong
}

/** Memory equals a fresh load from the database, except offers, waits and retries, which no row stores. */
export function checkMemory(bench: Bench, batch: Batch, now: Now): string[] {
  const context = { now, settings: bench.settings, before: null, clock: { heldMs: () => 0 } }
  const { fleet: fresh } = restoreFleet(readFleet(bench.database), context)
  const wrong: string[] = []
  const memory = inWords(batch.fleet)
  const rows = inWords(fresh)
  if (!isDeepStrictEqual(memory, rows))
    wrong.push(`memory ${JSON.stringify(memory)} is not what the rows say ${JSON.stringify(rows)}`)
  return [...wrong, ...checkPlaces(batch.fleet)]
}

function inWords(fleet: Fleet) {
  const messages = [...fleet.messages.values()].map(open => {
    // The time is computed from the wall clock, which may have been set since.
    const { stage, expiresAtMono: _expires, goes: _goes, queue: _queue, isByRow: _isByRow, ...more } = open
    const { look: _look, ...rest } = more
    if (stage === 'sending') return { ...rest, stage }
    // The row of a retried message names the phone that got `go`, not the phone it waits for.
    const deviceId = open.attempt === 0 || open.pinned ? open.deviceId : null
    return { ...rest, deviceId, stage: 'queued' }
  })
  messages.sort((a, b) => (a.id < b.id ? -1 : 1))
  const phones = [...fleet.phones.values()].map(phone => {
    const sending = [...phone.flights.values()].filter(({ message }) => message.stage === 'sending')
    return {
      device: phone.device,
      sending: sending.map(flight => `${flight.message.id}/${flight.attempt}`).sort(),
    }
  })
  return { messages, phones }
}

/** Every message is in exactly the queue or list that its `place` names. */
function checkPlaces(fleet: Fleet): string[] {
  const wrong: string[] = []
  const counts = { waiting: 0, flying: 0 }
  for (const open of fleet.messages.values()) {
    if (open.stage === 'waiting') counts.waiting += 1
    if (open.stage === 'offered' || open.stage === 'sending') {
      counts.flying += 1
      const phone = open.deviceId === null ? undefined : fleet.phones.get(open.deviceId)
      if (phone?.flights.get(open.id)?.message !== open) wrong.push(`${open.id} is ${open.stage} nowhere`)
    }
  }
  const phones = [...fleet.phones.values()]
  const accounts = new Set(phones.map(phone => phone.device.accountId))
  const sum = (of: (phone: Phone) => number) => phones.reduce((total, phone) => total + of(phone), 0)
  const unassigned = [...accounts].reduce((total, id) => total + fleet.unassigned(id).length, 0)
  const queued = unassigned + sum(phone => phone.queueLength)
  if (queued !== counts.waiting) wrong.push(`${queued} stand in queues, ${counts.waiting} are waiting`)
  const flights = sum(phone => phone.flights.size)
  if (flights !== counts.flying) wrong.push(`${flights} flights, ${counts.flying} messages fly`)
  return wrong
}
