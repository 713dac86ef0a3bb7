/** `roost key`: API keys. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf, chooseAccount } from '#app/commands/choose-account.ts'
import { readName } from '#app/commands/read-arguments.ts'
import { since } from '#app/commands/since.ts'
import { withWriter } from '#app/commands/with-writer.ts'

interface CreateOptions extends AccountOption {
  readonly test?: boolean
  readonly cleanText?: boolean
  readonly name: string
}

export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('API keys')
  key
    .command('create')
    .description('make a key; it is printed once and never shown again')
    .addOption(accountOption('account of the key; optional if there is only one'))
    .option('--test', 'make a sandbox key: nothing sent with it reaches a phone')
    .option('--clean-text', 'remove emoji and markup from texts sent with this key; for monitoring programs')
    .option('--name <name>', 'name that says what the key is for', readName, 'command line')
    .action((_: unknown, command: Command) => createKey(context, command))
  key
    .command('list')
    .description('list the keys')
    .addOption(accountOption('only keys of this account'))
    .action((_: unknown, command: Command) => listKeys(context, command))
  key
    .command('revoke')
    .description('revoke a key; it stops working at once')
    .argument('<id>', 'id of the key, as listed')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = optionsOf(command)
      await withWriter(context.io, options, ({ writer }) => writer.ask('key.revoke', { id, accountId: null }))
      answer(context.io, options, { json: { id }, text: '', note: `Revoked ${id}.` })
    })
}

async function createKey({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<CreateOptions>(command)
  const { account, name, test = false, cleanText = false } = options
  const { key, record } = await withWriter(io, options, async ({ writer }) => {
    const { email } = await chooseAccount(writer, account)
    return writer.ask('key.create', { email, name, test, cleanText })
  })
  answer(io, options, { json: { key, ...record }, text: key })
}

async function listKeys({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AccountOption>(command)
  const { keys, emails } = await withWriter(io, options, async ({ writer }) => {
    const accounts = await accountsOf(writer, options.account)
    const email = options.account ?? null
    return {
      keys: await writer.ask('key.list', { email }),
      emails: new Map(accounts.map(account => [account.accountId, account.email])),
    }
  })
  const nowMs = Date.now()
  const rows = keys.map(
    ({ id, accountId, test, cleanText, hint, name, createdAt, lastUsedAt, revokedAt }) => [
      name,
      test ? 'test' : 'live',
      cleanText ? 'cleaned' : 'as sent',
      `…${hint}`,
      since(createdAt, nowMs),
      since(lastUsedAt, nowMs),
      revokedAt === null ? '-' : since(revokedAt, nowMs),
      emails.get(accountId) ?? accountId,
      id,
    ],
  )
  const headings = ['NAME', 'KIND', 'TEXTS', 'ENDS WITH', 'CREATED', 'LAST USE', 'REVOKED', 'ACCOUNT', 'ID']
  answer(io, options, { json: { keys }, text: table(headings, rows) })
}
