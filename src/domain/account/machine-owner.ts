import type { Machine } from '#contracts/account-commands.ts'
import type { World } from '#domain/world.ts'

/**
 * The account that this machine belongs to, with its modems, its problems and its values: the oldest one.
 * Null: there is none yet.
 */
export function machineOwner({ accounts, tx }: Pick<World, 'accounts' | 'tx'>): string | null {
  return accounts.oldestId(tx)
}

/** Whose the machine is, and its modems that are phones, the oldest first. */
export function describeMachine(world: World): Machine {
  const modems = [...world.fleet.phones.values()]
    .map(({ device }) => device)
    .filter(({ protocol }) => protocol === 'modem')
    .sort((one, other) => one.pairedAt - other.pairedAt || (one.id < other.id ? -1 : 1))
    .map(({ id, accountId, name }) => ({ deviceId: id, accountId, name }))
  return { owner: machineOwner(world), modems }
}
