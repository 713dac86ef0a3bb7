import type { CommandOutput } from '#contracts/commands.ts'
import { createKeyOf } from '#domain/account/manage-key.ts'
import { firstUserOf } from '#domain/account/user.ts'
import type { World } from '#domain/world.ts'

/** The owner's plan has no limits on messages, because the phones belong to the owner. */
const OWNER_PLAN = 'pro'
/** The owner's e-mail address until the setup link sets the real one. */
export const OWNER_EMAIL = 'owner@localhost'

/** Makes the owner's account and a sandbox key on an empty database. Null: an account exists already. */
export function firstStart(world: World): CommandOutput<'gateway.first-start'> {
  const { accounts, users, tx, source, now } = world
  if (accounts.list(tx).length > 0) return null
  const accountId = source.id('acc_', now.wallMs)
  const account = { id: accountId, email: OWNER_EMAIL, plan: OWNER_PLAN, createdAt: now.wallMs }
  accounts.insert(tx, account)
  users.saveUser(tx, firstUserOf(account, null))
  const { key } = createKeyOf(world, { accountId, name: 'first start', test: true })
  return { email: OWNER_EMAIL, accountId, testKey: key }
}
