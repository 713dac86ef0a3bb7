import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { NAME_LENGTH_MAX, PAIRING_VALID_MS } from '#contracts/bounds.ts'
import type { CommandInput, CommandOutput } from '#contracts/commands.ts'
import type { PairingResource } from '#contracts/device.ts'
import { pairingAddress } from '#contracts/pairing-address.ts'
import { addDevice, checkDeviceLimit } from '#domain/device/add-device.ts'
import { cleanOrNull } from '#domain/device/clean-details.ts'
import { checkBound, Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * Makes a one-time code to pair a phone: 8 digits, valid for 10 minutes.
 *
 * @throws Problem FORBIDDEN when the plan has no room for another device; CONFLICT when many codes are open
 */
export function createPairing(
  world: World,
  input: { readonly accountId: string; readonly name: string | null },
): PairingResource {
  const { now, devices, tx } = world
  checkDeviceLimit(world, input.accountId)
  checkBound(ACCOUNT_BOUNDS.pairings, devices.countOpenPairings(tx, input.accountId, now.wallMs))
  const code = world.source.digits(8)
  const expiresAt = now.wallMs + PAIRING_VALID_MS
  devices.insertPairing(tx, macOf(world, code), { ...input, expiresAt })
  const { publicUrl, authority } = world.settings
  const pairUrl = pairingAddress(publicUrl, { code, authority })
  return { code, expiresAt: instant(expiresAt), pairUrl, authority }
}

/**
 * Turns a pairing code into a device. Only this answer contains the token; the database keeps its hash.
 *
 * @throws Problem UNAUTHORIZED for a code that is wrong, used or too old; RATE_LIMIT_EXCEEDED for an address
 *   with too many wrong codes; FORBIDDEN if the plan allows no more devices
 */
export function pairDevice(world: World, input: CommandInput<'device.pair'>): CommandOutput<'device.pair'> {
  const { pairing, codeHash } = findOpen(world, input)
  // A refusal must come before the first write.
  checkDeviceLimit(world, pairing.accountId)
  world.devices.deletePairing(world.tx, codeHash)
  return addDevice(world, {
    accountId: pairing.accountId,
    name: pairing.name ?? cleanOrNull(input.name, NAME_LENGTH_MAX) ?? 'Phone',
    protocol: input.protocol ?? 'roost',
    platform: input.platform,
    appVersion: input.appVersion,
  })
}

/**
 * Checks that a code is open, for the page that its link opens. A wrong code counts like a failed pairing.
 *
 * @throws Problem as `pairDevice`
 */
export function checkPairing(world: World, input: CommandInput<'device.check-pairing'>): null {
  checkDeviceLimit(world, findOpen(world, input).pairing.accountId)
  return null
}

function findOpen(world: World, input: { readonly code: string; readonly address?: string }) {
  const { now, devices, tx } = world
  if (input.address !== undefined) world.pairingTries.check(input.address, now)
  const codeHash = macOf(world, input.code)
  const pairing = devices.findPairing(tx, codeHash)
  if (pairing !== undefined && pairing.expiresAt > now.wallMs) return { pairing, codeHash }
  if (world.pairingTries.addWrong(input.address ?? '', now))
    // A refusal must not write, so a deadline voids the codes at the end of the transaction.
    world.deadlines.add(now.monoMs, 'void-pairings', '')
  throw new Problem('UNAUTHORIZED', 'this pairing code is wrong, used or too old: make a new one')
}

/** Ends all open codes of all accounts, because so many wrong codes were tried that a guess may succeed. */
export function voidPairings({ retention, tx, effects, pairingTries }: World): void {
  const codes = retention.deletePairings(tx, { before: Number.MAX_SAFE_INTEGER, limit: -1 })
  pairingTries.resetTotal()
  if (codes === 0) return
  effects.push({
    kind: 'log',
    level: 'warn',
    event: 'pairing.codes_voided',
    fields: { codes, hint: 'too many wrong codes were tried: make a new code' },
  })
}

/**
 * A MAC of the code. Its key is outside the database, because trying all 8-digit codes against a bare hash
 * takes a second.
 */
function macOf(world: Pick<World, 'source'>, code: string): Uint8Array {
  return world.source.mac(`pairing ${code}`)
}
