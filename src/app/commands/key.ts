/** `roost key`: API keys. */
import type { Command } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { type AccountOption, accountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { readName } from '#app/commands/read-arguments.ts'
import { printsList } from '#app/commands/resource-commands.ts'
import { since } from '#app/commands/since.ts'
import { doing, type Typed } from '#app/commands/with-writer.ts'

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
    .action(doing(context, createKey))
  printsList(key.command('list').description('list the keys'), context, {
    words: ['key', 'keys'],
    key: 'keys',
    async read({ writer }, accounts) {
      const emails = new Map(accounts.map(({ accountId, email }) => [accountId, email]))
      const keys = await writer.ask('key.list', { email: null })
      return keys.flatMap(key => {
        const account = emails.get(key.accountId)
        return account === undefined ? [] : [{ ...key, account }]
      })
    },
    columns: {
      NAME: ({ name }) => name,
      KIND: ({ test }) => (test ? 'test' : 'live'),
      TEXTS: ({ cleanText }) => (cleanText ? 'cleaned' : 'as sent'),
      'ENDS WITH': ({ hint }) => `…${hint}`,
      CREATED: ({ createdAt }, nowMs) => since(createdAt, nowMs),
      'LAST USE': ({ lastUsedAt }, nowMs) => since(lastUsedAt, nowMs),
      REVOKED: ({ revokedAt }, nowMs) => since(revokedAt, nowMs),
      ACCOUNT: ({ account }) => account,
      ID: ({ id }) => id,
    },
    hidden: ['account'],
  })
  key
    .command('revoke')
    .description('revoke a key; it stops working at once')
    .argument('<id>', 'id of the key, as listed')
    .action(
      doing(context, async ({ writer }, id: string) => {
        await writer.ask('key.revoke', { id, accountId: null })
        return { json: { id }, text: '', note: `Revoked ${id}.` }
      }),
    )
}

async function createKey({ writer, options }: Typed<CreateOptions>) {
  const { account, name, test = false, cleanText = false } = options
  const { email } = await chooseAccount(writer, account)
  const { key, record } = await writer.ask('key.create', { email, name, test, cleanText })
  return { json: { key, ...record }, text: key }
}
