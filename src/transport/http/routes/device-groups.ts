import type * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import {
  CreateDeviceGroupRequest,
  DeviceGroupResource,
  RemovedDeviceGroup,
  UpdateDeviceGroupRequest,
} from '#contracts/device-group.ts'
import { unknownDevices } from '#domain/sending/manage-device-group.ts'
import { rightFields, Validation } from '#transport/http/body.ts'
import { DEVICE_GROUP_ID, DEVICE_ID, TIME } from '#transport/http/openapi/example-values.ts'
import { referenceAs, withoutUndefined } from '#transport/http/read-change.ts'
import { resourceRoutes } from '#transport/http/resource-routes.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'

const GIVEN = { name: 'Office', devices: [DEVICE_ID], fallback: 'any', fallbackAfterMinutes: 5 }

/** The routes of groups of phones. They ask the writer, which knows whether a group can send. */
export function deviceGroupRoutes({ writer }: { readonly writer: Writer }): Route[] {
  return resourceRoutes({
    path: '/api/v1/device-groups',
    tag: 'devices',
    named: ['DeviceGroup', 'DeviceGroups'],
    word: 'group of phones',
    ofId: 'Id of the group, from the list of groups of phones.',
    roles: ['viewer', 'owner'],
    words: {
      list: ['List groups of phones', 'The oldest first; an account has at most 20.'],
      get: 'A group of phones',
      create: [
        'Make a group of phones that share the work',
        'A send, a webhook or a policy names the group in `deviceGroupId`. When none of its phones could ' +
          'send for `fallbackAfterMinutes`, any other phone of the account does, unless `fallback` is ' +
          '`none`. 400 names an id that is no phone of the account. 409: the account has 20 groups.',
      ],
      update: [
        'Change a group of phones',
        'Fields that are left out stay unchanged. Texts that wait follow the change.',
      ],
      remove: [
        'Remove a group of phones',
        '409: a webhook, a policy or an open text names the group; the message lists them.',
      ],
    },
    schemas: {
      create: CreateDeviceGroupRequest,
      update: UpdateDeviceGroupRequest,
      item: DeviceGroupResource,
      removed: RemovedDeviceGroup,
    },
    example: [
      GIVEN,
      { ...GIVEN, id: DEVICE_GROUP_ID, downSince: null, createdAt: TIME },
      { fallback: 'none' },
    ],
    problems: { remove: [409] },
    rows: {
      list: accountId => writer.ask('device-group.list', { accountId }),
      find: (accountId, groupId) => writer.ask('device-group.find', { accountId, groupId }),
    },
    show: group => group,
    create: async call => {
      const fields = await readGroup(writer, CreateDeviceGroupRequest, call)
      return writer.ask('device-group.create', { accountId: call.principal.accountId, fields }, call.by)
    },
    update: async call => {
      const change = withoutUndefined(await readGroup(writer, UpdateDeviceGroupRequest, call))
      return writer.ask('device-group.update', { ...referenceAs('groupId', call), change }, call.by)
    },
    remove: call => writer.ask('device-group.remove', referenceAs('groupId', call), call.by),
  })
}

async function readGroup<T extends typeof CreateDeviceGroupRequest | typeof UpdateDeviceGroupRequest>(
  writer: Writer,
  schema: T,
  { principal, json }: AuthorizedCall,
): Promise<v.InferOutput<T>> {
  const validation = new Validation()
  const parsed = validation.parse(schema, json)
  const { devices } = rightFields(CreateDeviceGroupRequest, json)
  if (devices !== undefined) {
    const phones = await writer.ask('device.list', { accountId: principal.accountId })
    const ids = new Set(phones.map(({ deviceId }) => deviceId))
    validation.addAll(unknownDevices(devices, id => ids.has(id)))
  }
  return validation.complete(parsed)
}
