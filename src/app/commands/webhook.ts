/** `roost webhook`: manages webhooks, the addresses that turn alerts into texts. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf, chooseAccount } from '#app/commands/choose-account.ts'
import { findWebhook } from '#app/commands/find-webhook.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { publicUrlFor } from '#app/commands/public-url-for.ts'
import { readName, readSilentAfter } from '#app/commands/read-arguments.ts'
import { since } from '#app/commands/since.ts'
import { addReadingCommands } from '#app/commands/webhook-readings.ts'
import { type WriterAndConfig, withWriter } from '#app/commands/with-writer.ts'
import { WEBHOOK_CALLS_PER_HOUR_DEFAULT } from '#contracts/bounds.ts'
import type { WebhookResource } from '#contracts/webhook.ts'
import { invalid } from '#domain/problem.ts'

const ID = 'id or name of the webhook, as listed'
const POLICY = 'id or name of the policy by which people answer its alerts'

export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhook = program.command('webhook').description('addresses that turn alerts into texts')
  webhook
    .command('create')
    .description('make a webhook; its secret address is printed once')
    .argument('<name>', 'name that says what the webhook is for', readName)
    .option('--recipient <number...>', 'number to text, like +14155550123; may be repeated')
    .option('--person <id...>', 'id or name of a person or a group of people to text; may be repeated')
    .option('--policy <id>', POLICY)
    .option('--no-gather', 'tell each alert in a text of its own, also when many come at once')
    .option(
      '--silent-after <minutes>',
      'send a text after so many minutes without a request',
      readSilentAfter,
    )
    .addOption(accountOption('account of the webhook; optional if there is only one'))
    .action((name: string, _: unknown, command: Command) => createWebhook(context, name, command))
  webhook
    .command('update')
    .description('give a webhook a policy, or none')
    .argument('<id>', ID)
    .option('--policy <id>', POLICY)
    .option('--no-policy', 'tell its recipients only')
    .action((id: string, _: unknown, command: Command) => updateWebhook(context, id, command))
  webhook
    .command('list')
    .description('list the webhooks')
    .addOption(accountOption('only webhooks of this account'))
    .action((_: unknown, command: Command) => listWebhooks(context, command))
  webhook
    .command('rotate')
    .description('give a webhook a new secret address; the old one stops working at once')
    .argument('<id>', ID)
    .action((id: string, _: unknown, command: Command) => rotateWebhook(context, id, command))
  webhook
    .command('remove')
    .description('remove a webhook; its address stops working at once')
    .argument('<id>', ID)
    .action((id: string, _: unknown, command: Command) => removeWebhook(context, id, command))
  addReadingCommands(webhook, context)
}

interface CreateOptions extends AccountOption {
  readonly recipient?: readonly string[]
  readonly person?: readonly string[]
  readonly policy?: string
  readonly gather: boolean
  readonly silentAfter?: number
}

async function createWebhook({ io }: CommandContext, name: string, command: Command): Promise<void> {
  const options = optionsOf<CreateOptions>(command)
  const { readRecipients } = await import('#app/commands/compose-message.ts')
  const { made, mails } = await withWriter(io, options, async opened => {
    const recipients = readRecipients(options.recipient ?? [], opened.config.messages.default_country)
    const { accountId } = await chooseAccount(opened.writer, options.account)
    const { findPolicy, peopleAndGroups } = await import('#app/commands/read-on-call.ts')
    const policyId = findPolicy(opened, accountId, options.policy)
    const { people, groups } = peopleAndGroups(opened, accountId)
    const told = (options.person ?? []).map(given =>
      oneCalled([...people, ...groups], given, ['person or group', 'people or groups']),
    )
    const fields = {
      name,
      recipients,
      people: [...new Set(told.map(({ id }) => id))],
      maxPerHour: WEBHOOK_CALLS_PER_HOUR_DEFAULT,
      messageTemplate: null,
      allowedIps: [],
      deviceId: null,
      enabled: true,
      minSeverity: null,
      sendRecovered: true,
      summarizeOverflow: true,
      keepLastBody: true,
      gather: options.gather,
      silentAfterMinutes: options.silentAfter ?? null,
      policyId,
    }
    const made = withAddress(opened, await opened.writer.ask('webhook.create', { accountId, fields }))
    return { made, mails: mailNote(opened, made) }
  })
  const line = `curl -d 'Hello from ${shellSafe(name)}' ${made.url}`
  const who = made.policyId === null ? 'each recipient gets a text' : 'people get texts as its policy says'
  const note = `To try the webhook (${who}):\n\n  ${line}\n\n${mails}`.trim()
  answer(io, options, { json: made, text: made.url, note })
}

/** The webhook with its full address, as an alert sender needs it. */
function withAddress({ writer, config }: WriterAndConfig, webhook: WebhookResource) {
  return { ...webhook, url: `${publicUrlFor(writer, config)}${webhook.url}` }
}

