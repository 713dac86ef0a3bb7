import * as v from 'valibot'
import type { DeviceReference, Writer } from '#contracts/commands.ts'
import {
  AddDeviceRequest,
  CreatePairingRequest,
  DeviceDetail,
  DeviceListItem,
  type NewPhone,
  PairingResource,
  type PhoneAccessChange,
  RemovedDevice,
  type Ringer,
  UpdateDeviceRequest,
} from '#contracts/device.ts'
import { ModemItem, type NewModem } from '#contracts/modem.ts'
import { PHONE_USERNAME } from '#contracts/smsgate.ts'
import { readBody } from '#transport/http/body.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import { DEVICE_ID, TIME } from '#transport/http/openapi/example-values.ts'
import { referenceAs } from '#transport/http/read-change.ts'
import { readDeviceChange } from '#transport/http/read-device-change.ts'
import type { Route } from '#transport/http/route.ts'

/** Adds and changes phones that the gateway connects to; `app/phones/phone-connections.ts` implements it. */
export interface PhoneConnector {
  add(phone: NewPhone): Promise<v.InferOutput<typeof DeviceDetail>>
  change(which: DeviceReference, change: PhoneAccessChange): Promise<void>
  changeRinger(which: DeviceReference, ringer: Ringer | null): Promise<void>
  /** Why the gateway may not connect to this address of a phone; null: it may. */
  refusalOf(url: string): Promise<string | null>
}

/** Modems of this machine; `app/phones/modem-connections.ts` implements it. */
export interface ModemConnector {
  list(accountId: string): Promise<{ readonly modems: readonly ModemItem[] }>
  add(modem: NewModem): Promise<v.InferOutput<typeof DeviceDetail>>
  changePin(which: DeviceReference, pin: string): Promise<void>
}

interface DevicePorts {
  readonly writer: Writer
  readonly phones: PhoneConnector
  readonly modems: ModemConnector
}

const DEVICE = {
  deviceId: DEVICE_ID,
  name: 'Kitchen phone',
  status: 'online',
  lastSeen: TIME,
  smsToday: 12,
  segmentsToday: 12,
  smsThisMonth: 210,
  smsPerDayMax: null,
  smsPerMonthMax: 1000,
  monthStartsOn: 1,
  simInfo: { carrier: 'Example Mobile', countryCode: 'US' },
  paused: false,
  kind: 'roost',
  trouble: null,
  driver: 'termux',
  battery: 87,
  charging: true,
  signal: -71,
  queueLength: 0,
  segmentsPerMinute: 20,
  phoneNumber: '+14155550123',
  drill: { every: 'day', at: '10:00', to: null, simSlot: null },
  proven: { sends: TIME, receives: TIME, tookMs: 6400 },
  calls: false,
  receives: true,
}
const DETAIL = {
  ...DEVICE,
  platform: 'android',
  appVersion: '1.2.3',
  sims: [{ slot: 1, carrier: 'Example Mobile', countryCode: 'US', phoneNumber: null }],
  pairedAt: '2026-01-01T08:00:00.000Z',
}
const OF_DEVICE = {
  deviceId: { description: 'Id of the phone, from the list of devices.', example: DEVICE_ID },
}
const MODEM = {
  imei: '490154203237518',
  model: 'SIMCOM SIM7600G-H',
  operator: 'Example Mobile',
  phoneNumber: '+14155550123',
  signal: 67,
  state: 'registered',
  locked: false,
}
const REACHED = { kind: 'smsgate', url: 'http://192.168.1.20:8080', password: 'a1B2c3D4' }

/** The routes of the account's phones. They ask the writer, because only it knows a phone's current state. */
export function deviceRoutes({ writer, phones, modems }: DevicePorts): Route[] {
  return knownRoutes({ tag: 'devices', role: 'owner' }, [
    {
      method: 'get',
      path: '/api/v1/devices',
      access: 'key',
      role: 'viewer',
      operation: {
        id: 'listDevices',
        summary: 'List devices',
        description: 'Every phone that is paired with the account, connected or not.',
        response: v.array(DeviceListItem),
        example: { data: [DEVICE] },
      },
      handle: async ({ principal }) => ({
        data: await writer.ask('device.list', { accountId: principal.accountId }),
      }),
    },
    modemsRoute(modems),
    {
      method: 'get',
      path: '/api/v1/devices/{deviceId}',
      access: 'key',
      role: 'viewer',
      operation: {
        id: 'getDevice',
        summary: 'Device detail',
        description:
          'The phone with its battery, signal, SIMs and queue. 404: the account has no phone with this id.',
        parameters: OF_DEVICE,
        response: DeviceDetail,
        example: { data: DETAIL },
      },
      handle: async call => ({ data: await writer.ask('device.find', referenceAs('deviceId', call)) }),
    },
    ...managementRoutes({ writer, phones, modems }),
    addRoute({ phones, modems }),
  ])
}

