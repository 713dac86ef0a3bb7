import type { OptOutReference, OptOutResource } from '#contracts/opt-out.ts'
import type { Tx } from '#domain/tx.ts'

/** A number that wants no more texts. */
export interface OptOut extends OptOutReference {
  /** Wall clock. */
  readonly since: number
  readonly by: OptOutResource['by']
}

export interface OptOutFilter extends Pick<OptOutReference, 'accountId' | 'test'> {
  /** Null: all. */
  readonly phoneNumber: string | null
  /** Only entries older than this position, which is the `next` of the previous page. */
  readonly before: number | null
  readonly limit: number
}

export interface OptOutPage {
  /** Newest first. */
  readonly optOuts: readonly OptOut[]
  /** Null: this is the last page. */
  readonly next: number | null
}

/** The numbers that want no more texts, for reading. */
export interface OptOutReader {
  find(which: OptOutReference): OptOut | undefined
  list(filter: OptOutFilter): OptOutPage
}

/** The numbers that want no more texts, for the writer. */
export interface OptOutStore extends OptOutReader {
  /** Whether a send to this number is refused: the sandbox also heeds the account's own list. */
  has(which: OptOutReference): boolean
  /** How many the account has. */
  count(accountId: string): number
  add(tx: Tx, optOut: OptOut): void
  remove(tx: Tx, which: OptOutReference): void
  /** Whether a call of the account has texted the number since then (wall clock). */
  wasTexted(which: OptOutReference, since: number): boolean
  /** The ids of the messages to the number that have not been sent and would now be refused. */
  unsent(which: OptOutReference, wallMs: number): readonly string[]
}
