import type { Tx } from '#domain/tx.ts'

export interface ChainName {
  readonly keyId: string
  readonly chain: string
}

/** A key token, and the tokens that renewed it one after another. */
export interface TokenChain extends ChainName {
  readonly accountId: string
  /** The first chain, from which all chains of the family came. */
  readonly family: string
  /** How many times the chain was renewed. */
  readonly step: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The valid chains of key tokens, for the writer. */
export interface KeyTokenStore {
  findChain(tx: Tx, name: ChainName): TokenChain | undefined
  /** Inserts a chain, or replaces it. */
  saveChain(tx: Tx, chain: TokenChain): void
  /** Removes all chains of the family. */
  endFamily(tx: Tx, chain: Pick<TokenChain, 'keyId' | 'family'>): void
  /** Removes all chains that ended before this time, in milliseconds since 1970. */
  removeEndedChains(tx: Tx, before: number): void
  /** Removes all chains of the key but those `kept` that end last. */
  trimChains(tx: Tx, keyId: string, kept: number): void
}
