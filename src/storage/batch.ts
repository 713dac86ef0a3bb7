/**
 * Runs all waiting commands in one transaction (group commit). A use case refuses before its first write, so
 * a refusal needs no rollback and no savepoint. Any other error rolls back the whole transaction, and the
 * state in memory is read from the database again. The commands are then run one by one, so that only the
 * failing one gets an error. Effects are sent only after the commit.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CommandAnswer, CommandCall } from '#contracts/commands.ts'
import type { ProblemData } from '#contracts/problem.ts'
import { DayCounts } from '#domain/account/day-counts.ts'
import { Usage } from '#domain/account/usage.ts'
import { noteDeed, refuseEnded } from '#domain/audit/note-deed.ts'
import { COMMANDS } from '#domain/command-table.ts'
import { PairingTries } from '#domain/device/pairing-tries.ts'
import type { Effect } from '#domain/effect.ts'
import type { Fleet } from '#domain/fleet.ts'
import { HealthMemory } from '#domain/health/health-memory.ts'
import { WatchedAccounts } from '#domain/live/watched-accounts.ts'
import { Outbox } from '#domain/notification/outbox.ts'
import { diskFull, Problem } from '#domain/problem.ts'
import { moveRows, runDeadlines } from '#domain/run-deadlines.ts'
import { offerReleasedMessages } from '#domain/sending/offer-messages.ts'
import type { Settings } from '#domain/settings.ts'
import type { Source } from '#domain/source.ts'
import type { Now } from '#domain/time.ts'
import type { Tx } from '#domain/tx.ts'
import { WallJumps } from '#domain/webhook/wall-jumps.ts'
import type { Stores, World } from '#domain/world.ts'
import type { ChangeLog } from '#storage/change-log.ts'
import { CommitCounter } from '#storage/count-commits.ts'
import { openDayCountStore } from '#storage/day-counts.ts'
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
  readonly now: () => Now
  /** Where the leader of a cluster appends the changes of each transaction; null: nowhere. */
  readonly log?: ChangeLog | null
  /** Whether the disk has room for the longest message. Asked only after it was full. */
  readonly hasRoom?: () => boolean
  /** Called after each commit that wrote something, with the number of commits so far. */
  readonly committed?: (count: number) => void
  /**
   * Called with an internal error. Its command is answered INTERNAL_ERROR. `deadlines`: the error is in due
   * work, and ends the process.
   */
  readonly faulted: (error: unknown, command: string) => void
}

export interface BatchResult {
  /** One answer for each command, in the same order. */
  readonly answers: readonly CommandAnswer[]
  readonly effects: readonly Effect[]
  /** True if the disk was full or busy: nothing was written, and due work is still due. */
  readonly stalled: boolean
  /** Whether something was committed. */
  readonly wrote: boolean
}

interface Committed extends Omit<BatchResult, 'wrote'> {
  /** Commits so far; null: this transaction wrote nothing. */
  readonly count: number | null
}

export class Batch {
  /** Set when the gateway stops: phones get no new messages. */
  stopping = false
  readonly statuses = new StatusCounts()
  readonly health = new HealthMemory()
  /** Shared with `#memory`, so that both use the current settings. */
  readonly #ports: Omit<BatchPorts, 'settings'> & { settings: Settings }
  readonly #transactor: Transactor
  readonly #stores: Stores
  readonly #usage: Usage
  readonly #dayCounts: DayCounts
  readonly #selectChanges: StatementSync
  readonly #outbox = new Outbox()
  readonly #pairingTries = new PairingTries()
  readonly #wallJumps: WallJumps
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
    this.#memory = new Memory(this.#ports)
    this.#wallJumps = new WallJumps(ports.now())
    const accounts = { discard: () => this.#stores.accounts.clearCache() }
    this.#observers = [
      this.statuses,
      this.commits,
      this.eraser,
      this.#usage,
      this.#dayCounts,
      accounts,
      this.#outbox,
      this.#wallJumps,
      this.#news,
      this.#memory,
    ]
  }

  /** Applies new settings to later transactions, and the new pace to phones without their own. */
  reconfigure(settings: Settings): void {
    this.#ports.settings = settings
    const { monoMs } = this.#ports.now()
    for (const phone of this.fleet.phones.values())
      phone.pacing.changePace(phone.device.segmentsPerMinute ?? settings.segmentsPerMinute, monoMs)
  }

  /** The phones and open messages in memory. Only a batch may change them. */
  get fleet(): Fleet {
    return this.#memory.fleet
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
    if (count !== null) this.#ports.committed?.(count)
    const wrote = count !== null
    const { hasRoom = () => true, now } = this.#ports
    // A small write may fit where a message does not.
    const isFull = result.stalled || (this.health.isDiskFull && !(wrote && hasRoom()))
    this.health.noteDisk(isFull, now().wallMs)
    return { ...result, wrote }
  }

  #carryOut(calls: readonly CommandCall[]): Committed {
    try {
      return this.#transact(calls)
    } catch (error) {
      if (isStorageLost(error)) throw error
      for (const one of this.#observers) one.discard(calls)
      const count = null
      if (isTransient(error))
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
      moveRows(world)
      const answers = calls.map(call => answer(world, call))
      runDeadlines(world)
      offerReleasedMessages(world)
      this.#dayCounts.flush(tx)
      if (tx.hasWiped) this.eraser.noteWipe()
      if (this.#totalChanges() !== before) count = this.commits.increment()
      return answers
    })
    effects.push(...this.#news.takeNews())
    for (const one of this.#observers) one.commit?.()
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
      fleet: this.#memory.fleet,
      usage: this.#usage,
      dayCounts: this.#dayCounts,
      deadlines: this.#memory.deadlines,
      outbox: this.#outbox,
      openCodes: this.#memory.openCodes,
      pairingTries: this.#pairingTries,
      wallJumps: this.#wallJumps,
      watched: this.#watched,
      health: this.health,
      stopping: this.stopping,
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

  /** How many rows this connection has changed so far; it grows if a transaction writes anything. */
  #totalChanges(): unknown {
    return this.#selectChanges.get()?.[0]
  }
}

const NO_SPACE = diskFull().toData()
const FAULT: ProblemData = {
  code: 'INTERNAL_ERROR',
  message: 'something went wrong: the log of the gateway has the details',
}

function answer(world: World, call: CommandCall): CommandAnswer {
  try {
    const carryOut = COMMANDS[call.name] as (world: World, input: unknown) => unknown
    if (call.by !== undefined) refuseEnded(world, call.by)
    const output = carryOut(world, call.input)
    if (call.by !== undefined) noteDeed(world, call, output)
    return { id: call.id, ok: true, output }
  } catch (error) {
    if (error instanceof Problem) return refused(call, error.toData())
    throw error
  }
}

function refused(call: CommandCall, problem: ProblemData): CommandAnswer {
  return { id: call.id, ok: false, problem }
}
