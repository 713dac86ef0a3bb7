import type { Tx } from '#domain/tx.ts'

/** An account as stored. Times are wall-clock milliseconds, here and in `ApiKey`. */
export interface Account {
  readonly id: string
  /** The e-mail address of one of its owners, which names the account. */
  readonly email: string
  readonly plan: string
  readonly createdAt: number
}

export interface ApiKey {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly test: boolean
  readonly cleanText: boolean
  /** The last four characters. */
  readonly hint: string
  readonly createdAt: number
  /** The time of the last use, written to the database at most once in ten minutes. */
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

/** Messages and one-time codes accepted on one UTC day. */
export interface UsageOfDay {
  readonly sms: number
  readonly twoFactor: number
}

/** Accounts, keys and usage in the database. A `day` is in whole days since 1970, UTC. */
export interface AccountStore {
  /** Writes a row without changing it, to prove that the database accepts writes. */
  touch(tx: Tx): void
  /** Clears the cache, because the transaction failed or another store wrote the table. */
  clearCache(): void
  insert(tx: Tx, account: Account): void
  find(tx: Tx, id: string): Account | undefined
  findByEmail(tx: Tx, email: string): Account | undefined
  list(tx: Tx): readonly Account[]
  oldestId(tx: Tx): string | null
  setPlan(tx: Tx, id: string, plan: string): void
  setEmail(tx: Tx, id: string, email: string): void
  insertKey(tx: Tx, key: ApiKey, hash: Uint8Array): void
  listKeys(tx: Tx, accountId: string | null): readonly ApiKey[]
  /** The key's account; undefined: there is no such key, or it was revoked before. */
  revokeKey(
    tx: Tx,
    which: { readonly id: string; readonly accountId: string | null },
    at: number,
  ): string | undefined
  noteKeyUse(tx: Tx, id: string, at: number): void
  /** What the daily counters (`DayCounts`) hold. */
  usageOf(tx: Tx, accountId: string, day: number): UsageOfDay
}
