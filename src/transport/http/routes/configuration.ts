import type { Writer } from '#contracts/commands.ts'
import { ConfigurationResource } from '#contracts/configuration.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import type { Route } from '#transport/http/route.ts'

export interface ConfigurationPorts {
  readonly writer: Writer
  /** The configuration that the gateway runs with now; `isOwner`: for the account of the machine. */
  readonly configuration: (isOwner: boolean) => ConfigurationResource
}

/** The route that shows a part of the configuration, which only its file and the environment change. */
export function configurationRoutes({ writer, configuration }: ConfigurationPorts): Route[] {
  return knownRoutes({ tag: 'gateway', role: 'owner' }, [
    {
      method: 'get',
      path: '/api/v1/configuration',
      operation: {
        id: 'getConfiguration',
        summary: 'Backups, alarms and time zone of the gateway',
        description:
          'What the configuration file says about backups, alarms and language, and the time zone of the ' +
          'machine. It has no secret, and numbers are masked. Only the file changes it. Only the first ' +
          'account of the gateway sees backups and alarms.',
        response: ConfigurationResource,
        example: {
          data: {
            timeZone: 'Europe/Berlin',
            language: 'en',
            backup: {
              dir: '/var/backups/roost',
              secondDir: '/mnt/nas/roost',
              at: '03:30',
              keepDays: 7,
              keepWeeks: 4,
            },
            alarms: { recipients: ['+1415•••0123'], heartbeat: true },
          },
        },
      },
      handle: async ({ principal }) => {
        const { owner } = await writer.ask('machine.describe', {})
        return { data: configuration(owner === principal.accountId) }
      },
    },
  ])
}
