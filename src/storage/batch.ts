/**
 * Carries out everything that waits in one transaction: group commit. A use case refuses before its first
 * write, so a refusal leaves nothing to undo and costs no savepoint. Anything else that is thrown undoes the
 * whole transaction, and the memory is made anew from the database; the commands are then tried one by one,
 * so that only the one that fails is answered with the fault. Effects leave after the commit, or never.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { TIDY_AFTER_FAULT_MS } from '#contracts/bounds.ts'
import type { CommandAnswer, CommandCall, CommandInput } from '#contracts/commands.ts'
import type { ProblemData } from '#contracts/problem.ts'
import { Usage } from '#domain/account/usage.ts'
import { COMMANDS } from '#domain/command-table.ts'
import type { Deadlines } from '#domain/deadlines.ts'
import { PairingTries } from '#domain/device/pairing-tries.ts'
import type { Fleet } from '#domain/fleet.ts'
import { Outbox } from '#domain/notification/outbox.ts'
import { Problem } from '#domain/problem.ts'
import { restoreFleet } from '#domain/restore-fleet.ts'
import { runDeadlines } from '#domain/run-deadlines.ts'
import { forgetSession } from '#domain/sending/close-session.ts'
import { offerWhatWasFreed } from '#domain/sending/offer-messages.ts'
import type { Now } from '#domain/time.ts'
import { type LiveCodes, restoreCodes } from '#domain/two-factor/live-codes.ts'
import type { Tx } from '#domain/tx.ts'
import type { Effect, Settings, Source, Stores, World } from '#domain/world.ts'
import { openAccountStore } from '#storage/account-writer.ts'
import { openCredentialStore } from '#storage/credential-writer.ts'
import { openDeviceStore } from '#storage/device-writer.ts'
import { readFleet } from '#storage/fleet-reader.ts'
import { LogEraser } from '#storage/log-eraser.ts'
import { openMessageStore } from '#storage/message-writer.ts'
import { openNotificationStore } from '#storage/notification-writer.ts'
import { openSessionStore } from '#storage/session-writer.ts'
import { isPassing, isStorageLost } from '#storage/sqlite-fault.ts'
import { StatusCounts } from '#storage/status-counts.ts'
import { openTidyStore } from '#storage/tidy-writer.ts'
import { Transactor } from '#storage/transaction.ts'
import { openTwoFactorStore, readOpenCodes } from '#storage/two-factor-writer.ts'
import { openWebhookStore } from '#storage/webhook-writer.ts'

export interface BatchPorts {
  readonly database: DatabaseSync
  readonly settings: Settings
  readonly source: Source
  readonly now: () => Now
  /** Called after each commit that wrote something, with the number of commits so far. */
  readonly committed?: (count: number) => void
  /** A fault of ours, with its cause; the caller was answered INTERNAL_ERROR. */
  readonly faulted: (error: unknown, command: string) => void
}

export interface BatchResult {
  /** One for each command, in their order. */
  readonly answers: readonly CommandAnswer[]
  readonly effects: readonly Effect[]
  /** The disk was full or busy: nothing was written, and what was due still is. */
  readonly stalled: boolean
}

interface Committed extends BatchResult {
  /** Commits so far; null when this one wrote nothing. */
  readonly count: number | null
}

export class Batch {
  /** Set when the gateway stops: no phone is offered or told anything new. */
  stopping = false
  readonly statuses = new StatusCounts()
  readonly #ports: BatchPorts
  readonly #transactor: Transactor
  readonly #stores: Stores
  readonly #usage: Usage
  readonly #changes: StatementSync
  readonly #count: StatementSync
  readonly #outbox = new Outbox()
  readonly #pairingTries = new PairingTries()
  readonly #eraser: LogEraser
  #fleet: Fleet
  #deadlines: Deadlines
  #liveCodes: LiveCodes

