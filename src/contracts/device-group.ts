/** Groups of phones in the API: phones that share the work. */
import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'
import type { OwnedCommands } from '#contracts/owned.ts'
import { DeviceGroupId, DeviceId, Instant, Name, whole } from '#contracts/primitives.ts'

/** Each choice for a group looks at all of its phones. */
const GROUP_DEVICES_MAX = 50
/** A day: the time to live of an alert. */
export const FALLBACK_MINUTES_MAX = 1440
export const FALLBACK_MINUTES_DEFAULT = 5

const settings = {
  name: noted(Name, 'A label for people, 1 to 80 characters on one line.'),
  devices: noted(
    v.pipe(
      v.array(v.string('must be text'), 'must be a list of ids of phones'),
      v.minLength(1, 'must contain at least one phone'),
      v.maxLength(GROUP_DEVICES_MAX, `must contain at most ${GROUP_DEVICES_MAX} phones`),
      v.check(ids => new Set(ids).size === ids.length, 'must name each phone once'),
    ),
    'Ids of 1 to 50 phones, each once.',
  ),
  fallback: noted(
    v.picklist(['any', 'none'], 'must be any or none'),
    'Who sends when no phone of the group can: `any` other phone of the account, or `none`.',
  ),
  fallbackAfterMinutes: noted(
    whole(0, FALLBACK_MINUTES_MAX),
    'After so many minutes in which no phone of the group could send, `fallback` counts; 0 to 1440.',
  ),
}

export const CreateDeviceGroupRequest = v.object({
  ...settings,
  fallback: v.optional(settings.fallback, 'any'),
  fallbackAfterMinutes: v.optional(settings.fallbackAfterMinutes, FALLBACK_MINUTES_DEFAULT),
})
export type DeviceGroupFields = v.InferOutput<typeof CreateDeviceGroupRequest>

/** Absent fields stay as they are. */
export const UpdateDeviceGroupRequest = v.partial(v.object(settings))

export const DeviceGroupResource = v.object({
  ...settings,
  id: noted(DeviceGroupId, 'The identifier, `dgr_…`.'),
  devices: noted(v.array(DeviceId), 'Ids of its phones; empty once all of them were removed.'),
  downSince: noted(v.nullable(Instant), 'Since when no phone of the group can send; null: one can.'),
  createdAt: noted(Instant, 'Time of creation.'),
})
export type DeviceGroupResource = v.InferOutput<typeof DeviceGroupResource>

export const RemovedDeviceGroup = v.object({ id: noted(DeviceGroupId, 'The group, `dgr_…`.') })

const id = v.nullable(v.string('must be text'))
const GROUP_NOTE = 'The group of phones that sends, `dgr_…`; not together with `deviceId`; null: none.'

/** The phones of a webhook or policy, in answers and changes: a phone, a group, or any phone. */
export const PhoneChoice = {
  deviceId: noted(id, 'The phone that sends the texts; null: any phone.'),
  deviceGroupId: noted(id, GROUP_NOTE),
}
/** The same in the request that makes it. */
export const PhoneFields = {
  deviceId: v.optional(PhoneChoice.deviceId, null),
  deviceGroupId: v.optional(PhoneChoice.deviceGroupId, null),
}
/** The field `deviceGroupId` of a send. */
export const DeviceGroupField = noted(v.nullish(v.string('must be text'), null), GROUP_NOTE)

/** Fields whose phone or group of phones is one id. */
export type WithTarget<Fields> = Omit<Fields, 'deviceId' | 'deviceGroupId'> & {
  /** A phone or a group of phones; null: any phone. */
  readonly deviceId?: string | null
}

/** Whether the target of a message is a group of phones, and not a phone. */
export function isDeviceGroup(target: string): boolean {
  return target.startsWith('dgr_')
}

/** The target of a message or webhook as the two fields of the API. */
export function targetFields(target: string | null) {
  const isGroup = target !== null && isDeviceGroup(target)
  return { deviceId: isGroup ? null : target, deviceGroupId: isGroup ? target : null }
}

export interface DeviceGroupReference {
  readonly accountId: string
  readonly groupId: string
}

export interface DeviceGroupCommands
  extends OwnedCommands<'device-group', DeviceGroupFields, DeviceGroupResource, DeviceGroupReference> {
  'device-group.list': { input: { readonly accountId: string }; output: readonly DeviceGroupResource[] }
  'device-group.find': { input: DeviceGroupReference; output: DeviceGroupResource }
  'device-group.remove': { input: DeviceGroupReference; output: { readonly id: string } }
}
