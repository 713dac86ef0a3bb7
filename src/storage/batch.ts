/**
 * Runs all waiting commands in one transaction (group commit). A use case refuses before its first write, so
 * a refusal needs no rollback and no savepoint. Any other error rolls back the whole transaction, and the
 * state in memory is read from the database again. The commands are then run one by one, so that only the
 * failing one gets an error. Effects are sent only after the commit.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CommandCall } from '#contracts/commands.ts'
import { DayCounts } from '#domain/account/day-counts.ts'
import { Usage } from '#domain/account/usage.ts'
import { BelievedClock, type LastRun } from '#domain/clock/believed-clock.ts'
import { PairingTries } from '#domain/device/pairing-tries.ts'
import { DrillMemory } from '#domain/drill/drill-memory.ts'
import type { Effect } from '#domain/effect.ts'
import type { Fleet } from '#domain/fleet.ts'
import { HealthMemory } from '#domain/health/health-memory.ts'
import { WatchedAccounts } from '#domain/live/watched-accounts.ts'
import { Outbox } from '#domain/notification/outbox.ts'
import { moveRows, runDeadlines } from '#domain/run-deadlines.ts'
import { offerReleasedMessages } from '#domain/sending/offer-messages.ts'
import type { Settings } from '#domain/settings.ts'
import type { Source } from '#domain/source.ts'
import type { Now } from '#domain/time.ts'
import type { Tx } from '#domain/tx.ts'
import type { Stores, World } from '#domain/world.ts'
import {
  answerCall,
  type BatchResult,
  type Committed,
  FAULT,
  NO_SPACE,
  refused,
  STALLED,
} from '#storage/answer-call.ts'
import type { ChangeLog } from '#storage/change-log.ts'
import { CommitCounter } from '#storage/count-commits.ts'
import { openDayCountStore } from '#storage/day-counts.ts'
import { DUE_TRIED_EVERY_MS, GROWING, type Part, READS } from '#storage/full-disk.ts'
import { LogEraser } from '#storage/log-eraser.ts'
import { Memory, type TransactionObserver } from '#storage/memory.ts'
import { NewsGatherer } from '#storage/news-gatherer.ts'
import { openStores } from '#storage/open-stores.ts'
import { isStorageLost, isTransient } from '#storage/sqlite-fault.ts'
import { StatusCounts } from '#storage/status-counts.ts'
import { Transactor } from '#storage/transaction.ts'

export interface BatchPorts {
  readonly database: DatabaseSync
  readonly settings: Settings
  readonly source: Source
  /** The machine's clock. */
  readonly now: () => Now
  /** The time at the end of the last run; null: it is not known. */
  readonly lastRun?: LastRun | null
  /** Where the leader of a cluster appends the changes of each transaction; null: nowhere. */
  readonly log?: ChangeLog | null
  /** Whether the disk has room for the longest message. Asked only after it was full. */
  readonly hasRoom?: () => boolean
  /** Called when the disk became full, and when it has space again. */
  readonly diskFull?: (isFull: boolean) => void
  /** Called after each commit that wrote something, with the commits so far; else as `passed`. */
  readonly committed?: (count: number, lastRun: LastRun) => void
  /** Called after each transaction, also one that wrote nothing, with what the next start must know. */
  readonly passed?: (lastRun: LastRun) => void
  /**
   * Called with an internal error. Its command is answered INTERNAL_ERROR. `deadlines`: the error is in due
   * work, and ends the process.
   */
  readonly faulted: (error: unknown, command: string) => void
}

export class Batch {
  /** Set when the gateway stops: phones get no new messages. */
  stopping = false
  readonly statuses = new StatusCounts()
  readonly health = new HealthMemory()
  readonly drills = new DrillMemory()
  /** Shared with `#memory`, so that both use the current settings. */
  readonly #ports: Omit<BatchPorts, 'settings'> & { settings: Settings }
  readonly #transactor: Transactor
  readonly #stores: Stores
  readonly #usage: Usage
  readonly #dayCounts: DayCounts
  /** How many rows this connection has changed so far; it grows if a transaction writes anything. */
  readonly #selectChanges: StatementSync
  readonly #outbox = new Outbox()
  readonly #pairingTries = new PairingTries()
  readonly #clock: BelievedClock
  /** When what is due last found the disk full. */
  #stalledAtMono = Number.NEGATIVE_INFINITY
  readonly commits: CommitCounter
  readonly eraser: LogEraser
  readonly #memory: Memory
  /** Notified of each commit and each rollback. */
  readonly #observers: readonly TransactionObserver[]
  readonly #watched = new WatchedAccounts()
  readonly #news: NewsGatherer