  constructor(ports: BatchPorts) {
    this.#ports = ports
    const { database } = ports
    this.#transactor = new Transactor(database)
    this.#eraser = new LogEraser(database)
    const wiping = this.#eraser.watching({
      notifications: openNotificationStore(database),
      twoFactor: openTwoFactorStore(database),
      tidy: openTidyStore(database),
    })
    this.#stores = {
      ...wiping,
      accounts: openAccountStore(database),
      credentials: openCredentialStore(database),
      devices: openDeviceStore(database),
      messages: this.statuses.counting(openMessageStore(database)),
      sessions: openSessionStore(database),
      webhooks: openWebhookStore(database),
    }
    this.#usage = new Usage(this.#stores.accounts)
    this.#changes = database.prepare('SELECT total_changes() AS total')
    this.#count = database.prepare('UPDATE commit_count SET count = count + 1 RETURNING count')
    ;({ fleet: this.#fleet, deadlines: this.#deadlines, liveCodes: this.#liveCodes } = this.#restore(null))
  }

  /** The memory as it stands between two batches; nobody but a batch may change it. */
  get fleet(): Fleet {
    return this.#fleet
  }

  /** When there is something to do without being asked, monotonic; null: never. */
  get nextDeadline(): number | null {
    const { nextAt } = this.#deadlines
    const { dueAt } = this.#eraser
    return nextAt === null || dueAt === null ? (nextAt ?? dueAt) : Math.min(nextAt, dueAt)
  }

  /**
   * Carries out the commands, and whatever is due. What the last ones wiped is erased first, so that their
   * callers did not wait for that.
   *
   * @throws the fault of SQLite after which nothing is certain (I/O, corruption): the process must end
   */
  run(calls: readonly CommandCall[]): BatchResult {
    this.#eraser.erase(this.#ports.now().monoMs)
    const { count, ...result } = this.#carryOut(calls)
    // Never within what is tried again, for it is committed: what this throws ends the process.
    if (count !== null) this.#ports.committed?.(count)
    return result
  }

  #carryOut(calls: readonly CommandCall[]): Committed {
    try {
      return this.#transact(calls)
    } catch (error) {
      if (isStorageLost(error)) throw error
      this.#recover(calls)
      const count = null
      if (isPassing(error))
        return { answers: calls.map(call => refused(call, NO_SPACE)), effects: [], stalled: true, count }
      if (calls.length <= 1) return { ...this.#answerFault(error, calls), count }
      const results = calls.map(call => this.run([call]))
      return {
        answers: results.flatMap(({ answers }) => answers),
        effects: results.flatMap(({ effects }) => effects),
        stalled: results.some(({ stalled }) => stalled),
        count,
      }
    }
  }

  #transact(calls: readonly CommandCall[]): Committed {
    const effects: Effect[] = []
    let count: number | null = null
    const answers = this.#transactor.transact(tx => {
      const before = this.#totalChanges()
      const world = this.#world(tx, effects)
      const answers = calls.map(call => answer(world, call))
      runDeadlines(world)
      offerWhatWasFreed(world)
      this.#usage.flush(tx)
      if (this.#totalChanges() !== before) count = Number(this.#count.get()?.['count'])
      return answers
    })
    this.statuses.commit()
    this.#eraser.commit(this.#ports.now().monoMs)
    this.#fleet.unsettled.clear()
    return { answers, effects, stalled: false, count }
  }

  #world(tx: Tx, effects: Effect[]): World {
    const { settings, source, now } = this.#ports
    return {
      ...this.#stores,
      tx,
      now: now(),
      source,
      settings,
      fleet: this.#fleet,
      usage: this.#usage,
      deadlines: this.#deadlines,
      outbox: this.#outbox,
      liveCodes: this.#liveCodes,
      pairingTries: this.#pairingTries,
      stopping: this.stopping,
      effects,
    }
  }

  #answerFault(error: unknown, calls: readonly CommandCall[]): BatchResult {
    const [call] = calls
    this.#ports.faulted(error, call?.name ?? 'deadlines')
    // A deadline that cannot be handled would come back for ever: a broken invariant ends the process.
    if (call === undefined) throw error
    return { answers: [refused(call, FAULT)], effects: [], stalled: false }
  }

  #recover(calls: readonly CommandCall[]): void {
    this.statuses.discard()
    this.#eraser.discard()
    for (const { name, input } of calls)
      if (name === 'phone.closed') forgetSession(this.#fleet, input as CommandInput<'phone.closed'>)
    this.#usage.reset()
    this.#stores.accounts.forget()
    this.#outbox.reset()
    const before = { fleet: this.#fleet, liveCodes: this.#liveCodes }
    ;({ fleet: this.#fleet, deadlines: this.#deadlines, liveCodes: this.#liveCodes } = this.#restore(before))
  }

  #restore(before: { readonly fleet: Fleet; readonly liveCodes: LiveCodes } | null) {
    const { settings, database } = this.#ports
    const now = this.#ports.now()
    const known = { now, settings, before: before?.fleet ?? null }
    const { fleet, deadlines } = restoreFleet(readFleet(database), known)
    const codes = { now, deadlines, before: before?.liveCodes ?? null }
    const liveCodes = restoreCodes(readOpenCodes(database), codes)
    deadlines.add(now.monoMs + (before === null ? 0 : TIDY_AFTER_FAULT_MS), 'tidy', '')
    return { fleet, deadlines, liveCodes }
  }

  #totalChanges(): unknown {
    return this.#changes.get()?.['total']
  }
}

const NO_SPACE: ProblemData = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'the disk is full or busy: nothing was accepted',
  details: { retryAfterS: 30 },
}
const FAULT: ProblemData = {
  code: 'INTERNAL_ERROR',
  message: 'something went wrong; the log has the details',
}

function answer(world: World, call: CommandCall): CommandAnswer {
  try {
    const carryOut = COMMANDS[call.name] as (world: World, input: unknown) => unknown
    return { id: call.id, ok: true, output: carryOut(world, call.input) }
  } catch (error) {
    if (error instanceof Problem) return refused(call, error.toData())
    throw error
  }
}

function refused(call: CommandCall, problem: ProblemData): CommandAnswer {
  return { id: call.id, ok: false, problem }
}
