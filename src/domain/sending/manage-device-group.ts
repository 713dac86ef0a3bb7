import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { DeviceGroupFields, DeviceGroupReference, DeviceGroupResource } from '#contracts/device-group.ts'
import { printableLine } from '#contracts/printable.ts'
import type { Issue } from '#contracts/problem.ts'
import { newOwned } from '#domain/account/plan-of.ts'
import { type DeviceGroup, PhoneGroup } from '#domain/device/phone-group.ts'
import { invalid, notFound, Problem } from '#domain/problem.ts'
import { offerToAll } from '#domain/sending/offer-messages.ts'
import { watchGroup } from '#domain/sending/watch-group.ts'
import { instant, instantOrNull } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

export function listDeviceGroups(
  { fleet }: World,
  { accountId }: { readonly accountId: string },
): readonly DeviceGroupResource[] {
  return fleet.groupsOf(accountId).map(({ row }) => describe(row))
}

/** @throws Problem NOT_FOUND */
export function findDeviceGroup(world: World, which: DeviceGroupReference): DeviceGroupResource {
  return describe(find(world, which).row)
}

/** @throws Problem INVALID_REQUEST (unknown phones), and as `newOwned` */
export function createDeviceGroup(
  world: World,
  input: CommandInput<'device-group.create'>,
): DeviceGroupResource {
  const { fleet } = world
  const held = fleet.groupsOf(input.accountId).length
  const made = newOwned(world, input, { kind: 'device-group', bound: ACCOUNT_BOUNDS.deviceGroups, held })
  checkDevices(world, input.accountId, made.devices)
  const group = new PhoneGroup({ ...made, downSince: null })
  fleet.addGroup(group)
  return save(world, group)
}

/**
 * Changes the given fields and keeps the rest.
 *
 * @throws Problem NOT_FOUND; INVALID_REQUEST (unknown phones)
 */
export function updateDeviceGroup(
  world: World,
  input: CommandInput<'device-group.update'>,
): DeviceGroupResource {
  const group = find(world, input)
  const { devices } = input.change
  if (devices !== undefined) checkDevices(world, input.accountId, devices)
  group.row = { ...group.row, ...input.change }
  world.fleet.fillGroup(group)
  return save(world, group)
}

/** @throws Problem NOT_FOUND; CONFLICT: webhooks, policies or open texts name it; the message lists them */
export function removeDeviceGroup(world: World, which: DeviceGroupReference): { readonly id: string } {
  const { fleet, deviceGroups, tx } = world
  const group = find(world, which)
  const users = usersOf(world, which)
  if (users.length > 0) {
    const message = `${group.row.name} is named by ${users.join(', ')}: change that first`
    throw new Problem('CONFLICT', printableLine(message))
  }
  fleet.removeGroup(group)
  deviceGroups.remove(tx, group.row)
  return { id: group.row.id }
}

function find({ fleet }: World, { accountId, groupId }: DeviceGroupReference): PhoneGroup {
  const group = fleet.groupOf(accountId, groupId)
  if (group === undefined) throw notFound('group of phones')
  return group
}

function save(world: World, group: PhoneGroup): DeviceGroupResource {
  world.deviceGroups.save(world.tx, group.row)
  watchGroup(world, group)
  offerToAll(world, group.row.accountId)
  return describe(group.row)
}

function describe({
  accountId: _,
  devices,
  downSince,
  createdAt,
  ...group
}: DeviceGroup): DeviceGroupResource {
  return {
    ...group,
    devices: [...devices],
    downSince: instantOrNull(downSince),
    createdAt: instant(createdAt),
  }
}

/** The ids in the field `devices` that are no phone of the account. */
export function unknownDevices(devices: readonly string[], isPhone: (id: string) => boolean): Issue[] {
  return devices.flatMap((id, index) => {
    if (isPhone(id)) return []
    return [{ path: `devices.${index}`, message: 'must be the id of a phone, from the list of devices' }]
  })
}

function checkDevices({ fleet }: World, accountId: string, devices: DeviceGroupFields['devices']): void {
  const issues = unknownDevices(devices, id => fleet.phoneOf(accountId, id) !== undefined)
  if (issues.length > 0) throw invalid(issues)
}

function usersOf({ webhooks, onCall, fleet }: World, { accountId, groupId }: DeviceGroupReference): string[] {
  let texts = 0
  for (const open of fleet.messages.values()) if (open.groupId === groupId) texts += 1
  const callers = webhooks.list(accountId).filter(({ deviceId }) => deviceId === groupId)
  const policies = onCall.policy.list(accountId).filter(({ deviceId }) => deviceId === groupId)
  return [
    ...callers.map(({ name }) => `the webhook ${name}`),
    ...policies.map(({ name }) => `the policy ${name}`),
    ...(texts === 0 ? [] : [`${texts} open ${texts === 1 ? 'text' : 'texts'}`]),
  ]
}
