/** `roost incident`: alerts that wait until somebody takes them. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf, chooseAccount } from '#app/commands/choose-account.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { since } from '#app/commands/since.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import type { Writer } from '#contracts/commands.ts'
import {
  INCIDENT_STATES,
  type IncidentReference,
  type IncidentResource,
  type IncidentState,
  TAKEN_MINUTES_MAX,
} from '#contracts/incident.ts'

/** Incidents that the list shows: the newest ones are the ones that matter. */
const LISTED_MAX = 200
const TEXT_SHOWN = 60
const ID = 'id of the incident, or its number'

export function addIncidentCommands(program: Command, context: CommandContext): void {
  const incident = program.command('incident').description('alerts that wait until somebody takes them')
  incident
    .command('list')
    .description('list the incidents, newest first')
    .addOption(accountOption('account of the incidents; optional if there is only one'))
    .addOption(new Option('--state <state>', 'only incidents in this state').choices(INCIDENT_STATES))
    .action((_: unknown, command: Command) => listIncidents(context, command))
  incident
    .command('take')
    .description('take an incident, so that nobody else is told')
    .argument('<id>', ID)
    .option('--minutes <number>', 'for how long; the default is that of the policy', readMinutes)
    .addOption(accountOption('account of the incident, if several have one with this number'))
    .action((id: string, _: unknown, command: Command) => changeOne(context, command, { verb: 'take', id }))
  incident
    .command('close')
    .description('close an incident')
    .argument('<id>', ID)
    .addOption(accountOption('account of the incident, if several have one with this number'))
    .action((id: string, _: unknown, command: Command) => changeOne(context, command, { verb: 'close', id }))
}

function readMinutes(text: string): number {
  const minutes = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (minutes >= 1 && minutes <= TAKEN_MINUTES_MAX) return minutes
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${TAKEN_MINUTES_MAX}.`)
}

interface ListIncidents extends AccountOption {
  readonly state?: IncidentState
}

async function listIncidents({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<ListIncidents>(command)
  const { readIncidents } = await import('#app/commands/read-incidents.ts')
  const { accountId, file } = await withWriter(io, options, async ({ writer }) => {
    const { accountId } = await chooseAccount(writer, options.account)
    return { accountId, file: writer.directory.database }
  })
  const filter = { accountId, state: options.state ?? null, webhookId: null, before: null, limit: LISTED_MAX }
  const incidents = readIncidents(file, filter)
  const rows = incidents.map(({ openedAt, number, state, text, alerts, id }) => [
    since(openedAt, Date.now()),
    number === null ? '-' : String(number),
    state,
    oneLine(text, TEXT_SHOWN),
    String(alerts),
    id,
  ])
  const headings = ['WHEN', 'NUMBER', 'STATE', 'TEXT', 'ALERTS', 'ID']
  answer(io, options, { json: { incidents }, text: table(headings, rows) })
}

interface ChangeIncident extends AccountOption {
  readonly minutes?: number
}

async function changeOne(
  { io }: CommandContext,
  command: Command,
  { verb, id }: { readonly verb: 'take' | 'close'; readonly id: string },
): Promise<void> {
  const options = optionsOf<ChangeIncident>(command)
  const { findIncident } = await import('#app/commands/read-incidents.ts')
  const json = await withWriter(io, options, async ({ writer }) => {
    const accounts = await accountsOf(writer, options.account)
    const which = findIncident(writer.directory.database, accounts, id)
    return act(writer, verb, { ...which, minutes: options.minutes ?? null })
  })
  const done = verb === 'take' ? 'Took' : 'Closed'
  answer(io, options, { json, text: '', note: `${done} ${json.id}: ${oneLine(json.text, TEXT_SHOWN)}` })
}

function act(
  writer: Writer,
  verb: 'take' | 'close',
  { minutes, ...which }: IncidentReference & { readonly minutes: number | null },
): Promise<IncidentResource> {
  if (verb === 'close') return writer.ask('incident.close', which)
  return writer.ask('incident.take', { ...which, personId: null, minutes })
}
