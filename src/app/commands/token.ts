/** `roost token`: prints an account token, which has more permissions than an API key. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf } from '#app/command-io.ts'
import { type AccountOption, accountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { readTtl } from '#app/commands/read-arguments.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import { JWT_VALID_S } from '#contracts/bounds.ts'
import { instant } from '#domain/time.ts'

interface TokenOptions extends AccountOption {
  readonly ttl?: number
}

export function addTokenCommand(program: Command, context: CommandContext): void {
  program
    .command('token')
    .description('print an account token (JWT)')
    .addOption(accountOption('account of the token; optional if there is only one'))
    .option('--ttl <span>', 'validity of the token, such as 90s, 30m, 12h, 7d (default: 12h)', readTtl)
    .action((_: unknown, command: Command) => printToken(context, command))
}

async function printToken({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<TokenOptions>(command)
  const { account, ttl: ttlS = JWT_VALID_S } = options
  const { issueAccountToken } = await import('#app/auth/account-token.ts')
  const { loadSecret } = await import('#storage/secret-file.ts')
  const { accountId, ...request } = await withWriter(io, options, async ({ writer }) => {
    const { accountId, userId, tokenVersion: version } = await chooseAccount(writer, account)
    await writer.ask('audit.note', { accountId, what: 'token.create' }).catch(() => null)
    return { accountId, userId, version, key: loadSecret(writer.directory.jwtKey) }
  })
  const { token, expiresAt } = await issueAccountToken({ ...request, accountId, ttlS, nowMs: Date.now() })
  const json = { token, tokenType: 'Bearer', expiresAt: instant(expiresAt), accountId }
  answer(io, options, { json, text: token })
}
