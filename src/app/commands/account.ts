/** `roost account`: the accounts of this gateway, their plans and passwords. */

import { randomInt } from 'node:crypto'
import type { Command } from 'commander'
import { answer, type CommandContext, type CommandIo, optionsOf, table, tell } from '#app/command-io.ts'
import { confirm } from '#app/commands/confirm.ts'
import { readEmail } from '#app/commands/read-arguments.ts'
import { readLine } from '#app/commands/read-input.ts'
import { since } from '#app/commands/since.ts'
import { doing, withWriter } from '#app/commands/with-writer.ts'
import { EXIT } from '#app/exit-code.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#contracts/bounds.ts'
import { invalid } from '#domain/problem.ts'
import { hashPassword } from '#pool/tasks/hash-password.ts'

/** Base58: no two of its characters look alike on a screen. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** 22 characters of this alphabet have 128 bits of entropy. */
const GENERATED_LENGTH = 22

interface PasswordOptions {
  readonly passwordStdin?: boolean
}

const PASSWORD_STDIN = 'read the password from the first line of standard input'

export function addAccountCommands(program: Command, context: CommandContext): void {
  const account = program.command('account').description('accounts, their plans and passwords')
  account
    .command('create')
    .description('make an account; its password is generated and printed when none is given')
    .argument('<email>', 'e-mail address', readEmail)
    .option('--plan <plan>', 'plan, which sets the limits (default: standard, or accounts.default_plan)')
    .option('--password-stdin', PASSWORD_STDIN)
    .action((email: string, _: unknown, command: Command) => createAccount(context, email, command))
  account
    .command('set-plan')
    .description('change the plan of an account; its next request uses the new plan')
    .argument('<email>', 'e-mail address', readEmail)
    .argument('<plan>', 'name of a plan')
    .action(
      doing(context, async ({ writer }, email: string, plan: string) => {
        const json = await writer.ask('account.set-plan', { email, plan })
        return { json, text: '', note: `${json.email} is on the plan ${json.plan}.` }
      }),
    )
  account
    .command('set-password')
    .description('change the password of an account; it is generated and printed when none is given')
    .argument('<email>', 'e-mail address', readEmail)
    .option('--password-stdin', PASSWORD_STDIN)
    .action((email: string, _: unknown, command: Command) => setPassword(context, email, command))
  account
    .command('remove')
    .description('remove an account with its phones, keys, webhooks, messages and notifications')
    .argument('<email>', 'e-mail address', readEmail)
    .option('-y, --yes', 'remove it without asking')
    .action((email: string, _: unknown, command: Command) => removeAccount(context, email, command))
  account
    .command('list')
    .description('list the accounts')
    .action(
      doing(context, async ({ writer }) => {
        const accounts = await writer.ask('account.list', {})
        const nowMs = Date.now()
        const rows = accounts.map(({ email, plan, createdAt }) => [email, plan, since(createdAt, nowMs)])
        return { json: { accounts }, text: table(['EMAIL', 'PLAN', 'CREATED'], rows) }
      }),
    )
}

async function createAccount({ io }: CommandContext, email: string, command: Command): Promise<void> {
  const options = optionsOf<PasswordOptions & { readonly plan?: string }>(command)
  const { password, isGenerated } = await readPassword(io, options.passwordStdin === true)
  const passwordHash = await hashPassword(password)
  const account = await withWriter(io, { ...options, mayCreate: true }, ({ writer }) =>
    writer.ask('account.create', { email, plan: options.plan ?? null, passwordHash }),
  )
  answer(io, options, {
    json: { ...account, password: isGenerated ? password : null },
    text: isGenerated ? password : '',
    note: `Made the account ${email} on the plan ${account.plan}.${isGenerated ? ' Its password:' : ''}`,
  })
}

async function setPassword({ io }: CommandContext, email: string, command: Command): Promise<void> {
  const options = optionsOf<PasswordOptions>(command)
  // Read before the data directory is held, because a person may take a while to type it.
  const { password, isGenerated } = await readPassword(io, options.passwordStdin === true)
  const passwordHash = await hashPassword(password)
  const account = await withWriter(io, options, ({ writer }) =>
    writer.ask('account.set-password', { email, passwordHash }),
  )
  answer(io, options, {
    json: { ...account, password: isGenerated ? password : null },
    text: isGenerated ? password : '',
    note: `Changed the password of ${email}. Old tokens have ended.${isGenerated ? ' The password:' : ''}`,
  })
}

async function removeAccount(context: CommandContext, email: string, command: Command): Promise<void> {
  const { io } = context
  const options = optionsOf<{ readonly yes?: boolean }>(command)
  await withWriter(io, options, async ({ writer }) => {
    // Report an unknown address before asking.
    await writer.ask('account.find', { email })
    const question = `Remove ${email} with all its phones, keys, webhooks, messages and notifications? [y/N] `
    if (options.yes !== true && !(await confirm(io, question))) {
      context.exitCode = EXIT.failed
      return tell(io, 'Nothing was removed. Add --yes to remove the account without a question.')
    }
    const removed = await writer.ask('account.remove', { email })
    // In small parts, so that other accounts can send meanwhile.
    while ((await writer.ask('account.erase', {})).left);
    const { devices, messages, received, webhooks } = removed
    const counts = `phones ${devices}, webhooks ${webhooks}, messages ${messages}, received texts ${received}`
    answer(io, options, { json: removed, text: '', note: `Removed ${email}: ${counts}.` })
  })
}

interface PasswordChosen {
  readonly password: string
  /** True: the command generated the password and must print it. */
  readonly isGenerated: boolean
}

/**
 * Reads a password from the first line of standard input, or generates one. @throws Problem INVALID_REQUEST
 */
async function readPassword(io: CommandIo, fromStdin: boolean): Promise<PasswordChosen> {
  if (!fromStdin) return { password: generatePassword(), isGenerated: true }
  const password = await readLine(io, PASSWORD_LENGTH_MAX * 4)
  const issue = (message: string) => invalid([{ path: 'password', message }])
  if (password.length < PASSWORD_LENGTH_MIN)
    throw issue(`must have at least ${PASSWORD_LENGTH_MIN} characters`)
  if (password.length > PASSWORD_LENGTH_MAX)
    throw issue(`must have at most ${PASSWORD_LENGTH_MAX} characters`)
  return { password, isGenerated: false }
}

function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
