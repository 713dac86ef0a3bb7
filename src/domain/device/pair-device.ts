import { PAIRING_VALID_MS, PAIRINGS_OPEN_MAX } from '#contracts/bounds.ts'
import type { CommandInput, CommandOutput } from '#contracts/commands.ts'
import type { PairingResource } from '#contracts/device.ts'
import { planOf } from '#domain/account/plan-of.ts'
import { Pacing } from '#domain/device/pacing.ts'
import { type Device, Phone } from '#domain/device/phone.ts'
import { Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * Makes a one-time code for one more phone: 8 digits, 10 minutes.
 *
 * @throws Problem FORBIDDEN when the plan has no room for another device; CONFLICT when many codes are open
 */
export function createPairing(
  world: World,
  input: { readonly accountId: string; readonly name: string | null },
): PairingResource {
  const { now, devices, tx } = world
  checkRoom(world, input.accountId)
  if (devices.openPairings(tx, input.accountId, now.wallMs) >= PAIRINGS_OPEN_MAX)
    throw new Problem('CONFLICT', `${PAIRINGS_OPEN_MAX} pairing codes are open: use one, or wait 10 minutes`)
  const code = world.source.digits(8)
  const expiresAt = now.wallMs + PAIRING_VALID_MS
  devices.insertPairing(tx, sealOf(world, code), { ...input, expiresAt })
  const pairUrl = `${world.settings.publicUrl}/device/v1/pair?code=${code}`
  return { code, expiresAt: instant(expiresAt), pairUrl }
}

/**
 * Turns a code into a device. The token is shown here once; only its hash is kept.
 *
 * @throws Problem UNAUTHORIZED for a code that is wrong, used or too old; RATE_LIMIT_EXCEEDED for an address
 *   with too many wrong ones; FORBIDDEN when the plan is full
 */
export function pairDevice(world: World, input: CommandInput<'device.pair'>): CommandOutput<'device.pair'> {
  const { now, devices, source, tx, settings } = world
  const { pairing, codeHash } = findOpen(world, input)
  checkRoom(world, pairing.accountId)
  devices.deletePairing(tx, codeHash)
  const device: Device = {
    id: source.id('dev_', now.wallMs),
    accountId: pairing.accountId,
    name: pairing.name ?? input.name ?? 'Phone',
    protocol: input.protocol ?? 'roost',
    platform: input.platform,
    appVersion: input.appVersion,
    sims: [],
    battery: null,
    charging: null,
    signal: null,
    paused: false,
    segmentsPerMinute: null,
    pairedAt: now.wallMs,
    lastSeenAt: now.wallMs,
    announcedOnline: false,
    sentDay: 0,
    sentCount: 0,
  }
  const token = source.secret('dvt_')
  devices.insert(tx, device, source.hash(token))
  const pacing = new Pacing(settings.segmentsPerMinute, settings.segmentsBurst, now.monoMs)
  world.fleet.add(new Phone(device, pacing, now.monoMs))
  const { id: deviceId, name } = device
  world.effects.push({ kind: 'log', level: 'info', event: 'device.paired', fields: { deviceId, name } })
  return { deviceId: device.id, token }
}

/**
 * Whether a code is open, for the page that it leads to. A wrong one counts as one that a phone tried.
 *
 * @throws Problem as `pairDevice`
 */
export function checkPairing(world: World, input: CommandInput<'device.check-pairing'>): null {
  checkRoom(world, findOpen(world, input).pairing.accountId)
  return null
}

function findOpen(world: World, input: { readonly code: string; readonly address?: string }) {
  const { now, devices, tx } = world
  if (input.address !== undefined) world.pairingTries.check(input.address, now)
  const codeHash = sealOf(world, input.code)
  const pairing = devices.findPairing(tx, codeHash)
  if (pairing !== undefined && pairing.expiresAt > now.wallMs) return { pairing, codeHash }
  if (world.pairingTries.addWrong(input.address ?? '', now))
    // A refusal writes nothing: what it leads to is done at the end of the transaction.
    world.deadlines.add(now.monoMs, 'void-pairings', '')
  throw new Problem('UNAUTHORIZED', 'this pairing code is wrong, used or too old: make a new one')
}

/** Ends every open code, of all accounts: strangers have tried so many that one of them might hit. */
export function voidPairings({ tidy, tx, effects, pairingTries }: World): void {
  const codes = tidy.deletePairings(tx, { before: Number.MAX_SAFE_INTEGER, limit: -1 })
  pairingTries.voided()
  if (codes === 0) return
  effects.push({
    kind: 'log',
    level: 'warn',
    event: 'pairing.codes_voided',
    fields: { codes, hint: 'too many wrong codes were tried: make a new code' },
  })
}

/** Eight digits are found from their hash in a second: they are sealed with a key outside of the database. */
function sealOf(world: World, code: string): Uint8Array {
  return world.source.mac(`pairing ${code}`)
}

function checkRoom(world: World, accountId: string): void {
  const plan = planOf(world, accountId)
  if (plan.devices !== -1 && world.fleet.phoneCount(accountId) >= plan.devices)
    throw new Problem(
      'FORBIDDEN',
      `the plan ${plan.name} has room for ${plan.devices} device(s): remove one first`,
    )
}
