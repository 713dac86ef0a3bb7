import type { KeyResource } from '#contracts/account.ts'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput, CommandOutput } from '#contracts/commands.ts'
import type { ApiKey } from '#domain/account/account-store.ts'
import { accountByEmail } from '#domain/account/manage-account.ts'
import { existingAccount } from '#domain/account/plan-of.ts'
import { checkBound, notFound } from '#domain/problem.ts'
import { instant, instantOrNull } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** Makes a key. Only this answer contains the key itself; the database keeps its hash. */
export function createKey(world: World, input: CommandInput<'key.create'>): CommandOutput<'key.create'> {
  const account = accountByEmail(world, input.email)
  const { email: _, ...wanted } = input
  return createKeyOf(world, { ...wanted, accountId: account.id })
}

/**
 * Makes a key for the account that is logged in.
 *
 * @throws Problem CONFLICT when the account has the maximum; UNAUTHORIZED when it was removed
 */
export function createOwnKey(
  world: World,
  input: CommandInput<'key.create-own'>,
): CommandOutput<'key.create-own'> {
  existingAccount(world, input.accountId)
  return createKeyOf(world, input)
}

export function createKeyOf(
  world: World,
  input: CommandInput<'key.create-own'>,
): CommandOutput<'key.create'> {
  const { source, now, accounts, tx } = world
  checkBound(ACCOUNT_BOUNDS.keys, world.credentials.countValidKeys(tx, input.accountId))
  const key = source.secret(input.test ? 'sk_test_' : 'sk_live_')
  const record: ApiKey = {
    ...input,
    cleanText: input.cleanText ?? false,
    id: source.id('key_', now.wallMs),
    hint: key.slice(-4),
    createdAt: now.wallMs,
    lastUsedAt: null,
    revokedAt: null,
  }
  accounts.insertKey(tx, record, source.hash(key))
  return { key, record: describeKey(record) }
}

export function listKeys(world: World, input: CommandInput<'key.list'>): readonly KeyResource[] {
  const accountId = input.email === null ? null : accountByEmail(world, input.email).id
  return world.accounts.listKeys(world.tx, accountId).map(describeKey)
}

/** @throws Problem NOT_FOUND: no such key, another account's, or revoked before */
export function revokeKey(world: World, input: CommandInput<'key.revoke'>): CommandOutput<'key.revoke'> {
  const accountId = world.accounts.revokeKey(world.tx, input, world.now.wallMs)
  if (accountId === undefined) throw notFound('valid key')
  world.effects.push({ kind: 'credentials' })
  return { id: input.id, accountId }
}

/** Records when a key was used. */
export function noteKeyUse(world: World, { id }: CommandInput<'key.note-use'>): null {
  world.accounts.noteKeyUse(world.tx, id, world.now.wallMs)
  return null
}

/** A key as the API shows it: never the key itself. */
export function describeKey(key: ApiKey): KeyResource {
  const { id, accountId, name, test, cleanText, hint, createdAt, lastUsedAt, revokedAt } = key
  return {
    id,
    accountId,
    name,
    test,
    cleanText,
    hint,
    createdAt: instant(createdAt),
    lastUsedAt: instantOrNull(lastUsedAt),
    revokedAt: instantOrNull(revokedAt),
  }
}
