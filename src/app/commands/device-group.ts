/** `roost device group`: phones that share the work. */
import { type Command, Option } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { type AccountOption, accountOption, chooseAccount, ofAccounts } from '#app/commands/choose-account.ts'
import { findDevice, listDevices } from '#app/commands/find-device.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { readFallbackMinutes, readName } from '#app/commands/read-arguments.ts'
import { listing, printsList, removesListed } from '#app/commands/resource-commands.ts'
import { doing, type Typed } from '#app/commands/with-writer.ts'
import { FALLBACK_MINUTES_DEFAULT } from '#contracts/device-group.ts'
import { invalid } from '#domain/problem.ts'

const GROUPS = listing({
  words: ['group of phones', 'groups of phones'],
  key: 'groups',
  async read({ writer }, accounts) {
    const phones = await listDevices(writer, accounts)
    const groups = await ofAccounts(accounts, accountId => writer.ask('device-group.list', { accountId }))
    return groups.map(group => {
      const names = group.devices.map(id => phones.find(one => one.deviceId === id)?.name ?? id)
      return { ...group, names }
    })
  },
  columns: {
    NAME: ({ name }) => name,
    PHONES: ({ names }) => names.join(', ') || '-',
    STATE: ({ downSince }) => (downSince === null ? 'can send' : `cannot since ${downSince}`),
    OTHERWISE: ({ fallback, fallbackAfterMinutes }) =>
      fallback === 'any' ? `any phone after ${fallbackAfterMinutes} min` : 'nobody else',
    ACCOUNT: ({ account }) => account,
    ID: ({ id }) => id,
  },
  hidden: ['names', 'accountId'],
})

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
    .action(doing(context, createGroup, checkDevices))
  printsList(group.command('list').description('list the groups with their phones'), context, GROUPS)
  removesListed(group.command('remove').description('remove a group that nothing names'), context, {
    ...GROUPS,
    remove: ({ writer }, { accountId, id }) => writer.ask('device-group.remove', { accountId, groupId: id }),
  })
}

interface CreateOptions extends AccountOption {
  readonly device?: readonly string[]
  readonly fallback: 'any' | 'none'
  readonly after: number
}

function checkDevices({ device = [] }: CreateOptions): void {
  if (device.length === 0) throw invalid([{ path: '--device', message: 'name at least one phone' }])
}

async function createGroup({ writer, options }: Typed<CreateOptions>, name: string) {
  const { device = [], fallback, after } = options
  const account = await chooseAccount(writer, options.account)
  const found = await Promise.all(device.map(given => findDevice(writer, given, account)))
  const devices = [...new Set(found.map(({ deviceId }) => deviceId))]
  const fields = { name, devices, fallback, fallbackAfterMinutes: after }
  const json = await writer.ask('device-group.create', { accountId: account.accountId, fields })
  return { json, text: json.id, note: `Made the group ${oneLine(json.name)}.` }
}
