import { KEY_TOKEN_REFRESH_TTL_S } from '#contracts/bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { World } from '#domain/world.ts'

/** Chains of tokens from one key. A further one ends the chain that would end first. */
export const KEY_TOKEN_CHAINS_MAX = 5000

/**
 * Begins a chain of key tokens. If a token asked for it, the chain belongs to the family of that token.
 * False: that family has ended.
 */
export function openTokenChain(world: World, input: CommandInput<'key-token.open'>): boolean {
  const { keyTokens, tx } = world
  const { accountId, keyId, chain, parent } = input
  const { wallMs } = world.now
  const from = parent === null ? undefined : keyTokens.findChain(tx, { keyId, chain: parent })
  if (parent !== null && from === undefined) return false
  const family = from?.family ?? chain
  keyTokens.removeEndedChains(tx, wallMs)
  keyTokens.trimChains(tx, keyId, KEY_TOKEN_CHAINS_MAX - 1)
  keyTokens.saveChain(tx, { keyId, chain, accountId, family, step: 0, expiresAt: endOf(wallMs) })
  return true
}

/**
 * Renews a chain. A refresh token that was used before may be a thief's, and so may be the token that came of
 * it. So its whole family ends. False: the chain is not renewed.
 *
 * @see RFC 9700, section 4.14.2
 */
export function renewTokenChain(world: World, input: CommandInput<'key-token.renew'>): boolean {
  const { keyTokens, tx } = world
  const chain = keyTokens.findChain(tx, input)
  if (chain === undefined) return false
  const isFirst = chain.step === input.step
  if (isFirst) keyTokens.saveChain(tx, { ...chain, step: chain.step + 1, expiresAt: endOf(world.now.wallMs) })
  else keyTokens.endFamily(tx, chain)
  return isFirst
}

/** Ends the family of a chain. An unknown chain is ignored. */
export function endTokenFamily(world: World, input: CommandInput<'key-token.end'>): null {
  const chain = world.keyTokens.findChain(world.tx, input)
  if (chain !== undefined) world.keyTokens.endFamily(world.tx, chain)
  return null
}

/** When the refresh token ends that is issued now. */
function endOf(wallMs: number): number {
  return wallMs + KEY_TOKEN_REFRESH_TTL_S * 1000
}
