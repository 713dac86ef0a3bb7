/** `roost device group`: phones that share the work. */
import { type Command, Option } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf, chooseAccount } from '#app/commands/choose-account.ts'
import { findDevice, listDevices } from '#app/commands/find-device.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { readFallbackMinutes, readName } from '#app/commands/read-arguments.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import type { Writer } from '#contracts/commands.ts'
import { FALLBACK_MINUTES_DEFAULT } from '#contracts/device-group.ts'
import { invalid } from '#domain/problem.ts'

export function addDeviceGroupCommands(device: Command, context: CommandContext): void {
  const group = device.command('group').description('groups of phones that share the work')
  const fallback = new Option('--fallback <who>', 'who sends when no phone of the group can')
  group
    .command('create')
    .description('make a group of phones')
    .argument('<name>', 'name of the group', readName)
    .option('--device <id...>', 'id or name of a phone; may be repeated')
    .addOption(fallback.choices(['any', 'none']).default('any'))
    .option(
      '--after <minutes>',
      'for so many minutes none of them can send before others do',
      readFallbackMinutes,
      FALLBACK_MINUTES_DEFAULT,
    )
    .addOption(accountOption('account of the group; optional if there is only one'))
    .action((name: string, _: unknown, command: Command) => createGroup(context, name, command))
  group
    .command('list')
    .description('list the groups with their phones')
    .addOption(accountOption('only groups of this account'))
    .action((_: unknown, command: Command) => printGroups(context, command))
  group
    .command('remove')
    .description('remove a group that nothing names')
    .argument('<id>', 'id or name of the group, as listed')
    .action((id: string, _: unknown, command: Command) => removeGroup(context, id, command))
}

interface CreateOptions extends AccountOption {
  readonly device?: readonly string[]
  readonly fallback: 'any' | 'none'
  readonly after: number
}

async function createGroup({ io }: CommandContext, name: string, command: Command): Promise<void> {
  const options = optionsOf<CreateOptions>(command)
  const { device = [], fallback, after } = options
  if (device.length === 0) throw invalid([{ path: '--device', message: 'name at least one phone' }])
  const json = await withWriter(io, options, async ({ writer }) => {
    const account = await chooseAccount(writer, options.account)
    const found = await Promise.all(device.map(given => findDevice(writer, given, account)))
    const devices = [...new Set(found.map(({ deviceId }) => deviceId))]
    const fields = { name, devices, fallback, fallbackAfterMinutes: after }
    return writer.ask('device-group.create', { accountId: account.accountId, fields })
  })
  answer(io, options, { json, text: json.id, note: `Made the group ${oneLine(json.name)}.` })
}

/** The groups of these accounts, with the names of their phones. */
async function groupsOf(writer: Writer, email: string | undefined) {
  const accounts = await accountsOf(writer, email)
  const phones = await listDevices(writer, accounts)
  const lists = accounts.map(async ({ accountId, email: account }) => {
    const groups = await writer.ask('device-group.list', { accountId })
    return groups.map(group => {
      const names = group.devices.map(id => phones.find(one => one.deviceId === id)?.name ?? id)
      return { ...group, names, account, accountId }
    })
  })
  return (await Promise.all(lists)).flat()
}

async function printGroups({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AccountOption>(command)
  const groups = await withWriter(io, options, ({ writer }) => groupsOf(writer, options.account))
  const rows = groups.map(({ name, names, downSince, fallback, fallbackAfterMinutes, account, id }) => [
    name,
    names.join(', ') || '-',
    downSince === null ? 'can send' : `cannot since ${downSince}`,
    fallback === 'any' ? `any phone after ${fallbackAfterMinutes} min` : 'nobody else',
    account,
    id,
  ])
  const json = { groups: groups.map(({ names: _, accountId: __, ...group }) => group) }
  const headings = ['NAME', 'PHONES', 'STATE', 'OTHERWISE', 'ACCOUNT', 'ID']
  answer(io, options, { json, text: table(headings, rows) })
}

async function removeGroup({ io }: CommandContext, given: string, command: Command): Promise<void> {
  const options = optionsOf(command)
  const { name, ...json } = await withWriter(io, options, async ({ writer }) => {
    const groups = await groupsOf(writer, undefined)
    const { accountId, id, name } = oneCalled(groups, given, ['group of phones', 'groups of phones'])
    return { name, ...(await writer.ask('device-group.remove', { accountId, groupId: id })) }
  })
  answer(io, options, { json, text: '', note: `Removed ${oneLine(name)} (${json.id}).` })
}
