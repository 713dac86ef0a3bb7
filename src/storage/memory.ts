import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { CommandCall, CommandInput } from '#contracts/commands.ts'
import type { BelievedClock } from '#domain/clock/believed-clock.ts'
import type { Deadlines } from '#domain/deadlines.ts'
import type { DeviceGroup } from '#domain/device/phone-group.ts'
import { halfHourEnd } from '#domain/device/record-history.ts'
import type { Fleet } from '#domain/fleet.ts'
import { restoreFleet, STORED_FIELDS, type StoredFleet, type StoredMessage } from '#domain/restore-fleet.ts'
import { forgetPhoneSession } from '#domain/sending/close-phone-session.ts'
import type { Settings } from '#domain/settings.ts'
import { type OpenCodes, restoreCodes } from '#domain/two-factor/open-codes.ts'
import { namesOf } from '#storage/columns.ts'
import { deviceOf } from '#storage/device-writer.ts'
import { openDrillStore } from '#storage/drill-store.ts'
import { openIncidentStore } from '#storage/incident-store.ts'
import { messageColumns } from '#storage/message-row.ts'
import { text } from '#storage/row.ts'
import { readOpenCodes } from '#storage/two-factor-writer.ts'
import { readSilences, readStorms, readWebhooksWithHeldAlerts } from '#storage/webhook-reader.ts'

const STORED: ReadonlySet<string> = new Set(STORED_FIELDS)
const COLUMNS = messageColumns((_, name) => STORED.has(name))

/** Pause of retention after a failed transaction: on a full disk it would only fail again. */
const RETENTION_AFTER_FAULT_MS = 60_000

/** A part of the writer whose state in memory must follow each commit and each rollback. */
export interface TransactionObserver {
  /** Called when a transaction was committed. */
  commit?(): void
  /** Called when the transaction of these calls was rolled back: undo its changes. */
  discard(calls: readonly CommandCall[]): void
}

export interface MemoryPorts {
  readonly database: DatabaseSync
  readonly settings: Settings
}

/**
 * Phones, open messages, deadlines and open codes. Read from the database at the start and after an error.
 */
export class Memory implements TransactionObserver {
  fleet: Fleet
  deadlines: Deadlines
  openCodes: OpenCodes
  readonly #ports: MemoryPorts
  readonly #clock: BelievedClock

  constructor(ports: MemoryPorts, clock: BelievedClock) {
    this.#ports = ports
    this.#clock = clock
    const { fleet, deadlines, openCodes } = this.#restore(null)
    this.fleet = fleet
    this.deadlines = deadlines
    this.openCodes = openCodes
  }

  commit(): void {
    this.fleet.uncommittedSessions.clear()
    this.fleet.committedRings = this.fleet.rings
  }

  discard(calls: readonly CommandCall[]): void {
    // A connection that was lost stays lost, although the transaction that recorded it was rolled back.
    for (const { name, input } of calls)
      if (name === 'phone.closed') forgetPhoneSession(this.fleet, input as CommandInput<'phone.closed'>)
    const { fleet, deadlines, openCodes } = this.#restore({ fleet: this.fleet, openCodes: this.openCodes })
    this.fleet = fleet
    this.deadlines = deadlines
    this.openCodes = openCodes
  }

  /** Builds the state from the database. `before`: the earlier state in memory; null: the writer starts. */
  #restore(before: { readonly fleet: Fleet; readonly openCodes: OpenCodes } | null) {
    const { settings, database } = this.#ports
    const clock = this.#clock
    const now = clock.now()
    const known = { now, clock, settings, before: before?.fleet ?? null }
    const { fleet, deadlines } = restoreFleet(readFleet(database), known)
    const codes = { now, deadlines, before: before?.openCodes ?? null }
    const openCodes = restoreCodes(readOpenCodes(database), codes)
    deadlines.add(now.monoMs + (before === null ? 0 : RETENTION_AFTER_FAULT_MS), 'retention', '')
    deadlines.add(halfHourEnd(now), 'history', '')
    for (const id of readWebhooksWithHeldAlerts(database)) deadlines.add(now.monoMs, 'overflow', id)
    // Each finds out itself, from its row, when it is due: the first transaction may move it.
    for (const id of readStorms(database)) deadlines.add(now.monoMs, 'storm', id)
    for (const id of readSilences(database)) deadlines.add(now.monoMs, 'silence', id)
    for (const id of openIncidentStore(database).due()) deadlines.add(now.monoMs, 'incident', id)
    for (const { id } of openDrillStore(database).open()) deadlines.add(now.monoMs, 'drill', id)
    for (const { id, device } of fleet.phones.values())
      if (device.drill !== null) deadlines.add(now.monoMs, 'drill-plan', id)
    return { fleet, deadlines, openCodes }
  }
}

/**
 * Reads the devices and open messages that the writer keeps in memory. The start waits for this, so the query
 * uses the index of open messages, which are few, and reads only the needed columns, as arrays.
 */
export function readFleet(database: DatabaseSync): StoredFleet {
  const devices = database.prepare('SELECT * FROM device WHERE removed_at IS NULL ORDER BY id')
  const messages = database.prepare(`
    SELECT ${namesOf(COLUMNS)} FROM message INDEXED BY message_open
    WHERE (status IN ('queued', 'sending') OR (test = 1 AND status = 'sent'))
      AND account_id NOT IN (SELECT id FROM removed_account)`)
  messages.setReturnArrays(true)
  const groups = database
    .prepare('SELECT content FROM device_group ORDER BY id')
    .all()
    .map(row => JSON.parse(text(row['content'])) as DeviceGroup)
  return { devices: devices.all().map(deviceOf), groups, messages: convert(messages.iterate()) }
}

/** Converts one row at a time, because hundreds of thousands of rows would not fit into memory together. */
function* convert(rows: Iterable<unknown>): Generator<StoredMessage> {
  for (const row of rows) {
    const values = row as SQLOutputValue[]
    const message: Record<string, unknown> = {}
    for (const [index, { field, codec }] of COLUMNS.entries()) {
      const value = values[index] ?? null
      message[field] = codec === null ? value : codec.read(value)
    }
    yield message as unknown as StoredMessage
  }
}