/** Routes that need an account token or a session, not only an API key. */
function managementRoutes({ writer, phones, modems }: DevicePorts): KnownRoute[] {
  return [
    {
      method: 'patch',
      path: '/api/v1/devices/{deviceId}',
      operation: {
        id: 'updateDevice',
        summary: 'Change the name, pause, pace, caps, drills or address of a device',
        description:
          'Fields that are left out stay unchanged. A paused phone, and one at a cap, gets no new ' +
          'message. Only a phone of the kind `smsgate` has `url`, `username` and `password`; 400 if the ' +
          'phone does not answer with the new values, or the password for another server is missing. ' +
          'Only a modem has a `pin`; 400 if its SIM refuses it. 404: the account has no phone with this ' +
          'id. 409: another phone of the account has this number; or the stored password can no longer be ' +
          'read: remove the phone and add it again.',
        parameters: OF_DEVICE,
        request: UpdateDeviceRequest,
        response: DeviceDetail,
        problems: [409],
        example: { request: { name: 'Kitchen phone', paused: true }, data: { ...DETAIL, paused: true } },
      },
      handle: async call => {
        const which = referenceAs('deviceId', call)
        const request = await readDeviceChange({ writer, phones }, which, call.json)
        const { url, username, password, pin, ringer, ...change } = request
        // Change the access first, because that may be refused.
        if (url !== undefined || username !== undefined || password !== undefined)
          await phones.change(which, { url, username, password })
        if (ringer !== undefined) await phones.changeRinger(which, ringer)
        if (pin !== undefined) await modems.changePin(which, pin)
        return { data: await writer.ask('device.update', { ...which, change }, call.by) }
      },
    },
    {
      method: 'delete',
      path: '/api/v1/devices/{deviceId}',
      operation: {
        id: 'deleteDevice',
        summary: 'Remove a device',
        description:
          'Disconnects the phone and ends its token at once. Its waiting messages go to other phones, or ' +
          'fail if they were meant for this phone only.',
        parameters: OF_DEVICE,
        response: RemovedDevice,
        example: { data: { deviceId: DEVICE_ID } },
      },
      handle: async call => ({
        data: await writer.ask('device.remove', referenceAs('deviceId', call), call.by),
      }),
    },
    pairingRoute(writer),
  ]
}

function pairingRoute(writer: Writer): KnownRoute {
  return {
    method: 'post',
    path: '/api/v1/devices/pairings',
    mayBeEmpty: true,
    operation: {
      id: 'createPairing',
      summary: 'Make a pairing code for a phone',
      description:
        'A code of eight digits that pairs one phone and is valid for 10 minutes. 403: the plan allows ' +
        'no more phones. 409: too many unused codes are valid; use one, or wait 10 minutes.',
      request: CreatePairingRequest,
      response: PairingResource,
      problems: [403, 409],
      example: {
        request: { name: 'Kitchen phone' },
        data: {
          code: '40718263',
          expiresAt: '2026-01-31T12:10:00.000Z',
          pairUrl: 'http://roost.local:8080/device/v1/pair?code=40718263',
          authority: null,
        },
      },
    },
    handle: async ({ by, principal, json }) => {
      const { name } = readBody(CreatePairingRequest, json)
      const { accountId } = principal
      return { data: await writer.ask('device.create-pairing', { accountId, name }, by) }
    },
  }
}

function modemsRoute(modems: ModemConnector): KnownRoute {
  return {
    method: 'get',
    path: '/api/v1/devices/modems',
    operation: {
      id: 'listModems',
      summary: 'List the modems of this machine',
      description:
        'What ModemManager, if it runs, sees on the gateway’s machine. Accounts that are neither the first ' +
        'one nor in `devices.modem_accounts` see only those that are their phones.',
      response: v.array(ModemItem),
      example: { data: [MODEM] },
    },
    handle: async ({ principal }) => ({ data: (await modems.list(principal.accountId)).modems }),
  }
}

function addRoute({ phones, modems }: Pick<DevicePorts, 'phones' | 'modems'>): KnownRoute {
  return {
    method: 'post',
    path: '/api/v1/devices',
    operation: {
      id: 'addDevice',
      summary: 'Add a phone that the gateway connects to: the SMSGate app, or a modem',
      description:
        'The gateway connects to the phone at once. 400 says why that failed: no answer, a wrong password, ' +
        'a program that is not the SMSGate app, or a version that is too old. The phone must be in a ' +
        'private network, or its host must be listed in `devices.allowed_hosts`. A modem must be one of ' +
        '`GET /devices/modems` (404); 400: its SIM needs a PIN, or another one. 409: the phone was ' +
        'added before (a modem: by any account). 403: the plan allows no more phones, or only others modems.',
      request: AddDeviceRequest,
      response: DeviceDetail,
      problems: [403, 404, 409],
      example: { request: REACHED, data: { ...DETAIL, kind: 'smsgate', driver: 'smsgate' } },
    },
    handle: async ({ by, principal, json }) => {
      const request = readBody(AddDeviceRequest, json)
      const { accountId } = principal
      const { name = null } = request
      if (request.kind === 'modem') {
        const { imei, pin = null } = request
        return { data: await modems.add({ accountId, imei, pin, name, by }) }
      }
      const { url, username, password } = request
      const access = { url, username: username ?? PHONE_USERNAME, password }
      return { data: await phones.add({ accountId, ...access, name, by }) }
    },
  }
}
