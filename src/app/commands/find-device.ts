import type { AccountResource } from '#contracts/account.ts'
import type { Writer } from '#contracts/commands.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import { notFound, Problem } from '#domain/problem.ts'

/** A phone with the account that owns it. */
export interface ListedDevice extends DeviceListItem {
  /** The e-mail address of the owner's account. */
  readonly account: string
}

type Owner = Pick<AccountResource, 'accountId' | 'email'>

/** Lists the phones of these accounts. */
export async function listDevices(writer: Writer, accounts: readonly Owner[]): Promise<ListedDevice[]> {
  const lists = accounts.map(async ({ accountId, email }) => {
    const devices = await writer.ask('device.list', { accountId })
    return devices.map(device => ({ ...device, account: email }))
  })
  return (await Promise.all(lists)).flat()
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
  const byId = devices.filter(({ deviceId }) => deviceId === idOrName)
  const [found, second] = byId.length > 0 ? byId : devices.filter(({ name }) => name === idOrName)
  if (found === undefined) throw notFound('device')
  if (second !== undefined)
    throw new Problem('CONFLICT', `several phones are called ${idOrName}: give the id (roost device list)`)
  const owner = accounts.find(({ email }) => email === found.account)
  if (owner === undefined) throw notFound('device')
  return { ...found, accountId: owner.accountId }
}
