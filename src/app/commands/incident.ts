/** `roost incident`: alerts that wait until somebody takes them. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type CommandContext, table } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf, chooseAccount } from '#app/commands/choose-account.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { since } from '#app/commands/since.ts'
import { doing, type Typed } from '#app/commands/with-writer.ts'
import {
  INCIDENT_STATES,
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
    .action(doing(context, listIncidents))
  incident
    .command('take')
    .description('take an incident, so that nobody else is told')
    .argument('<id>', ID)
    .option('--minutes <number>', 'for how long; the default is that of the policy', readMinutes)
    .addOption(accountOption('account of the incident, if several have one with this number'))
    .action(doing(context, takeIncident))
  incident
    .command('close')
    .description('close an incident')
    .argument('<id>', ID)
    .addOption(accountOption('account of the incident, if several have one with this number'))
    .action(doing(context, closeIncident))
}

function readMinutes(text: string): number {
  const minutes = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (minutes >= 1 && minutes <= TAKEN_MINUTES_MAX) return minutes
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${TAKEN_MINUTES_MAX}.`)
}

interface ListIncidents extends AccountOption {
  readonly state?: IncidentState
}

async function listIncidents({ options, ...opened }: Typed<ListIncidents>) {
  const { readIncidents } = await import('#app/commands/read-database.ts')
  const { accountId } = await chooseAccount(opened.writer, options.account)
  const filter = { accountId, state: options.state ?? null, webhookId: null, before: null, limit: LISTED_MAX }
  const incidents = readIncidents(opened, filter)
  const rows = incidents.map(({ openedAt, number, state, text, alerts, id }) => [
    since(openedAt, Date.now()),
    number === null ? '-' : String(number),
    state,
    oneLine(text, TEXT_SHOWN),
    String(alerts),
    id,
  ])
  const headings = ['WHEN', 'NUMBER', 'STATE', 'TEXT', 'ALERTS', 'ID']
  return { json: { incidents }, text: table(headings, rows) }
}

interface ChangeIncident extends AccountOption {
  readonly minutes?: number
}

async function takeIncident(typed: Typed<ChangeIncident>, id: string) {
  const { minutes = null } = typed.options
  const which = { ...(await findOne(typed, id)), personId: null, minutes }
  return answerOf('Took', await typed.writer.ask('incident.take', which))
}

async function closeIncident(typed: Typed<AccountOption>, id: string) {
  return answerOf('Closed', await typed.writer.ask('incident.close', await findOne(typed, id)))
}

async function findOne({ options, ...opened }: Typed<AccountOption>, id: string) {
  const { findIncident } = await import('#app/commands/read-database.ts')
  return findIncident(opened, await accountsOf(opened.writer, options.account), id)
}

function answerOf(done: string, json: IncidentResource) {
  return { json, text: '', note: `${done} ${json.id}: ${oneLine(json.text, TEXT_SHOWN)}` }
}