  constructor(ports: BatchPorts) {
    this.#ports = { ...ports }
    const { database } = ports
    this.#transactor = new Transactor(database, ports.log)
    this.commits = new CommitCounter(database)
    this.eraser = new LogEraser(database, () => ports.now().monoMs)
    const opened = openStores(database)
    const stores = { ...opened, messages: this.statuses.countWrites(opened.messages) }
    this.#news = new NewsGatherer(this.#watched, () => ports.now().monoMs)
    const accountOf = (deviceId: string) => this.fleet.phones.get(deviceId)?.device.accountId
    this.#stores = { ...stores, ...this.#news.wrapStores(stores, accountOf) }
    this.#usage = new Usage(this.#stores.accounts)
    this.#dayCounts = new DayCounts(openDayCountStore(database))
    this.#selectChanges = database.prepare('SELECT total_changes()')
    this.#selectChanges.setReturnArrays(true)
    const known = opened.clockRows.read().seenAt
    this.#clock = new BelievedClock(ports.now, { known, lastRun: ports.lastRun ?? null })
    this.#memory = new Memory(this.#ports, this.#clock)
    const accounts = { discard: () => this.#stores.accounts.clearCache() }
    this.#observers = [
      this.statuses,
      this.commits,
      this.eraser,
      this.#usage,
      this.#dayCounts,
      accounts,
      this.#outbox,
      this.#clock,
      this.#news,
      this.drills,
      this.#memory,
    ]
  }

  /** Applies new settings to later transactions, and the new pace to phones without their own. */
  reconfigure(settings: Settings): void {
    this.#ports.settings = settings
    const { monoMs } = this.#clock.now()
    for (const phone of this.fleet.phones.values())
      phone.pacing.changePace(phone.device.segmentsPerMinute ?? settings.segmentsPerMinute, monoMs)
  }

  /** The phones and open messages in memory. Only a batch may change them. */
  get fleet(): Fleet {
    return this.#memory.fleet
  }

  /** What the next start must know of the time. */
  get lastRun(): LastRun {
    this.#clock.now()
    return this.#clock.lastRun
  }

  get incidents(): Pick<Stores['incidents'], 'counts'> {
    return this.#stores.incidents
  }

  /** When the next deadline is due, milliseconds of the monotonic clock; null: none. */
  get nextDeadline(): number | null {
    const { nextAt } = this.#memory.deadlines
    const { dueAt } = this.eraser
    if (nextAt === null) return dueAt
    return dueAt === null ? nextAt : Math.min(nextAt, dueAt)
  }

  /**
   * Runs the commands and all due deadlines. First erases content that the previous batch wiped, so that the
   * callers of that batch did not have to wait for it.
   *
   * @throws an SQLite error after which the file may be damaged (I/O error, corruption): the process must end
   */
  run(calls: readonly CommandCall[]): BatchResult {
    this.eraser.erase()
    const { count, ...result } = this.#carryOut(calls)
    // Call `committed` only now: `#carryOut` runs the commands again after an error. These commands are
    // committed, so an error of `committed` must end the process instead.
    const { lastRun } = this
    if (count !== null) this.#ports.committed?.(count, lastRun)
    if (!result.stalled) this.#ports.passed?.(lastRun)
    const wrote = count !== null
    const { hasRoom = () => true } = this.#ports
    // A small write may fit where a message does not.
    const wasFull = this.health.isDiskFull
    const isFull = result.stalled || (wasFull && !(wrote && hasRoom()))
    this.health.noteDisk(isFull, this.#clock.now().wallMs)
    if (isFull !== wasFull) this.#ports.diskFull?.(isFull)
    return { ...result, wrote }
  }

  #carryOut(calls: readonly CommandCall[]): Committed {
    const { hasRoom = () => true } = this.#ports
    const isTight = this.health.isDiskFull && !hasRoom()
    const whole = isTight ? null : this.#attempt(calls, 'whole')
    const tried = isTight ? calls.filter(({ name }) => !GROWING.has(name)) : calls
    return whole ?? this.#carryOutApart(tried, calls)
  }

