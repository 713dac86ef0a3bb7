import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput, CommandOutput } from '#contracts/commands.ts'
import { planOf } from '#domain/account/plan-of.ts'
import { cleanOrNull, cleanSims, VERSION_LENGTH_MAX } from '#domain/device/clean-details.ts'
import { Pacing } from '#domain/device/pacing.ts'
import { type Device, Phone } from '#domain/device/phone.ts'
import { checkBound, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/**
 * Makes a device. Only this answer contains the token; the database keeps its hash.
 *
 * @throws Problem FORBIDDEN when the plan has no room for another device, CONFLICT when no account has
 */
export function addDevice(world: World, input: CommandInput<'device.add'>): CommandOutput<'device.add'> {
  const { now, devices, source, tx, settings } = world
  checkDeviceLimit(world, input.accountId)
  const device: Device = {
    id: source.id('dev_', now.wallMs),
    accountId: input.accountId,
    name: input.name,
    protocol: input.protocol,
    platform: cleanOrNull(input.platform ?? null, VERSION_LENGTH_MAX),
    appVersion: cleanOrNull(input.appVersion, VERSION_LENGTH_MAX),
    driver: null,
    sims: cleanSims(input.sims ?? []),
    calls: null,
    receives: null,
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
    smsPerDayMax: null,
    smsPerMonthMax: null,
    monthStartsOn: 1,
    segmentDays: [],
    phoneNumber: null,
    drill: null,
    proof: null,
  }
  const token = source.secret('dvt_')
  devices.insert(tx, device, source.hash(token))
  const phone = new Phone(
    device,
    new Pacing(settings.segmentsPerMinute, settings.segmentsBurst, now.monoMs),
    now.monoMs,
  )
  world.fleet.add(phone)
  const { id: deviceId, name } = device
  world.effects.push({ kind: 'log', level: 'info', event: 'device.paired', fields: { deviceId, name } })
  if (phone.can.isReached) world.effects.push({ kind: 'reached-phones' })
  return { deviceId, token }
}

/** @throws Problem FORBIDDEN (the plan has no room), CONFLICT (no account has) */
export function checkDeviceLimit(world: World, accountId: string): void {
  const plan = planOf(world, accountId)
  if (plan.devices !== -1 && world.fleet.phoneCount(accountId) >= plan.devices)
    throw new Problem(
      'FORBIDDEN',
      `the plan ${plan.name} has room for ${plan.devices} device(s): remove one first`,
    )
  checkBound(ACCOUNT_BOUNDS.phones, world.fleet.phoneCount(accountId))
}
