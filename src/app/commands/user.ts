/** `roost user`: the logins of an account. */
import { type Command, Option } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { type AccountOption, accountOption, chooseAccount, ofAccounts } from '#app/commands/choose-account.ts'
import { publicUrlFor } from '#app/commands/public-url-for.ts'
import { readEmail } from '#app/commands/read-arguments.ts'
import { findListed, listing, printsList } from '#app/commands/resource-commands.ts'
import { since } from '#app/commands/since.ts'
import { doing, type Typed } from '#app/commands/with-writer.ts'
import { invitationUrl, ROLES, type Role, type UserResource } from '#contracts/user.ts'

interface InviteOptions extends AccountOption {
  readonly role: Role
}

const USERS = listing({
  words: ['login', 'logins'],
  key: 'users',
  async read({ writer }, accounts) {
    const users = await ofAccounts(accounts, accountId => writer.ask('user.list', { accountId }))
    return users.map(user => ({ ...user, name: user.email }))
  },
  columns: {
    'E-MAIL': ({ email }) => email,
    ROLE: ({ role }) => role,
    STATE: user => stateOf(user),
    CREATED: ({ createdAt }, nowMs) => since(createdAt, nowMs),
    ACCOUNT: ({ account }) => account,
    ID: ({ id }) => id,
  },
  hidden: ['name', 'accountId', 'account'],
})

export function addUserCommands(program: Command, context: CommandContext): void {
  const user = program.command('user').description('logins of an account: who may look, work and manage')
  user
    .command('invite')
    .description('make a login; the invitation link for its password is printed once')
    .argument('<email>', 'e-mail address of the new login', readEmail)
    .addOption(new Option('--role <role>', 'what the login may do').choices(ROLES).default('viewer'))
    .addOption(accountOption('account of the login; optional if there is only one'))
    .action(doing(context, inviteUser))
  printsList(user.command('list').description('list the logins'), context, USERS)
  for (const [verb, done, description] of [
    ['disable', 'Disabled', 'refuse a login, and end its sessions and tokens at once'],
    ['enable', 'Enabled', 'accept a disabled login again'],
    ['remove', 'Removed', 'remove a login'],
  ] as const)
    user
      .command(verb)
      .description(description)
      .argument('<email>', 'e-mail address or id of the login, as listed')
      .action(
        doing(context, async (opened, email: string) => {
          const { accountId, id: userId } = await findListed(opened, USERS, email)
          const which = { accountId, userId }
          const json =
            verb === 'remove'
              ? await opened.writer.ask('user.remove', which)
              : await opened.writer.ask('user.update', { ...which, change: { disabled: verb === 'disable' } })
          return { json, text: '', note: `${done} the login ${email} (${json.id}).` }
        }),
      )
}

async function inviteUser({ writer, config, options }: Typed<InviteOptions>, email: string) {
  const { accountId } = await chooseAccount(writer, options.account)
  const { user, token } = await writer.ask('user.invite', { accountId, email, role: options.role })
  const url = invitationUrl(publicUrlFor(writer, config), token)
  const note = `Give this link to ${user.email} (${user.role}). It works once, within seven days.`
  return { json: { ...user, invitationUrl: url }, text: url, note }
}

function stateOf({ disabled, invitedUntil }: UserResource): string {
  if (disabled) return 'disabled'
  return invitedUntil === null ? 'active' : `invited until ${invitedUntil}`
}
