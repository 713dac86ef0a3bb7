/** `roost group`: groups of people, whom webhooks and policies tell together. */
import type { Command } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { type AccountOption, accountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { readName } from '#app/commands/read-arguments.ts'
import { listing, printsList, removesListed } from '#app/commands/resource-commands.ts'
import { doing, type Typed } from '#app/commands/with-writer.ts'
import { invalid } from '#domain/problem.ts'

const GROUPS = listing({
  words: ['group', 'groups'],
  key: 'groups',
  read: async (...of) => (await import('#app/commands/read-database.ts')).readGroups(...of),
  columns: {
    NAME: ({ name }) => name,
    PEOPLE: ({ names }) => names.join(', '),
    ACCOUNT: ({ account }) => account,
    ID: ({ id }) => id,
  },
  hidden: ['names', 'accountId'],
})

export function addGroupCommands(program: Command, context: CommandContext): void {
  const group = program.command('group').description('groups of people, whom webhooks and policies tell')
  group
    .command('create')
    .description('make a group of people')
    .argument('<name>', 'name of the group', readName)
    .option('--person <id...>', 'id or name of a person; may be repeated')
    .addOption(accountOption('account of the group; optional if there is only one'))
    .action(doing(context, createGroup, checkPeople))
  printsList(group.command('list').description('list the groups with their people'), context, GROUPS)
  const remove = group.command('remove').description('remove a group that no webhook and no policy names')
  removesListed(remove, context, {
    ...GROUPS,
    remove: ({ writer }, { accountId, id }) => writer.ask('on-call.remove', { accountId, id, kind: 'group' }),
  })
}

type CreateOptions = AccountOption & { readonly person?: readonly string[] }

function checkPeople({ person = [] }: CreateOptions): void {
  if (person.length === 0) throw invalid([{ path: '--person', message: 'name at least one person' }])
}

async function createGroup({ options, ...opened }: Typed<CreateOptions>, name: string) {
  const { person = [] } = options
  const { peopleAndGroups } = await import('#app/commands/read-database.ts')
  const { accountId } = await chooseAccount(opened.writer, options.account)
  const { people } = peopleAndGroups(opened, accountId)
  const ids = person.map(given => oneCalled(people, given, ['person', 'people']).id)
  const fields = { name, people: [...new Set(ids)] }
  const json = await opened.writer.ask('group.create', { accountId, fields })
  return { json, text: json.id, note: `Made the group ${oneLine(json.name)}.` }
}
