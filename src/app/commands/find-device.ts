import { type Owned, ofAccounts } from '#app/commands/choose-account.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import type { AccountResource } from '#contracts/account.ts'
import type { Writer } from '#contracts/commands.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import { Problem } from '#domain/problem.ts'

/** A phone with the account that owns it. */
export type ListedDevice = DeviceListItem & Owned

type Owner = Pick<AccountResource, 'accountId' | 'email'>

/** Lists the phones of these accounts. */
export function listDevices(writer: Writer, accounts: readonly Owner[]): Promise<ListedDevice[]> {
  return ofAccounts(accounts, accountId => writer.ask('device.list', { accountId }))
}

/**
 * Finds a phone by its id, or else by its name. Searches all accounts, or only the one given.
 *
 * @throws Problem INVALID_REQUEST when it is empty; NOT_FOUND; CONFLICT when several phones have that name
 */
export async function findDevice(writer: Writer, idOrName: string, among?: Owner) {
  if (idOrName === '')
    throw new Problem(
      'INVALID_REQUEST',
      'the name of the phone is empty: give its name or id (roost device list)',
    )
  const accounts = among === undefined ? await writer.ask('account.list', {}) : [among]
  const devices = await listDevices(writer, accounts)
  const named = devices.map(device => ({ ...device, id: device.deviceId }))
  return oneCalled(named, idOrName, ['device', 'phones'])
}
