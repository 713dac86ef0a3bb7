/**
 * Whose the modems of this machine are: the one place that decides it. A modem and its SIM belong to one
 * account. Only the account of the machine, and those of `devices.modem_accounts`, may see and add modems.
 */
import type { Writer } from '#contracts/commands.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { readModemAccess } from '#storage/phone-access-file.ts'

export interface ModemPhone {
  readonly accountId: string
  readonly imei: string
  /** The number of the SIM; null: not known. */
  readonly sim: string | null
}

/** A phone that is a modem of this machine. */
export interface KnownModem extends ModemPhone {
  readonly deviceId: string
  readonly name: string
}

interface OwnerPorts {
  readonly writer: Writer
  readonly directory: DataDirectory
}

/** All phones that are modems of this machine, the oldest first. */
export async function knownModems({ writer, directory }: OwnerPorts): Promise<KnownModem[]> {
  const { modems } = await writer.ask('machine.describe', {})
  return modems.flatMap(one => {
    const access = readModemAccess(directory, one.deviceId)
    return access === null ? [] : [{ ...one, imei: access.imei, sim: access.sim }]
  })
}

/**
 * Whether both use the same modem or SIM, so that only one can be a phone. Within one account, another SIM in
 * the same modem is another phone, and a SIM may move to another modem.
 */
export function isSameModem(one: ModemPhone, other: ModemPhone): boolean {
  const isOneSim = one.sim === other.sim
  const isSimKnown = one.sim !== null && other.sim !== null
  if (one.accountId === other.accountId) return one.imei === other.imei && (isOneSim || !isSimKnown)
  return one.imei === other.imei || (isOneSim && isSimKnown)
}

/** The phones whose modem or SIM an older phone has. They get no agent. `known`: the oldest first. */
export function phonesWithoutModem(known: readonly KnownModem[]): ReadonlySet<string> {
  const keepers: KnownModem[] = []
  for (const one of known) if (!keepers.some(keeper => isSameModem(keeper, one))) keepers.push(one)
  return new Set(known.filter(one => !keepers.includes(one)).map(({ deviceId }) => deviceId))
}

/** Whether the account may see all modems of the machine, and add them. */
export async function mayUseModems(
  writer: Writer,
  accountId: string,
  named: readonly string[],
): Promise<boolean> {
  const { owner } = await writer.ask('machine.describe', {})
  if (owner === accountId) return true
  if (named.length === 0) return false
  const accounts = await writer.ask('account.list', {})
  const email = accounts.find(one => one.accountId === accountId)?.email.toLowerCase()
  return email !== undefined && named.some(one => one.toLowerCase() === email)
}
