/**
 * What accounts used today, in memory. The counters of an account are read once a day from the daily counters
 * of its messages (`DayCounts`), to which the transaction that accepts a message adds it.
 */
import type { AccountStore, UsageOfDay } from '#domain/account/account-store.ts'
import { limitReached, type Problem } from '#domain/problem.ts'
import { dayOf, nextMidnight } from '#domain/time.ts'
import type { Tx } from '#domain/tx.ts'

/** What is counted. Sandbox texts are counted since the start. */
export type UsageKind = keyof UsageOfDay | 'sandbox'

interface Counter {
  readonly day: number
  sms: number
  twoFactor: number
  sandbox: number
}

export class Usage {
  readonly #counters = new Map<string, Counter>()
  readonly #accounts: AccountStore

  constructor(accounts: AccountStore) {
    this.#accounts = accounts
  }

  /** Counts `count` more, or refuses if that exceeds the daily limit. */
  spend(tx: Tx, accountId: string, what: UsageSpend): void {
    this.check(tx, accountId, what)
    const counter = this.#counterOf(tx, accountId, what.wallMs)
    counter[what.kind] += what.count
  }

  /** Refuses like `spend`, but counts nothing. */
  check(tx: Tx, accountId: string, what: UsageSpend): void {
    const used = this.#counterOf(tx, accountId, what.wallMs)[what.kind]
    if (what.limit !== -1 && used + what.count > what.limit) throw overLimit(what, used)
  }

  /** The usage of this day, including the running transaction. */
  usedOn(tx: Tx, accountId: string, day: number): UsageOfDay {
    const known = this.#counters.get(accountId)
    return known?.day === day ? known : this.#accounts.usageOf(tx, accountId, day)
  }

  /** Drops the counters of a removed account. */
  forget(accountId: string): void {
    this.#counters.delete(accountId)
  }

  /** Drops all counters after a failed transaction, because they may be wrong. */
  discard(): void {
    this.#counters.clear()
  }

  #counterOf(tx: Tx, accountId: string, wallMs: number): Counter {
    const day = dayOf(wallMs)
    const known = this.#counters.get(accountId)
    if (known?.day === day) return known
    const counter = { day, sandbox: 0, ...this.#accounts.usageOf(tx, accountId, day) }
    this.#counters.set(accountId, counter)
    return counter
  }
}

export interface UsageSpend {
  readonly kind: UsageKind
  readonly count: number
  /** -1: unlimited. */
  readonly limit: number
  readonly wallMs: number
}

const NAMES = { sms: 'messages', twoFactor: 'codes', sandbox: 'sandbox texts' } as const

function overLimit(what: UsageSpend, used: number): Problem {
  const resetAtMs = nextMidnight(what.wallMs)
  const name = NAMES[what.kind]
  return limitReached(
    `the plan allows ${what.limit} ${name} a day, ${used} are used, and this call needs ${what.count}: ` +
      'try again after midnight UTC, or give the account a larger plan',
    {
      limit: what.limit,
      remaining: what.limit - used,
      resetAtMs,
      retryAfterMs: resetAtMs - what.wallMs,
    },
  )
}
