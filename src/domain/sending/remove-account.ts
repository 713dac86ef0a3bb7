import type { RemovedAccount } from '#contracts/account-commands.ts'
import { RETENTION_ROWS_MAX } from '#contracts/bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import { machineOwner } from '#domain/account/machine-owner.ts'
import { accountByEmail } from '#domain/account/manage-account.ts'
import { forgetAlarms } from '#domain/change-configuration.ts'
import { Problem } from '#domain/problem.ts'
import { endPhoneSession } from '#domain/sending/open-phone-session.ts'
import { closeConnection } from '#domain/sending/send-order.ts'
import type { World } from '#domain/world.ts'

/**
 * Removes an account and everything that belongs to it, from disk and from memory. Its phones are
 * disconnected. Waiting messages are never sent, and no notification is made for them. If the account has
 * very many rows, `eraseRemoved` and retention remove the rest of them.
 *
 * @throws Problem NOT_FOUND; CONFLICT for the only account, because the next start would make a new owner
 */
export function removeAccount(world: World, input: CommandInput<'account.remove'>): RemovedAccount {
  const { accounts, accountEraser, fleet, tx } = world
  const { id: accountId, email } = accountByEmail(world, input.email)
  if (accounts.list(tx).length === 1)
    throw new Problem(
      'CONFLICT',
      `${email} is the only account: make another one first (roost account create), ` +
        'or stop the gateway and delete its data directory',
    )
  for (const phone of fleet.phonesOf(accountId)) {
    const { session } = phone
    if (session === null) continue
    endPhoneSession(world, phone)
    for (const connection of session.connections)
      closeConnection(world, connection, { why: 'removed', reason: 'the account of this device was removed' })
  }
  fleet.removeAccount(accountId)
  for (const messageId of accountEraser.openCodes(tx, accountId)) world.openCodes.delete(messageId)
  // Otherwise this transaction would write counters after the account was removed.
  world.usage.forget(accountId)
  world.dayCounts.forget(accountId)
  world.health.forget(accountId)
  if (accountId === machineOwner(world)) forgetAlarms(world)
  const rows = accountEraser.end(tx, accountId)
  accountEraser.eraseRows(tx, RETENTION_ROWS_MAX)
  accounts.clearCache()
  world.effects.push({ kind: 'credentials' }, { kind: 'reached-phones' })
  const fields = { accountId, ...rows }
  world.effects.push({ kind: 'log', level: 'info', event: 'account.removed', fields })
  return { accountId, email, ...rows }
}

/** Removes some rows that ended accounts have left behind, in a bounded time. `left`: call it again. */
export function eraseRemoved({ accountEraser, tx }: World): { readonly left: boolean } {
  accountEraser.eraseRows(tx, RETENTION_ROWS_MAX)
  return { left: accountEraser.isErasing(tx) }
}
