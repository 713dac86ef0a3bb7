/** `roost person`: people who can be told of incidents. `roost oncall`: who is on call. */
import type { Command } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { type AccountOption, accountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { readName } from '#app/commands/read-arguments.ts'
import { listing, printsList, removesListed } from '#app/commands/resource-commands.ts'
import { doing, type Typed } from '#app/commands/with-writer.ts'

const PEOPLE = listing({
  words: ['person', 'people'],
  key: 'people',
  read: async (...of) => (await import('#app/commands/read-database.ts')).readPeople(...of),
  columns: {
    NAME: ({ name }) => name,
    NUMBER: ({ phoneNumber }) => phoneNumber,
    'TIME ZONE': ({ timeZone }) => timeZone ?? '-',
    QUIET: ({ quiet }) => (quiet === null ? '-' : `${quiet.from} to ${quiet.to}, below ${quiet.below}`),
    ACCOUNT: ({ account }) => account,
    ID: ({ id }) => id,
  },
  hidden: ['accountId'],
})

const ROTAS = listing({
  words: ['rota', 'rotas'],
  key: 'rotas',
  read: async (...of) => (await import('#app/commands/read-database.ts')).readRotas(...of),
  columns: {
    ROTA: ({ name }) => name,
    'ON CALL': ({ person }) => person,
    UNTIL: ({ until }) => until,
    ACCOUNT: ({ account }) => account,
    ID: ({ id }) => id,
  },
  hidden: ['accountId'],
})

export function addPersonCommands(program: Command, context: CommandContext): void {
  const person = program.command('person').description('people who can be told of incidents')
  person
    .command('add')
    .description('add a person')
    .argument('<name>', 'name of the person', readName)
    .argument('<number>', 'number of the person, like +14155550123')
    .addOption(accountOption('account of the person; optional if there is only one'))
    .action(doing(context, addPerson))
  printsList(person.command('list').description('list the people'), context, PEOPLE)
  removesListed(
    person.command('remove').description('remove a person that no rota, policy or group names'),
    context,
    {
      ...PEOPLE,
      remove: ({ writer }, { accountId, id }) =>
        writer.ask('on-call.remove', { accountId, id, kind: 'person' }),
    },
  )
}

export function addOnCallCommand(program: Command, context: CommandContext): void {
  const onCall = program.command('oncall')
  printsList(onCall.description('print who is on call in each rota, and until when'), context, ROTAS)
}

async function addPerson({ writer, config, options }: Typed<AccountOption>, name: string, number: string) {
  const { readRecipients } = await import('#app/commands/compose-message.ts')
  const [recipient] = readRecipients([number], config.messages.default_country)
  if (recipient === undefined) throw new Error('a number is missing although it has no fault')
  const { accountId } = await chooseAccount(writer, options.account)
  const fields = { name, ...recipient, timeZone: null, quiet: null }
  const json = await writer.ask('person.create', { accountId, fields })
  return { json, text: json.id, note: `Added ${oneLine(json.name)}.` }
}
