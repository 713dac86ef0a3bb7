import type { HealthProblem, MachineFacts } from '#contracts/health.ts'
import type { Finding } from '#domain/health/facts.ts'
import { instant } from '#domain/time.ts'

const NOTHING_KNOWN: MachineFacts = { backup: null, certificate: null, disk: null }

/** Of the gateway as a whole. */
export const GATEWAY = ''

/**
 * What the writer remembers of problems: what the main thread said of the machine, and what was found last of
 * each account and of the gateway. No row holds any of it: after a restart it is found again.
 */
export class HealthMemory {
  /** As the main thread told it last. */
  machine = NOTHING_KNOWN
  /** The last transaction with something to write found no room. */
  isDiskFull = false
  /** Wall clock; null: there was room, also at the look before. */
  diskFullSince: number | null = null
  /** Problems that have gone while their alarms are raised: since when, monotonic. */
  readonly goneSince = new Map<string, number>()
  /** The account that was looked at last, of those in turn. */
  lastAccountId = ''
  /** By account, or `GATEWAY`. */
  readonly #found = new Map<string, Map<string, HealthProblem>>()

  /** The disk took a transaction, or had no room for it. */
  noteDisk(isFull: boolean, wallMs: number): void {
    this.isDiskFull = isFull
    if (isFull) this.diskFullSince ??= wallMs
  }

  /** Everyone has been told of what was so: there is room again. */
  looked(): void {
    if (!this.isDiskFull) this.diskFullSince = null
  }

  /**
   * Takes down what the rules found just now. A problem that was there keeps the time at which it began.
   *
   * @returns codes of problems that are new, gone or of another severity
   */
  record(owner: string, findings: readonly Finding[], wallMs: number): readonly string[] {
    const before = this.#found.get(owner)
    const now = new Map<string, HealthProblem>()
    for (const finding of findings) {
      const key = keyOf(finding)
      const since =
        finding.since === null ? (before?.get(key)?.since ?? instant(wallMs)) : instant(finding.since)
      now.set(key, { ...finding, since })
    }
    if (now.size > 0) this.#found.set(owner, now)
    else this.#found.delete(owner)
    return changedCodes(before ?? new Map(), now)
  }

  /** What was found last, the worst first. */
  problemsOf(owner: string): HealthProblem[] {
    return [...(this.#found.get(owner)?.values() ?? [])]
  }

  /** Everything that was found last, of all accounts. */
  *all(): Iterable<HealthProblem> {
    for (const problems of this.#found.values()) yield* problems.values()
  }

  /** The account is gone. */
  forget(accountId: string): void {
    this.#found.delete(accountId)
  }
}

function keyOf({ code, subject }: Pick<HealthProblem, 'code' | 'subject'>): string {
  return `${code} ${subject ?? ''}`
}

type Found = ReadonlyMap<string, HealthProblem>

function changedCodes(before: Found, now: Found): string[] {
  const codes = new Set<string>()
  for (const [key, { code, severity }] of now) if (before.get(key)?.severity !== severity) codes.add(code)
  for (const [key, { code }] of before) if (!now.has(key)) codes.add(code)
  return [...codes]
}
