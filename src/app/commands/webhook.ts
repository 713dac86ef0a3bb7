/** `roost webhook`: manages webhooks, the addresses that turn alerts into texts. */
import type { Command } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { type AccountOption, accountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { publicUrlFor } from '#app/commands/public-url-for.ts'
import { readName, readSilentAfter } from '#app/commands/read-arguments.ts'
import { findListed, listing, printsList, removesListed } from '#app/commands/resource-commands.ts'
import { since } from '#app/commands/since.ts'
import { addReadingCommands } from '#app/commands/webhook-readings.ts'
import { doing, type Typed, type WriterAndConfig } from '#app/commands/with-writer.ts'
import { WEBHOOK_CALLS_PER_HOUR_DEFAULT } from '#contracts/bounds.ts'
import type { WebhookResource } from '#contracts/webhook.ts'
import type { WebhookReference } from '#contracts/webhook-commands.ts'
import { invalid } from '#domain/problem.ts'

const ID = 'id or name of the webhook, as listed'
const POLICY = 'id or name of the policy by which people answer its alerts'

const WEBHOOKS = listing({
  words: ['webhook', 'webhooks'],
  key: 'webhooks',
  read: async (...of) => (await import('#app/commands/read-database.ts')).readWebhooks(...of),
  columns: {
    NAME: ({ name }) => name,
    RECIPIENTS: ({ recipients, people }) => [...recipients, ...people].join(', ') || '-',
    USE: ({ enabled, usage }) => (enabled ? `${usage.today} today` : 'off'),
    'LAST USE': ({ usage }, nowMs) => since(usage.lastTriggeredAt, nowMs),
    'ENDS WITH': ({ tokenHint }) => `…${tokenHint}`,
    ACCOUNT: ({ account }) => account,
    ID: ({ id }) => id,
  },
  hidden: ['accountId'],
})

/** @throws Problem NOT_FOUND; CONFLICT: several have that name */
async function findWebhook(opened: WriterAndConfig, idOrName: string): Promise<WebhookReference> {
  const { accountId, id } = await findListed(opened, WEBHOOKS, idOrName)
  return { accountId, webhookId: id }
}

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
    .action(doing(context, createWebhook))
  webhook
    .command('update')
    .description('give a webhook a policy, or none')
    .argument('<id>', ID)
    .option('--policy <id>', POLICY)
    .option('--no-policy', 'tell its recipients only')
    .action(doing(context, updateWebhook, checkPolicy))
  printsList(webhook.command('list').description('list the webhooks'), context, WEBHOOKS)
  webhook
    .command('rotate')
    .description('give a webhook a new secret address; the old one stops working at once')
    .argument('<id>', ID)
    .action(doing(context, rotateWebhook))
  const remove = webhook.command('remove').description('remove a webhook; its address stops working at once')
  removesListed(remove, context, {
    ...WEBHOOKS,
    remove: ({ writer }, { accountId, id }) => writer.ask('webhook.remove', { accountId, webhookId: id }),
  })
  addReadingCommands(webhook, context, findWebhook)
}

/** What a webhook has unless its maker chooses something else. */
export const NEW_WEBHOOK = {
  recipients: [],
  people: [],
  maxPerHour: WEBHOOK_CALLS_PER_HOUR_DEFAULT,
  messageTemplate: null,
  allowedIps: [],
  deviceId: null,
  enabled: true,
  minSeverity: null,
  sendRecovered: true,
  summarizeOverflow: true,
  keepLastBody: true,
  gather: true,
  silentAfterMinutes: null,
}

interface CreateOptions extends AccountOption {
  readonly recipient?: readonly string[]
  readonly person?: readonly string[]
  readonly policy?: string
  readonly gather: boolean
  readonly silentAfter?: number
}

async function createWebhook({ options, ...opened }: Typed<CreateOptions>, name: string) {
  const { writer, config } = opened
  const { readRecipients } = await import('#app/commands/compose-message.ts')
  const recipients = readRecipients(options.recipient ?? [], config.messages.default_country)
  const { accountId } = await chooseAccount(writer, options.account)
  const { findPolicy, peopleAndGroups } = await import('#app/commands/read-database.ts')
  const policyId = findPolicy(opened, accountId, options.policy)
  const { people, groups } = peopleAndGroups(opened, accountId)
  const told = (options.person ?? []).map(given =>
    oneCalled([...people, ...groups], given, ['person or group', 'people or groups']),
  )
  const fields = {
    ...NEW_WEBHOOK,
    name,
    recipients,
    people: [...new Set(told.map(({ id }) => id))],
    gather: options.gather,
    silentAfterMinutes: options.silentAfter ?? null,
    policyId,
  }
  const json = withAddress(opened, await writer.ask('webhook.create', { accountId, fields }))
  const line = `curl -d 'Hello from ${shellSafe(name)}' ${json.url}`
  const who = policyId === null ? 'each recipient gets a text' : 'people get texts as its policy says'
  const note = `To try the webhook (${who}):\n\n  ${line}\n\n${mailNote(opened, json)}`.trim()
  return { json, text: json.url, note }
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

interface UpdateOptions {
  readonly policy?: string | false
}

function checkPolicy({ policy }: UpdateOptions): void {
  if (policy === undefined)
    throw invalid([{ path: '--policy', message: 'name a policy, or use --no-policy' }])
}

async function updateWebhook({ options, ...opened }: Typed<UpdateOptions>, idOrName: string) {
  const { policy } = options
  const which = await findWebhook(opened, idOrName)
  const { findPolicy } = await import('#app/commands/read-database.ts')
  const policyId = findPolicy(opened, which.accountId, policy || undefined)
  const json = await opened.writer.ask('webhook.update', { ...which, change: { policyId } })
  return { json, text: '', note: `Changed ${oneLine(json.name)}.` }
}

async function rotateWebhook(opened: WriterAndConfig, idOrName: string) {
  const which = await findWebhook(opened, idOrName)
  const json = withAddress(opened, await opened.writer.ask('webhook.rotate', which))
  const old = `The old address of ${json.name} no longer works.`
  const note = [old, mailNote(opened, json), 'The new address:'].filter(Boolean).join(' ')
  return { json, text: json.url, note }
}
