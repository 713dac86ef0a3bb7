/** Finds the identity of this device: in its state file, or by pairing with a gateway. */
import { hostname } from 'node:os'
import { AgentError } from '#agent/agent-error.ts'
import { fetchAuthority, fingerprintOf } from '#agent/authority.ts'
import { type Clock, wallTime } from '#agent/clock.ts'
import type { Driver } from '#agent/drivers/driver.ts'
import { DRIVERS } from '#agent/drivers/drivers.ts'
import type { Health } from '#agent/health.ts'
import { type Identity, loadIdentity, saveIdentity } from '#agent/identity.ts'
import type { AgentOptions } from '#agent/options.ts'
import { pair, serverOf, socketUrlOf } from '#agent/pair.ts'
import { NAME_LENGTH_MAX } from '#contracts/bounds.ts'
import { VERSION } from '#contracts/version.ts'

export interface IdentityPorts {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly health: Health
  readonly driver: Driver
  readonly log: (line: string) => void
}

/**
 * A device that is paired already ignores `--code`, which may stand in the file of a service for years.
 *
 * @throws AgentError if there is no state file to use, if the options contradict it, or if pairing fails
 */
export async function findIdentity(options: AgentOptions, ports: IdentityPorts): Promise<Identity> {
  const { server, code, stateFile } = options
  const known = loadIdentity(stateFile)
  if (known !== null) {
    if (code !== null)
      ports.log(
        `${stateFile} is paired already, as ${known.deviceId}, so --code is ignored: to pair a new device, ` +
          'name another file with --state.',
      )
    return useKnown(known, options, ports.signal)
  }
  if (code !== null && server !== null) return makeIdentity({ ...options, server, code }, ports)
  throw new AgentError(`${stateFile} does not exist: pair this device with --server URL --code CODE.`)
}

async function makeIdentity(
  options: AgentOptions & { readonly server: string; readonly code: string },
  { clock, signal, health, driver }: IdentityPorts,
): Promise<Identity> {
  const { server, code, stateFile, authority: fingerprint } = options
  await DRIVERS[options.driver.name].beforePairing?.(health)
  const name = options.name ?? (await driver.phoneName?.()) ?? hostName()
  const authority = fingerprint === null ? undefined : await fetchAuthority({ server, fingerprint }, signal)
  const about = { name, platform: platformOf(options), appVersion: VERSION, pairedAt: wallTime(clock) }
  const identity = await pair({ server, code, ...about, authority }, signal)
  saveIdentity(stateFile, identity)
  return identity
}

const hostName = () => hostname().slice(0, NAME_LENGTH_MAX) || 'agent'

/** A `--server` counts for this run only. An `--authority` is saved in the state file. */
async function useKnown(known: Identity, options: AgentOptions, signal: AbortSignal): Promise<Identity> {
  const { authority: fingerprint, stateFile } = options
  const socketUrl = options.server === null ? known.socketUrl : socketUrlOf(options.server)
  const isPinned = known.authority !== undefined && fingerprint === fingerprintOf(known.authority)
  if (fingerprint === null || isPinned) return { ...known, socketUrl }
  if (!socketUrl.startsWith('wss:'))
    throw new AgentError(
      `--authority is for HTTPS, and this device connects to ${serverOf(socketUrl)}: ` +
        'name the https:// address with --server.',
    )
  const authority = await fetchAuthority({ server: serverOf(socketUrl), fingerprint }, signal)
  saveIdentity(stateFile, { ...known, authority })
  return { ...known, socketUrl, authority }
}

export function platformOf({ driver }: AgentOptions): string {
  return DRIVERS[driver.name].platform ?? `node-${process.platform}`
}
