/** `roost user`: the logins of an account. */
import { type Command, Option } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf, chooseAccount } from '#app/commands/choose-account.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import { publicUrlFor } from '#app/commands/public-url-for.ts'
import { readEmail } from '#app/commands/read-arguments.ts'
import { since } from '#app/commands/since.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import type { Writer } from '#contracts/commands.ts'
import { invitationUrl, ROLES, type Role, type UserResource } from '#contracts/user.ts'

interface InviteOptions extends AccountOption {
  readonly role: Role
}

export function addUserCommands(program: Command, context: CommandContext): void {
  const user = program.command('user').description('logins of an account: who may look, work and manage')
  user
    .command('invite')
    .description('make a login; the invitation link for its password is printed once')
    .argument('<email>', 'e-mail address of the new login', readEmail)
    .addOption(new Option('--role <role>', 'what the login may do').choices(ROLES).default('viewer'))
    .addOption(accountOption('account of the login; optional if there is only one'))
    .action((email: string, _: unknown, command: Command) => inviteUser(context, email, command))
  user
    .command('list')
    .description('list the logins')
    .addOption(accountOption('only logins of this account'))
    .action((_: unknown, command: Command) => listUsers(context, command))
  for (const [name, description] of [
    ['disable', 'refuse a login, and end its sessions and tokens at once'],
    ['enable', 'accept a disabled login again'],
    ['remove', 'remove a login'],
  ] as const)
    user
      .command(name)
      .description(description)
      .argument('<email>', 'e-mail address or id of the login, as listed')
      .action((email: string, _: unknown, command: Command) => changeUser(context, { name, email }, command))
}

async function inviteUser({ io }: CommandContext, email: string, command: Command): Promise<void> {
  const options = optionsOf<InviteOptions>(command)
  const { user, url } = await withWriter(io, options, async ({ writer, config }) => {
    const { accountId } = await chooseAccount(writer, options.account)
    const { user, token } = await writer.ask('user.invite', { accountId, email, role: options.role })
    return { user, url: invitationUrl(publicUrlFor(writer, config), token) }
  })
  const note = `Give this link to ${user.email} (${user.role}). It works once, within seven days.`
  answer(io, options, { json: { ...user, invitationUrl: url }, text: url, note })
}

async function listUsers({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AccountOption>(command)
  const users = await withWriter(io, options, ({ writer }) => usersOf(writer, options.account))
  const nowMs = Date.now()
  const rows = users.map(({ user, account }) => [
    user.email,
    user.role,
    stateOf(user),
    since(user.createdAt, nowMs),
    account,
    user.id,
  ])
  const headings = ['E-MAIL', 'ROLE', 'STATE', 'CREATED', 'ACCOUNT', 'ID']
  answer(io, options, { json: { users: users.map(({ user }) => user) }, text: table(headings, rows) })
}

interface Change {
  readonly name: 'disable' | 'enable' | 'remove'
  readonly email: string
}

const DONE = { disable: 'Disabled', enable: 'Enabled', remove: 'Removed' } as const

async function changeUser({ io }: CommandContext, { name, email }: Change, command: Command): Promise<void> {
  const options = optionsOf(command)
  const json = await withWriter(io, options, async ({ writer }) => {
    const named = (await usersOf(writer, undefined)).map(({ user, accountId }) => ({
      ...user,
      name: user.email,
      accountId,
    }))
    const { accountId, id: userId } = oneCalled(named, email, ['login', 'logins'])
    if (name === 'remove') return writer.ask('user.remove', { accountId, userId })
    return writer.ask('user.update', { accountId, userId, change: { disabled: name === 'disable' } })
  })
  answer(io, options, { json, text: '', note: `${DONE[name]} the login ${email} (${json.id}).` })
}

async function usersOf(writer: Writer, account: string | undefined) {
  const found: { user: UserResource; accountId: string; account: string }[] = []
  for (const { accountId, email } of await accountsOf(writer, account))
    for (const user of await writer.ask('user.list', { accountId }))
      found.push({ user, accountId, account: email })
  return found
}

function stateOf({ disabled, invitedUntil }: UserResource): string {
  if (disabled) return 'disabled'
  return invitedUntil === null ? 'active' : `invited until ${invitedUntil}`
}
