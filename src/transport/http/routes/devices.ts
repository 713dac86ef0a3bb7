import * as v from 'valibot'
import type { DeviceReference, Writer } from '#contracts/commands.ts'
import {
  AddDeviceRequest,
  CreatePairingRequest,
  DeviceDetail,
  DeviceListItem,
  type NewPhone,
  PairingResource,
  PHONE_USERNAME,
  type PhoneAccessChange,
  RemovedDevice,
  UpdateDeviceRequest,
} from '#contracts/device.ts'
import { Validation } from '#transport/http/body.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { Route } from '#transport/http/route.ts'

/** Adds and changes phones that the gateway connects to; `app/phones/phone-connections.ts` implements it. */
export interface PhoneConnector {
  add(phone: NewPhone): Promise<v.InferOutput<typeof DeviceDetail>>
  change(which: DeviceReference, change: PhoneAccessChange): Promise<void>
}

interface DevicePorts {
  readonly writer: Writer
  readonly phones: PhoneConnector
}

/** The routes of the account's phones. They ask the writer, because only it knows a phone's current state. */
export function deviceRoutes({ writer, phones }: DevicePorts): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/devices',
      access: 'key',
      body: 'none',
      operation: {
        id: 'listDevices',
        tag: 'devices',
        summary: 'List devices',
        response: v.array(DeviceListItem),
        problems: [401, 429, 503],
        example: EXAMPLES.devices,
      },
      handle: async ({ principal }) => ({
        data: await writer.ask('device.list', { accountId: principal.accountId }),
      }),
    },
    {
      method: 'get',
      path: '/api/v1/devices/{deviceId}',
      access: 'key',
      body: 'none',
      operation: {
        id: 'getDevice',
        tag: 'devices',
        summary: 'Device detail',
        response: DeviceDetail,
        problems: [401, 404, 429, 503],
        example: EXAMPLES.device,
      },
      handle: async ({ principal, parameters }) => ({
        data: await writer.ask('device.find', reference(principal, parameters)),
      }),
    },
    ...managementRoutes(writer, phones),
    addRoute(phones),
  ]
}

/** Routes that need an account token or a session, not only an API key. */
function managementRoutes(writer: Writer, phones: PhoneConnector): Route[] {
  return [
    {
      method: 'patch',
      path: '/api/v1/devices/{deviceId}',
      access: 'account',
      body: 'json',
      operation: {
        id: 'updateDevice',
        tag: 'devices',
        summary: 'Change the name, pause, pace or address of a device',
        request: UpdateDeviceRequest,
        response: DeviceDetail,
        problems: [400, 401, 404, 409, 413, 415, 429, 503],
        example: EXAMPLES.updateDevice,
      },
      handle: async ({ principal, parameters, json }) => {
        const validation = new Validation()
        const request = validation.complete(validation.parse(UpdateDeviceRequest, json))
        const { url, username, password, ...change } = request
        const which = reference(principal, parameters)
        // Change the access first, because that may be refused.
        if (url !== undefined || username !== undefined || password !== undefined)
          await phones.change(which, { url, username, password })
        return { data: await writer.ask('device.update', { ...which, change }) }
      },
    },
    {
      method: 'delete',
      path: '/api/v1/devices/{deviceId}',
      access: 'account',
      body: 'none',
      operation: {
        id: 'deleteDevice',
        tag: 'devices',
        summary: 'Remove a device',
        response: RemovedDevice,
        problems: [401, 404, 429, 503],
        example: EXAMPLES.removeDevice,
      },
      handle: async ({ principal, parameters }) => ({
        data: await writer.ask('device.remove', reference(principal, parameters)),
      }),
    },
    {
      method: 'post',
      path: '/api/v1/devices/pairings',
      access: 'account',
      body: 'json',
      mayBeEmpty: true,
      operation: {
        id: 'createPairing',
        tag: 'devices',
        summary: 'Make a pairing code for a phone',
        request: CreatePairingRequest,
        response: PairingResource,
        problems: [400, 401, 403, 409, 413, 415, 429, 503],
        example: EXAMPLES.pairing,
      },
      handle: async ({ principal, json }) => {
        const validation = new Validation()
        const { name } = validation.complete(validation.parse(CreatePairingRequest, json))
        const { accountId } = principal
        return { data: await writer.ask('device.create-pairing', { accountId, name }) }
      },
    },
  ]
}

function addRoute(phones: PhoneConnector): Route {
  return {
    method: 'post',
    path: '/api/v1/devices',
    access: 'account',
    body: 'json',
    operation: {
      id: 'addDevice',
      tag: 'devices',
      summary: 'Add a phone that the gateway connects to (local server of the SMSGate app)',
      request: AddDeviceRequest,
      response: DeviceDetail,
      problems: [400, 401, 403, 409, 413, 415, 429, 503],
      example: EXAMPLES.addDevice,
    },
    handle: async ({ principal, json }) => {
      const validation = new Validation()
      const request = validation.complete(validation.parse(AddDeviceRequest, json))
      const { url, username, password, name } = request
      const { accountId } = principal
      const phone = { accountId, url, username: username ?? PHONE_USERNAME, password, name: name ?? null }
      return { data: await phones.add(phone) }
    },
  }
}

function reference(principal: { readonly accountId: string }, parameters: readonly string[]) {
  return { accountId: principal.accountId, deviceId: parameters[0] ?? '' }
}
