/** `roost person`: people who can be told of incidents. `roost oncall`: who is on call. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf, chooseAccount } from '#app/commands/choose-account.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { readName } from '#app/commands/read-arguments.ts'
import { type WriterAndConfig, withWriter } from '#app/commands/with-writer.ts'

export function addPersonCommands(program: Command, context: CommandContext): void {
  const person = program.command('person').description('people who can be told of incidents')
  person
    .command('add')
    .description('add a person')
    .argument('<name>', 'name of the person', readName)
    .argument('<number>', 'number of the person, like +14155550123')
    .addOption(accountOption('account of the person; optional if there is only one'))
    .action(function (this: Command, name: string, number: string) {
      return addPerson(context, { name, number }, this)
    })
  person
    .command('list')
    .description('list the people')
    .addOption(accountOption('only people of this account'))
    .action((_: unknown, command: Command) => listPeople(context, command))
  person
    .command('remove')
    .description('remove a person whom nothing names')
    .argument('<id>', 'id or name of the person, as listed')
    .action((id: string, _: unknown, command: Command) => removePerson(context, id, command))
}

export function addOnCallCommand(program: Command, context: CommandContext): void {
  program
    .command('oncall')
    .description('print who is on call in each rota, and until when')
    .addOption(accountOption('only rotas of this account'))
    .action((_: unknown, command: Command) => printOnCall(context, command))
}

interface NewPerson {
  readonly name: string
  readonly number: string
}

async function addPerson({ io }: CommandContext, given: NewPerson, command: Command): Promise<void> {
  const { name, number } = given
  const options = optionsOf<AccountOption>(command)
  const { readRecipients } = await import('#app/commands/compose-message.ts')
  const json = await withWriter(io, options, async ({ writer, config }) => {
    const [recipient] = readRecipients([number], config.messages.default_country)
    if (recipient === undefined) throw new Error('a number is missing although it has no fault')
    const { accountId } = await chooseAccount(writer, options.account)
    const fields = { name, ...recipient, timeZone: null, quiet: null }
    return writer.ask('person.create', { accountId, fields })
  })
  answer(io, options, { json, text: json.id, note: `Added ${oneLine(json.name)}.` })
}

async function listPeople({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AccountOption>(command)
  const people = await withWriter(io, options, opened => peopleOf(opened, options.account))
  const rows = people.map(({ name, phoneNumber, timeZone, quiet, account, id }) => [
    name,
    phoneNumber,
    timeZone ?? '-',
    quiet === null ? '-' : `${quiet.from} to ${quiet.to}, below ${quiet.below}`,
    account,
    id,
  ])
  const headings = ['NAME', 'NUMBER', 'TIME ZONE', 'QUIET', 'ACCOUNT', 'ID']
  const json = { people: people.map(({ accountId: _, ...person }) => person) }
  answer(io, options, { json, text: table(headings, rows) })
}

async function removePerson({ io }: CommandContext, idOrName: string, command: Command): Promise<void> {
  const options = optionsOf(command)
  const { name, ...json } = await withWriter(io, options, async opened => {
    const people = await peopleOf(opened, undefined)
    const { accountId, id, name } = oneCalled(people, idOrName, ['person', 'people'])
    return { name, ...(await opened.writer.ask('on-call.remove', { accountId, id, kind: 'person' })) }
  })
  answer(io, options, { json, text: '', note: `Removed ${oneLine(name)} (${json.id}).` })
}

async function peopleOf({ writer }: WriterAndConfig, account: string | undefined) {
  const { readPeople } = await import('#app/commands/read-on-call.ts')
  return readPeople(writer.directory.database, await accountsOf(writer, account))
}

async function printOnCall({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AccountOption>(command)
  const { readRotas } = await import('#app/commands/read-on-call.ts')
  const rotas = await withWriter(io, options, async ({ writer }) =>
    readRotas(writer.directory.database, await accountsOf(writer, options.account)),
  )
  const rows = rotas.map(({ name, person, until, account, id }) => [name, person, until, account, id])
  const headings = ['ROTA', 'ON CALL', 'UNTIL', 'ACCOUNT', 'ID']
  answer(io, options, { json: { rotas }, text: table(headings, rows) })
}
