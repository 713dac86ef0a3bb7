import type { RemovedAccount } from '#contracts/account-commands.ts'
import type { Tx } from '#domain/tx.ts'

/** How many rows of each kind were removed with an account. */
export type ErasedRows = Pick<RemovedAccount, 'devices' | 'messages' | 'received' | 'webhooks'>

/** Removes accounts from the database. */
export interface AccountEraser {
  /** Message ids of the account's open one-time codes. */
  openCodes(tx: Tx, accountId: string): readonly string[]
  /** Removes the account and its rows in small tables. Those in large tables are left for `eraseRows`. */
  end(tx: Tx, accountId: string): ErasedRows
  /** Removes rows of accounts that have ended. Returns how many; fewer than `limit`: all of one account. */
  eraseRows(tx: Tx, limit: number): number
  /** Whether `eraseRows` has something left to do. */
  isErasing(tx: Tx): boolean
}
