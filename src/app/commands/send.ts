/** `roost send`: sends a text from the gateway's machine, for scripts and cron. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { answer, type CommandContext, optionsOf, tell } from '#app/command-io.ts'
import { type AccountOption, accountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { findDevice } from '#app/commands/find-device.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { readInput } from '#app/commands/read-input.ts'
import { type WriterAndConfig, withWriter } from '#app/commands/with-writer.ts'
import { EXIT } from '#app/exit-code.ts'
import type { AccountResource } from '#contracts/account.ts'
import { MESSAGE_LENGTH_MAX } from '#contracts/bounds.ts'
import type { AcceptedMessage, AcceptMessage, Writer } from '#contracts/commands.ts'
import type { AcceptedMessageResource, MessageResource } from '#contracts/message.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { invalid, Problem } from '#domain/problem.ts'

/** How often `--wait` reads the status: a phone needs seconds to send. */
const LOOK_EVERY_MS = 250
/** The longest text that is not refused: UTF-8 takes at most 3 bytes for each UTF-16 code unit. */
const TEXT_BYTES_MAX = 3 * MESSAGE_LENGTH_MAX

interface SendOptions extends AccountOption {
  readonly device?: string
  readonly group?: string
  readonly priority: 'normal' | 'high'
  readonly queue?: boolean
  readonly wait?: boolean
  readonly skipPhoneValidation?: boolean
}

export function addSendCommand(program: Command, context: CommandContext): void {
  const priority = new Option('--priority <priority>', 'high is sent before normal')
  program
    .command('send')
    .description('send a text from this machine; prints the message id')
    .argument('<number>', 'recipient, like +14155550123')
    .argument('<text>', 'the text; - reads it from standard input')
    .addOption(accountOption('account whose phones send the text; optional if there is only one'))
    .option('--device <id>', 'id or name of the phone that must send it')
    .option('--group <id>', 'id or name of the group of phones that sends it')
    .addOption(priority.choices(['normal', 'high']).default('normal'))
    .option('--skip-phone-validation', 'take a short code, or a number that no rule knows, as it is')
    .option('--queue', 'accept the text even if no phone is connected, and let it wait for one')
    .option('--wait', 'wait until the text was sent (exit code 0) or has failed (1)')
    .action(function (this: Command, number: string, text: string) {
      return send(context, this, { number, text })
    })
}

async function send(
  context: CommandContext,
  command: Command,
  given: { readonly number: string; readonly text: string },
): Promise<void> {
  const { io } = context
  const options = optionsOf<SendOptions>(command)
  const text = given.text === '-' ? await readInput(io, TEXT_BYTES_MAX) : given.text
  const { composeMessage } = await import('#app/commands/compose-message.ts')
  const { openMessages } = await import('#app/commands/open-messages.ts')
  const { accepted, which, database } = await withWriter(io, options, async opened => {
    const { writer, config } = opened
    const { default_country: country, short_codes: hasShortCodes } = config.messages
    const { skipPhoneValidation: isTaken = false } = options
    const composed = composeMessage(given.number, text, { country, hasShortCodes, isTaken })
    if (options.wait === true && writer.gateway === null)
      throw new Problem(
        'SERVICE_UNAVAILABLE',
        'the gateway is not running, so --wait would never end: start the gateway, or leave out --wait',
      )
    const { accountId, email } = await chooseAccount(writer, options.account)
    const account = { accountId, email }
    const deviceId = await findSender(writer, account, options)
    const { answer: json } = await accept(opened, { ...composed, accountId, deviceId }, options)
    const accepted = JSON.parse(json) as AcceptedMessageResource
    if (writer.gateway === null) tell(io, 'The gateway is not running: the text waits until it is started.')
    const which = { accountId, messageId: accepted.messageId }
    return { accepted, which, database: writer.directory.database }
  })
  if (options.wait !== true) return answer(io, options, { json: accepted, text: accepted.messageId })
  const messages = openMessages(database)
  const outcome = await waitForOutcome(() => messages.find(which)).finally(() => messages.close())
  answer(io, options, { json: outcome, text: outcome.messageId })
  if (outcome.failure === null) return
  context.exitCode = EXIT.failed
  tell(io, `Not sent: ${oneLine(outcome.failure.message)} (${outcome.failure.code}).`)
}

/** The id of the phone or group of phones that is named; null: none is. */
async function findSender(
  writer: Writer,
  account: Pick<AccountResource, 'accountId' | 'email'>,
  { device, group }: SendOptions,
): Promise<string | null> {
  if (device !== undefined && group !== undefined)
    throw invalid([{ path: '--group', message: 'give either --device or --group, not both' }])
  if (device !== undefined) return (await findDevice(writer, device, account)).deviceId
  if (group === undefined) return null
  const groups = await writer.ask('device-group.list', { accountId: account.accountId })
  return oneCalled(groups, group, ['group of phones', 'groups of phones']).id
}

type Given = Pick<
  AcceptMessage,
  'accountId' | 'deviceId' | 'phoneNumber' | 'country' | 'text' | 'segments' | 'encoding'
>

/** Without a running gateway, no phone is connected either: the text is queued. */
async function accept(
  { writer }: WriterAndConfig,
  given: Given,
  { priority, queue = false }: SendOptions,
): Promise<AcceptedMessage> {
  try {
    return await writer.ask('message.accept', {
      ...plainText({ ...given, priority, queueIfOffline: queue || writer.gateway === null }),
      idempotency: null,
    })
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'NO_DEVICE_AVAILABLE') throw error
    // The part after the semicolon names a field of the API, which this command does not have.
    const [reason] = error.message.split(';')
    throw new Problem(error.code, `${reason}; add --queue to let the text wait for one`)
  }
}

/** Waits until the message was sent, delivered or failed. Its time to live bounds the wait. */
async function waitForOutcome(look: () => MessageResource): Promise<MessageResource> {
  for (;;) {
    const message = look()
    if (message.status !== 'queued' && message.status !== 'sending') return message
    await pause(LOOK_EVERY_MS)
  }
}
