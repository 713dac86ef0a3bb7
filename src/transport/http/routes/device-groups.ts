import * as v from 'valibot'
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
import { withoutUndefined } from '#transport/http/read-change.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'

const GIVEN = { name: 'Office', devices: [DEVICE_ID], fallback: 'any', fallbackAfterMinutes: 5 }
const GROUP = { ...GIVEN, id: DEVICE_GROUP_ID, downSince: null, createdAt: TIME }
const OF_GROUP = {
  id: { description: 'Id of the group, from the list of groups of phones.', example: DEVICE_GROUP_ID },
}

/** The routes of groups of phones. They ask the writer, which knows whether a group can send. */
export function deviceGroupRoutes({ writer }: { readonly writer: Writer }): Route[] {
  return [...readingRoutes(writer), ...changingRoutes(writer), removalRoute(writer)]
}

function readingRoutes(writer: Writer): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/device-groups',
      access: 'account',
      role: 'viewer',
      body: 'none',
      operation: {
        id: 'listDeviceGroups',
        tag: 'devices',
        summary: 'List groups of phones',
        description: 'The oldest first; an account has at most 20.',
        response: v.array(DeviceGroupResource),
        problems: [401, 429, 503],
        example: { data: [GROUP] },
      },
      handle: async ({ principal }) => ({
        data: await writer.ask('device-group.list', { accountId: principal.accountId }),
      }),
    },
    {
      method: 'get',
      path: '/api/v1/device-groups/{id}',
      access: 'account',
      role: 'viewer',
      body: 'none',
      operation: {
        id: 'getDeviceGroup',
        tag: 'devices',
        summary: 'A group of phones',
        description: '404: the account has no group of phones with this id.',
        parameters: OF_GROUP,
        response: DeviceGroupResource,
        problems: [401, 404, 429, 503],
        example: { data: GROUP },
      },
      handle: async call => ({ data: await writer.ask('device-group.find', reference(call)) }),
    },
  ]
}

function changingRoutes(writer: Writer): Route[] {
  return [
    {
      method: 'post',
      path: '/api/v1/device-groups',
      access: 'account',
      role: 'owner',
      body: 'json',
      operation: {
        id: 'createDeviceGroup',
        tag: 'devices',
        summary: 'Make a group of phones that share the work',
        description:
          'A send, a webhook or a policy names the group in `deviceGroupId`. When none of its phones could ' +
          'send for `fallbackAfterMinutes`, any other phone of the account does, unless `fallback` is ' +
          '`none`. 400 names an id that is no phone of the account. 409: the account has 20 groups.',
        request: CreateDeviceGroupRequest,
        response: DeviceGroupResource,
        problems: [400, 401, 409, 413, 415, 429, 503],
        example: { request: GIVEN, data: GROUP },
      },
      handle: async call => {
        const fields = await readGroup(writer, CreateDeviceGroupRequest, call)
        const { accountId } = call.principal
        return { data: await writer.ask('device-group.create', { accountId, fields }, call.by) }
      },
    },
    {
      method: 'patch',
      path: '/api/v1/device-groups/{id}',
      access: 'account',
      role: 'owner',
      body: 'json',
      operation: {
        id: 'updateDeviceGroup',
        tag: 'devices',
        summary: 'Change a group of phones',
        description: 'Fields that are left out stay unchanged. Texts that wait follow the change.',
        parameters: OF_GROUP,
        request: UpdateDeviceGroupRequest,
        response: DeviceGroupResource,
        problems: [400, 401, 404, 413, 415, 429, 503],
        example: { request: { fallback: 'none' }, data: { ...GROUP, fallback: 'none' } },
      },
      handle: async call => {
        const change = withoutUndefined(await readGroup(writer, UpdateDeviceGroupRequest, call))
        return { data: await writer.ask('device-group.update', { ...reference(call), change }, call.by) }
      },
    },
  ]
}

function removalRoute(writer: Writer): Route {
  return {
    method: 'delete',
    path: '/api/v1/device-groups/{id}',
    access: 'account',
    role: 'owner',
    body: 'none',
    operation: {
      id: 'deleteDeviceGroup',
      tag: 'devices',
      summary: 'Remove a group of phones',
      description: '409: a webhook, a policy or an open text names the group; the message lists them.',
      parameters: OF_GROUP,
      response: RemovedDeviceGroup,
      problems: [401, 404, 409, 429, 503],
      example: { data: { id: DEVICE_GROUP_ID } },
    },
    handle: async call => ({ data: await writer.ask('device-group.remove', reference(call), call.by) }),
  }
}

function reference({ principal, parameters }: AuthorizedCall) {
  return { accountId: principal.accountId, groupId: parameters[0] ?? '' }
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
