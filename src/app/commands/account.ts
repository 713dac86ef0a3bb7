/** `roost account`: the accounts of this gateway, their plans and passwords. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, table, tell } from '#app/command-io.ts'
import { confirm } from '#app/commands/confirm.ts'
import { readEmail } from '#app/commands/read-arguments.ts'
import { readPassword } from '#app/commands/read-password.ts'
import { since } from '#app/commands/since.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import { EXIT } from '#app/exit-code.ts'
import type { CommandInput } from '#contracts/commands.ts'
import { hashPassword } from '#pool/tasks/hash-password.ts'

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
    .action(function (this: Command, email: string, plan: string) {
      return setPlan(context, this, { email, plan })
    })
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
    .action((_: unknown, command: Command) => listAccounts(context, command))
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

async function setPlan(
  { io }: CommandContext,
  command: Command,
  input: CommandInput<'account.set-plan'>,
): Promise<void> {
  const options = optionsOf(command)
  const json = await withWriter(io, options, ({ writer }) => writer.ask('account.set-plan', input))
  answer(io, options, { json, text: '', note: `${json.email} is on the plan ${json.plan}.` })
}

async function setPassword({ io }: CommandContext, email: string, command: Command): Promise<void> {
  const options = optionsOf<PasswordOptions>(command)
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

async function listAccounts({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf(command)
  const accounts = await withWriter(io, options, ({ writer }) => writer.ask('account.list', {}))
  const nowMs = Date.now()
  const rows = accounts.map(({ email, plan, createdAt }) => [email, plan, since(createdAt, nowMs)])
  answer(io, options, { json: { accounts }, text: table(['EMAIL', 'PLAN', 'CREATED'], rows) })
}
