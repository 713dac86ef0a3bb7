/** `roost group`: groups of people, whom webhooks and policies tell together. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf, chooseAccount } from '#app/commands/choose-account.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { readName } from '#app/commands/read-arguments.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import { invalid } from '#domain/problem.ts'

export function addGroupCommands(program: Command, context: CommandContext): void {
  const group = program.command('group').description('groups of people, whom webhooks and policies tell')
  group
    .command('create')
    .description('make a group of people')
    .argument('<name>', 'name of the group', readName)
    .option('--person <id...>', 'id or name of a person; may be repeated')
    .addOption(accountOption('account of the group; optional if there is only one'))
    .action((name: string, _: unknown, command: Command) => createGroup(context, name, command))
  group
    .command('list')
    .description('list the groups with their people')
    .addOption(accountOption('only groups of this account'))
    .action((_: unknown, command: Command) => listGroups(context, command))
  group
    .command('remove')
    .description('remove a group that no webhook and no policy names')
    .argument('<id>', 'id or name of the group, as listed')
    .action((id: string, _: unknown, command: Command) => removeGroup(context, id, command))
}

async function createGroup({ io }: CommandContext, name: string, command: Command): Promise<void> {
  const options = optionsOf<AccountOption & { readonly person?: readonly string[] }>(command)
  const { person = [] } = options
  if (person.length === 0) throw invalid([{ path: '--person', message: 'name at least one person' }])
  const { peopleAndGroups } = await import('#app/commands/read-on-call.ts')
  const json = await withWriter(io, options, async opened => {
    const { accountId } = await chooseAccount(opened.writer, options.account)
    const { people } = peopleAndGroups(opened, accountId)
    const ids = person.map(given => oneCalled(people, given, ['person', 'people']).id)
    return opened.writer.ask('group.create', { accountId, fields: { name, people: [...new Set(ids)] } })
  })
  answer(io, options, { json, text: json.id, note: `Made the group ${oneLine(json.name)}.` })
}

async function listGroups({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AccountOption>(command)
  const { readGroups } = await import('#app/commands/read-on-call.ts')
  const groups = await withWriter(io, options, async ({ writer }) =>
    readGroups(writer.directory.database, await accountsOf(writer, options.account)),
  )
  const rows = groups.map(({ name, names, account, id }) => [name, names.join(', '), account, id])
  const json = { groups: groups.map(({ names: _, accountId: __, ...group }) => group) }
  answer(io, options, { json, text: table(['NAME', 'PEOPLE', 'ACCOUNT', 'ID'], rows) })
}

async function removeGroup({ io }: CommandContext, given: string, command: Command): Promise<void> {
  const options = optionsOf(command)
  const { readGroups } = await import('#app/commands/read-on-call.ts')
  const { name, ...json } = await withWriter(io, options, async ({ writer }) => {
    const groups = readGroups(writer.directory.database, await accountsOf(writer, undefined))
    const { accountId, id, name } = oneCalled(groups, given, ['group', 'groups'])
    return { name, ...(await writer.ask('on-call.remove', { accountId, id, kind: 'group' })) }
  })
  answer(io, options, { json, text: '', note: `Removed ${oneLine(name)} (${json.id}).` })
}
