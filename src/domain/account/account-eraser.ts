import type { RemovedAccount } from '#contracts/account-commands.ts'
import type { Tx } from '#domain/tx.ts'

/** How many rows of each kind were removed with an account. */
export type ErasedRows = Pick<RemovedAccount, 'devices' | 'messages' | 'received' | 'webhooks'>

/** Removes an account and all its rows from the database. */
export interface AccountEraser {
  /** Message ids of the account's open one-time codes. */
  openCodes(tx: Tx, accountId: string): readonly string[]
  erase(tx: Tx, accountId: string): ErasedRows
}