/** Where devices that can only send e-mail send it; empty: the gateway takes no mails. */
function mailNote({ writer, config }: WriterAndConfig, { mailAddress }: WebhookResource): string {
  if (config.smtp.port === 0) return ''
  const { hostname } = new URL(publicUrlFor(writer, config))
  return `A mail to ${mailAddress} does the same (server ${hostname}, port ${config.smtp.port}).`
}

/** Escapes a text for use inside single quotes of a shell. */
function shellSafe(text: string): string {
  return text.replaceAll("'", "'\\''")
}

async function listWebhooks({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AccountOption>(command)
  const { readWebhooks } = await import('#app/commands/read-webhooks.ts')
  const { accounts, file } = await withWriter(io, options, async ({ writer }) => {
    return { accounts: await accountsOf(writer, options.account), file: writer.directory.database }
  })
  const webhooks = readWebhooks(file, accounts)
  const nowMs = Date.now()
  const rows = webhooks.map(({ name, recipients, people, enabled, usage, tokenHint, account, id }) => [
    name,
    [...recipients, ...people].join(', ') || '-',
    enabled ? `${usage.today} today` : 'off',
    since(usage.lastTriggeredAt, nowMs),
    `…${tokenHint}`,
    account,
    id,
  ])
  const headings = ['NAME', 'RECIPIENTS', 'USE', 'LAST USE', 'ENDS WITH', 'ACCOUNT', 'ID']
  answer(io, options, { json: { webhooks }, text: table(headings, rows) })
}

async function updateWebhook({ io }: CommandContext, id: string, command: Command): Promise<void> {
  const options = optionsOf<{ readonly policy?: string | false }>(command)
  const { policy } = options
  if (policy === undefined)
    throw invalid([{ path: '--policy', message: 'name a policy, or use --no-policy' }])
  const json = await withWriter(io, options, async opened => {
    const which = await findWebhook(opened, id)
    const { findPolicy } = await import('#app/commands/read-on-call.ts')
    const policyId = findPolicy(opened, which.accountId, policy || undefined)
    return opened.writer.ask('webhook.update', { ...which, change: { policyId } })
  })
  answer(io, options, { json, text: '', note: `Changed ${oneLine(json.name)}.` })
}

async function rotateWebhook({ io }: CommandContext, id: string, command: Command): Promise<void> {
  const options = optionsOf(command)
  const { rotated, mails } = await withWriter(io, options, async opened => {
    const answered = await opened.writer.ask('webhook.rotate', await findWebhook(opened, id))
    return { rotated: withAddress(opened, answered), mails: mailNote(opened, answered) }
  })
  const old = `The old address of ${rotated.name} no longer works.`
  const note = [old, mails, 'The new address:'].filter(Boolean).join(' ')
  answer(io, options, { json: rotated, text: rotated.url, note })
}

async function removeWebhook({ io }: CommandContext, id: string, command: Command): Promise<void> {
  const options = optionsOf(command)
  const json = await withWriter(io, options, async opened => {
    return opened.writer.ask('webhook.remove', await findWebhook(opened, id))
  })
  answer(io, options, { json, text: '', note: `Removed ${json.id}.` })
}
