/** `roost token`: prints an account token, which has more permissions than an API key. */
import type { Command } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { type AccountOption, accountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { readTtl } from '#app/commands/read-arguments.ts'
import { doing, type Typed } from '#app/commands/with-writer.ts'
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
    .action(doing(context, printToken))
}

async function printToken({ writer, options }: Typed<TokenOptions>) {
  const { account, ttl: ttlS = JWT_VALID_S } = options
  const { issueAccountToken } = await import('#app/auth/account-token.ts')
  const { loadSecret } = await import('#storage/secret-file.ts')
  const { accountId, userId, tokenVersion: version } = await chooseAccount(writer, account)
  await writer.ask('audit.note', { accountId, what: 'token.create' }).catch(() => null)
  const request = { accountId, userId, version, key: loadSecret(writer.directory.jwtKey) }
  const { token, expiresAt } = await issueAccountToken({ ...request, ttlS, nowMs: Date.now() })
  return { json: { token, tokenType: 'Bearer', expiresAt: instant(expiresAt), accountId }, text: token }
}
