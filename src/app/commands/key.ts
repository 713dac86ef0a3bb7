/** `roost key`: API keys. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { readEmail, readName } from '#app/commands/read-arguments.ts'
import { withWriter } from '#app/commands/with-writer.ts'

interface CreateOptions {
  readonly account: string
  readonly test?: boolean
  readonly name: string
}

export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('API keys')
  key
    .command('create')
    .description('make a key; it is printed once and never shown again')
    .requiredOption('--account <email>', 'whose key it is', readEmail)
    .option('--test', 'a sandbox key: nothing it sends reaches a phone')
    .option('--name <name>', 'what it is for', readName, 'command line')
    .action((_: unknown, command: Command) => createKey(context, command))
  key
    .command('list')
    .description('list the keys')
    .option('--account <email>', 'only those of this account', readEmail)
    .action((_: unknown, command: Command) => listKeys(context, command))
  key
    .command('revoke')
    .description('make a key worthless, at once')
    .argument('<id>', 'id of the key, as listed')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = optionsOf(command)
      const json = await withWriter(context.io, options, ({ writer }) =>
        writer.ask('key.revoke', { id, accountId: null }),
      )
      answer(context.io, options, { json, text: '', talk: `Revoked ${id}.` })
    })
}

async function createKey({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<CreateOptions>(command)
  const { account: email, name, test = false } = options
  const { key, record } = await withWriter(io, options, ({ writer }) =>
    writer.ask('key.create', { email, name, test }),
  )
  answer(io, options, { json: { key, ...record }, text: key })
}

async function listKeys({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<{ readonly account?: string }>(command)
  const email = options.account ?? null
  const keys = await withWriter(io, options, ({ writer }) => writer.ask('key.list', { email }))
  const rows = keys.map(({ id, accountId, test, hint, name, createdAt, revokedAt }) => {
    return [id, accountId, test ? 'test' : 'live', `…${hint}`, createdAt, revokedAt ?? '-', name]
  })
  const headings = ['ID', 'ACCOUNT', 'KIND', 'ENDS', 'CREATED', 'REVOKED', 'NAME']
  answer(io, options, { json: { keys }, text: table(headings, rows) })
}
