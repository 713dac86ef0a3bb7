import type { HealthProblem, MachineFacts } from '#contracts/health.ts'
import { type Alarm, alarmKey } from '#domain/alarm/alarm-store.ts'
import type { Finding } from '#domain/health/facts.ts'
import { instant, type Now } from '#domain/time.ts'

const NOTHING_KNOWN: MachineFacts = {
  backup: null,
  cluster: null,
  damage: null,
  certificate: null,
  disk: null,
}

/** How many commits tell how fast the disk is. */
export const COMMITS_MEASURED = 8

/** The owner of problems of the gateway as a whole; every other owner is an account id. */
export const GATEWAY = ''

/**
 * The writer's memory of problems: the facts of the machine from the main thread, and the last findings for
 * each account and the gateway. None of this is stored; after a restart the rules find it again.
 */
export class HealthMemory {
  /** The last report of the main thread. */
  machine = NOTHING_KNOWN
  /** Whether a transaction found the disk full, and it has had no room for a message since. */
  isDiskFull = false
  /** Wall clock. Null: the disk was not full at the last check. */
  diskFullSince: number | null = null
  /** What the last commits took, milliseconds, the oldest first. */
  readonly #commits: number[] = []
  /** When retention last ran. Null: not yet. */
  retentionRanAt: Now | null = null
  /** Problems that are gone while their alarm is still raised, with the monotonic time of their end. */
  readonly goneSince = new Map<string, number>()
  /** When such a problem was gone for the first time, although it may have come back since. Monotonic. */
  readonly firstGoneAt = new Map<string, number>()
  /** Texts that phones reported since the start and that are not in the database. */
  readonly unknownReports = new Set<string>()
  /** The account checked last in the rotation. */
  lastAccountId = ''
  /** By account, or `GATEWAY`. */
  readonly #found = new Map<string, Map<string, HealthProblem>>()

  /** Records how long a commit took. */
  noteCommit(ms: number): void {
    this.#commits.push(ms)
    if (this.#commits.length > COMMITS_MEASURED) this.#commits.shift()
  }

  /** What a commit takes: the median, so that one slow commit says nothing. Null: too few are known. */
  get commitMs(): number | null {
    if (this.#commits.length < COMMITS_MEASURED) return null
    return this.#commits.toSorted((a, b) => a - b)[COMMITS_MEASURED >> 1] ?? null
  }

  /** Records whether the disk is full for messages. */
  noteDisk(isFull: boolean, wallMs: number): void {
    this.isDiskFull = isFull
    if (isFull) this.diskFullSince ??= wallMs
  }

  /** Call it after all owners were checked. A disk that has space again is then no longer a problem. */
  endCheck(): void {
    if (!this.isDiskFull) this.diskFullSince = null
  }

  /**
   * Records what the rules just found. A problem that was already present keeps its start time, after a
   * restart that of its alarm.
   *
   * @param alarms the alarms of the owner
   * @returns codes of problems that are new, gone or of another severity
   */
  record(
    owner: string,
    findings: readonly Finding[],
    { wallMs, alarms }: { readonly wallMs: number; readonly alarms: () => readonly Alarm[] },
  ): readonly string[] {
    const before = this.#found.get(owner)
    const now = new Map<string, HealthProblem>()
    for (const finding of findings) {
      const key = alarmKey(finding)
      const told = () => alarms().find(one => one.clearedAt === null && alarmKey(one) === key)?.since
      const began = () => before?.get(key)?.since ?? instant(told() ?? wallMs)
      now.set(key, { ...finding, since: finding.since === null ? began() : instant(finding.since) })
    }
    if (now.size > 0) this.#found.set(owner, now)
    else this.#found.delete(owner)
    return changedCodes(before ?? new Map(), now)
  }

  /** The last findings, in the order of the rules. */
  problemsOf(owner: string): HealthProblem[] {
    return [...(this.#found.get(owner)?.values() ?? [])]
  }

  /** A critical problem as last found: of the gateway, else of an account. */
  critical(): HealthProblem | null {
    for (const owner of [GATEWAY, ...this.#found.keys()]) {
      const problem = this.problemsOf(owner).find(({ severity }) => severity === 'critical')
      if (problem !== undefined) return problem
    }
    return null
  }

  /** The last findings of the gateway and of all accounts. */
  *all(): Iterable<HealthProblem> {
    for (const problems of this.#found.values()) yield* problems.values()
  }

  /** Drops the findings of a removed account. */
  forget(accountId: string): void {
    this.#found.delete(accountId)
  }
}

type Found = ReadonlyMap<string, HealthProblem>

function changedCodes(before: Found, now: Found): string[] {
  const codes = new Set<string>()
  for (const [key, { code, severity }] of now) if (before.get(key)?.severity !== severity) codes.add(code)
  for (const [key, { code }] of before) if (!now.has(key)) codes.add(code)
  return [...codes]
}
