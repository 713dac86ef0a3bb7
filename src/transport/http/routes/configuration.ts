import type { CommandInput, Writer } from '#contracts/commands.ts'
import {
  type ChosenConfiguration,
  ConfigurationChange,
  ConfigurationResource,
} from '#contracts/configuration.ts'
import { regionOf } from '#domain/phone-number/parse-phone-number.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { rightFields, Validation } from '#transport/http/body.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

export interface ConfigurationPorts
  extends Pick<RoutePorts, 'numbers' | 'defaultCountry' | 'refusalOfTarget'> {
  readonly writer: Writer
  /** The configuration that the gateway runs with now; null: for another account than that of the machine. */
  readonly configuration: (chosen: ChosenConfiguration | null) => ConfigurationResource
  readonly backupPlace: () => CommandInput<'configuration.change'>['place']
}

const PATH = '/api/v1/configuration'
const EXAMPLE = {
  timeZone: 'Europe/Berlin',
  language: 'en' as const,
  backup: {
    enabled: true,
    dir: '/var/backups/roost',
    secondDir: '/mnt/nas/roost',
    at: '03:30',
    keepDays: 7,
    keepWeeks: 4,
  },
  alarms: { recipients: [{ index: 0, hint: '+1415•••0123' }], heartbeat: true },
  fixed: ['backup.secondDir'],
}

/** The routes of the part of the configuration that a person looks up, and of what its owner may change. */
export function configurationRoutes(ports: ConfigurationPorts): Route[] {
  const { writer, configuration } = ports
  return knownRoutes({ tag: 'gateway', role: 'owner' }, [
    {
      method: 'get',
      path: PATH,
      operation: {
        id: 'getConfiguration',
        summary: 'Backups, alarms and time zone of the gateway',
        description:
          'Backups, alarms and language, and the time zone of the machine. It has no secret, and numbers ' +
          'are masked. Only owners of the first account of the gateway see backups and alarms.',
        response: ConfigurationResource,
        example: { data: EXAMPLE },
      },
      role: 'viewer',
      handle: async ({ principal: { accountId, user } }) => {
        const { owner, chosen } = await writer.ask('configuration.find', {})
        return { data: configuration(owner === accountId && user?.role === 'owner' ? chosen : null) }
      },
    },
    {
      method: 'patch',
      path: PATH,
      operation: {
        id: 'updateConfiguration',
        summary: 'Change who gets alarms, and the nightly copies',
        description:
          'Only the fields of the request change, at once. 403: the gateway belongs to another account. ' +
          '409: the configuration file or the environment decides this (`fixed`); alarms go to six numbers ' +
          'already; or the folder of copies has no room for three times the database.',
        request: ConfigurationChange,
        response: ConfigurationResource,
        problems: [403, 409],
        example: {
          request: { alarms: { add: ['+14155550123'] }, backup: { enabled: true, keepDays: 7 } },
          data: EXAMPLE,
        },
      },
      handle: async call => ({
        data: configuration(await writer.ask('configuration.change', readChange(ports, call), call.by)),
      }),
    },
  ])
}

function readChange(ports: ConfigurationPorts, { json, principal }: AuthorizedCall) {
  const { numbers, defaultCountry, refusalOfTarget, backupPlace } = ports
  const validation = new Validation()
  const change = validation.parse(ConfigurationChange, json)
  const { add = [], heartbeatUrl = null } = rightFields(ConfigurationChange, json).alarms ?? {}
  const added = add.flatMap((text, at) => {
    const number = readWrittenNumber(text, defaultCountry(), numbers)
    if (typeof number !== 'string') return [{ phoneNumber: number.e164, country: regionOf(number) }]
    validation.add(`alarms.add.${at}`, number)
    return []
  })
  const fault = heartbeatUrl === null ? null : refusalOfTarget(heartbeatUrl, false)
  if (fault !== null) validation.add('alarms.heartbeatUrl', fault)
  return { accountId: principal.accountId, change: validation.complete(change), added, place: backupPlace() }
}