  /**
   * Carries out what is possible on a full disk: what is due and the commands must not fail with each other,
   * and reads are answered in any case.
   */
  #carryOutApart(tried: readonly CommandCall[], calls: readonly CommandCall[]): Committed {
    const answered = this.#attempt(tried, 'calls')
    const asked = answered === null ? calls.filter(({ name }) => READS.has(name)) : tried
    const part = answered ?? this.#attempt(asked, 'reads')
    const { monoMs } = this.#ports.now()
    const mayTry = calls.length === 0 || monoMs - this.#stalledAtMono >= DUE_TRIED_EVERY_MS
    const due = mayTry ? this.#attempt([], 'due') : null
    if (mayTry) this.#stalledAtMono = due === null ? monoMs : Number.NEGATIVE_INFINITY
    const answers = new Map(part?.answers.map((answer, place) => [asked[place], answer]))
    return {
      answers: calls.map(call => answers.get(call) ?? refused(call, NO_SPACE)),
      effects: [...(part?.effects ?? []), ...(due?.effects ?? [])],
      stalled: answered === null || due === null,
      count: due?.count ?? part?.count ?? null,
    }
  }

  /**
   * Runs one transaction. After the fault of a command each runs in a transaction of its own. Null: the disk
   * is full or busy, and nothing was written.
   */
  #attempt(calls: readonly CommandCall[], part: Part): Committed | null {
    try {
      return this.#transact(calls, part)
    } catch (error) {
      if (isStorageLost(error)) throw error
      for (const one of this.#observers) one.discard(calls)
      if (isTransient(error)) return null
      if (calls.length <= 1) return { ...this.#answerFault(error, calls), count: null }
      const results = calls.map(
        call => this.#attempt([call], part) ?? { ...STALLED, answers: [refused(call, NO_SPACE)] },
      )
      return {
        answers: results.flatMap(({ answers }) => answers),
        effects: results.flatMap(({ effects }) => effects),
        stalled: results.some(({ stalled }) => stalled),
        count: results.findLast(({ count }) => count !== null)?.count ?? null,
      }
    }
  }

  #transact(calls: readonly CommandCall[], part: Part): Committed {
    const effects: Effect[] = []
    let count: number | null = null
    const answers = this.#transactor.transact(tx => {
      const before = this.#selectChanges.get()?.[0]
      const world = this.#world(tx, effects, part === 'reads')
      const isDue = part === 'whole' || part === 'due'
      if (isDue) moveRows(world)
      const answers = calls.map(call => answerCall(world, call))
      if (part === 'reads') return answers
      if (isDue) runDeadlines(world)
      offerReleasedMessages(world)
      this.#dayCounts.flush(tx)
      if (tx.hasWiped) this.eraser.noteWipe()
      const mustWrite = part === 'whole' && this.health.isDiskFull // Shows whether it has room again.
      if (mustWrite || this.#selectChanges.get()?.[0] !== before) count = this.commits.increment()
      return answers
    })
    if (count !== null) this.health.noteCommit(this.#transactor.commitMs)
    effects.push(...this.#news.takeNews())
    for (const one of this.#observers) one.commit?.()
    return { answers, effects, stalled: false, count }
  }

  #world(tx: Tx, effects: Effect[], readOnly: boolean): World {
    const { settings, source } = this.#ports
    return {
      ...this.#stores,
      tx,
      now: this.#clock.now(),
      source,
      settings,
      fleet: this.#memory.fleet,
      usage: this.#usage,
      dayCounts: this.#dayCounts,
      deadlines: this.#memory.deadlines,
      outbox: this.#outbox,
      openCodes: this.#memory.openCodes,
      pairingTries: this.#pairingTries,
      clock: this.#clock,
      watched: this.#watched,
      health: this.health,
      drillMemory: this.drills,
      stopping: this.stopping,
      readOnly,
      effects,
    }
  }

  #answerFault(error: unknown, calls: readonly CommandCall[]): Omit<BatchResult, 'wrote'> {
    const [call] = calls
    this.#ports.faulted(error, call?.name ?? 'deadlines')
    // A failing deadline is a bug and would fail again at each batch, so the process ends.
    if (call === undefined) throw error
    return { answers: [refused(call, FAULT)], effects: [], stalled: false }
  }
}
