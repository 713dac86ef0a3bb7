/** `roost received`: received texts. */
import type { Command } from 'commander'
import { type CommandContext, optionsOf } from '#app/command-io.ts'
import { type AccountOption, accountOption } from '#app/commands/choose-account.ts'
import { addListOptions, findPlace, type ListOptions, printList } from '#app/commands/list-options.ts'
import { since } from '#app/commands/since.ts'

export function addReceivedCommands(program: Command, context: CommandContext): void {
  const received = program.command('received').description('received texts')
  const list = received
    .command('list')
    .description('list the received texts')
    .addOption(accountOption('account of the texts; optional if there is only one'))
    .option('--from <sender>', 'only texts from this number or name')
    .option('--device <id>', 'only texts of this phone, given by id or name')
    .option('--q <text>', 'only texts with these characters in the text or the sender')
  addListOptions(list).action((_: unknown, command: Command) => listReceived(context, command))
}

interface ListReceived extends ListOptions, AccountOption {
  readonly from?: string
  readonly device?: string
  readonly q?: string
}

async function listReceived({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<ListReceived>(command)
  const { openInbox, senderOf } = await import('#app/commands/open-inbox.ts')
  const { readSearch } = await import('#domain/message/search.ts')
  const { names, file, ...which } = await findPlace(io, options)
  const inbox = openInbox(file)
  const filter = {
    ...which,
    from: options.from === undefined ? null : senderOf(options.from),
    search: options.q === undefined ? null : readSearch(options.q, ''),
    since: options.since ?? null,
    until: options.until ?? null,
    before: null,
    limit: options.limit,
  }
  await printList(io, options, {
    key: 'received',
    headings: ['WHEN', 'FROM', 'TEXT', 'PHONE', 'ID'],
    read: () => inbox.list(filter),
    close: inbox.close,
    idOf: ({ id }) => id,
    stateOf: () => '',
    row: ({ receivedAt, from, message, deviceId, id }) => [
      since(receivedAt, Date.now()),
      from ?? 'unknown',
      message,
      names.get(deviceId) ?? 'removed',
      id,
    ],
  })
}
