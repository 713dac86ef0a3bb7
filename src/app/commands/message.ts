/** `roost message`: outgoing texts. */
import { type Command, Option } from 'commander'
import { answer, type CommandContext, optionsOf } from '#app/command-io.ts'
import { type AccountOption, accountOption } from '#app/commands/choose-account.ts'
import { listDevices } from '#app/commands/find-device.ts'
import { addListOptions, findPlace, type ListOptions, printList } from '#app/commands/list-options.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { since } from '#app/commands/since.ts'
import { doing, type WriterAndConfig, withWriter } from '#app/commands/with-writer.ts'
import type { MessageResource } from '#contracts/message.ts'
import {
  MESSAGE_KINDS,
  MESSAGE_STATUSES,
  type MessageKind,
  type MessageStatus,
} from '#contracts/primitives.ts'
import { ANY_MESSAGE } from '#domain/message/message-reader.ts'
import { notFound, Problem } from '#domain/problem.ts'

/** The list shows at most this many characters of a text. */
const TEXT_SHOWN = 40

export function addMessageCommands(program: Command, context: CommandContext): void {
  const message = program.command('message').description('outgoing texts')
  const list = message
    .command('list')
    .description('list the messages')
    .addOption(accountOption('account of the messages; optional if there is only one'))
    .addOption(new Option('--status <status>', 'only messages with this status').choices(MESSAGE_STATUSES))
    .addOption(
      new Option('--kind <kind>', 'only texts (sms), one-time codes (2fa) or alerts (webhook)').choices(
        MESSAGE_KINDS,
      ),
    )
    .option('--number <number>', 'only messages to this number')
    .option('--q <text>', 'only messages with these characters in the text or number')
    .option('--webhook <id>', 'only alerts of this webhook')
    .option('--device <id>', 'only messages of this phone, given by id or name')
    .option('--test', 'list sandbox messages instead of real ones')
  addListOptions(list).action((_: unknown, command: Command) => listMessages(context, command))
  message
    .command('show')
    .description('show a message and its status')
    .argument('<id>', 'id of the message')
    .action((id: string, _: unknown, command: Command) => showMessage(context, id, command))
  message
    .command('cancel')
    .description('cancel a message that no phone has begun to send')
    .argument('<id>', 'id of the message')
    .action(doing(context, cancelMessage))
}

interface ListMessages extends ListOptions, AccountOption {
  readonly status?: MessageStatus
  readonly kind?: MessageKind
  readonly number?: string
  readonly q?: string
  readonly webhook?: string
  readonly device?: string
  readonly test?: boolean
}

async function listMessages({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<ListMessages>(command)
  const { openMessages } = await import('#app/commands/open-messages.ts')
  const { readSearch } = await import('#domain/message/search.ts')
  const { readRecipients } = await import('#app/commands/compose-message.ts')
  const [recipient] = options.number === undefined ? [] : readRecipients([options.number], '')
  const { names, file, ...which } = await findPlace(io, options)
  const messages = openMessages(file)
  const filter = {
    ...ANY_MESSAGE,
    ...which,
    test: options.test ?? false,
    status: options.status ?? null,
    phoneNumber: recipient?.phoneNumber ?? null,
    kind: options.kind ?? null,
    webhookId: options.webhook ?? null,
    search: options.q === undefined ? null : readSearch(options.q, ''),
    since: options.since ?? null,
    until: options.until ?? null,
    limit: options.limit,
  }
  await printList(io, options, {
    key: 'messages',
    headings: ['WHEN', 'TO', 'STATUS', 'TEXT', 'PHONE', 'ID'],
    read: () => messages.list(filter),
    close: messages.close,
    idOf: ({ messageId }) => messageId,
    stateOf: ({ status }) => status,
    row: message => rowOf(message, names),
  })
}

function rowOf(message: MessageResource, names: ReadonlyMap<string, string>): string[] {
  const { createdAt, phoneNumber, status, failure, deviceId, messageId } = message
  return [
    since(createdAt, Date.now()),
    phoneNumber ?? '-',
    failure === null ? status : `${status}: ${failure.code}`,
    oneLine(message.message ?? '-', TEXT_SHOWN),
    deviceId === null ? '-' : (names.get(deviceId) ?? 'removed'),
    messageId,
  ]
}

async function showMessage({ io }: CommandContext, messageId: string, command: Command): Promise<void> {
  const options = optionsOf(command)
  const { openMessages } = await import('#app/commands/open-messages.ts')
  const { accounts, devices, file } = await withWriter(io, options, async ({ writer }) => {
    const accounts = await writer.ask('account.list', {})
    const devices = await listDevices(writer, accounts)
    return { accounts, devices, file: writer.directory.database }
  })
  const messages = openMessages(file)
  try {
    const message = await inSomeAccount(accounts, ({ accountId }) => messages.find({ accountId, messageId }))
    const phone = devices.find(({ deviceId }) => deviceId === message.deviceId)?.name
    answer(io, options, { json: message, text: describe(message, phone) })
  } finally {
    messages.close()
  }
}

function describe(message: MessageResource, phone: string | undefined): string {
  const { failure, timeline, phoneNumber, kind, segments, encoding, sendAt } = message
  const facts: [string, string][] = [
    ['To', phoneNumber ?? '- (removed)'],
    ['Text', message.message ?? '- (removed)'],
    ['Status', message.status],
    ...(failure === null ? [] : [['Why', `${failure.message} (${failure.code})`] as [string, string]]),
    ...(sendAt === null ? [] : [['Send at', sendAt] as [string, string]]),
    ['Phone', phone ?? message.deviceId ?? '-'],
    ['Kind', `${kind}, ${segments} ${segments === 1 ? 'segment' : 'segments'} ${encoding}`],
    ...timeline.map(({ status, at }): [string, string] => [status, at]),
  ]
  // Further lines of a text are indented, so that none of them looks like a fact.
  const indented = (value: string) => value.replaceAll('\n', `\n${' '.repeat(10)}`)
  return facts.map(([name, value]) => `${name.padEnd(10)}${indented(value)}`).join('\n')
}

/** Tries each account in each mode. The writer needs account and mode, and the id contains neither. */
async function cancelMessage({ writer }: WriterAndConfig, messageId: string) {
  const accounts = await writer.ask('account.list', {})
  const places = accounts.flatMap(({ accountId }) => [
    { accountId, test: false },
    { accountId, test: true },
  ])
  const json = await inSomeAccount(places, place => writer.ask('message.cancel', { ...place, messageId }))
  return { json, text: '', note: `Cancelled ${messageId}.` }
}

/** Calls `ask` with each account (and mode) in turn. Returns the first answer that is not NOT_FOUND. */
async function inSomeAccount<A, T>(places: readonly A[], ask: (place: A) => T | Promise<T>): Promise<T> {
  for (const place of places) {
    try {
      return await ask(place)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'NOT_FOUND') throw error
    }
  }
  throw notFound('message')
}
