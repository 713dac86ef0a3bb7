/** Chooses the account of a command: the one that `--account` names, or the only one. */
import { Option } from 'commander'
import { readEmail } from '#app/commands/read-arguments.ts'
import type { AccountResource } from '#contracts/account.ts'
import type { CommandOutput, Writer } from '#contracts/commands.ts'
import { invalid, Problem } from '#domain/problem.ts'

export interface AccountOption {
  readonly account?: string
}

/** The option `--account`; each command describes what the account means to it. */
export function accountOption(description: string): Option {
  return new Option('--account <email>', description).argParser(readEmail)
}

/**
 * Finds the account with this e-mail address, or the only account.
 *
 * @throws Problem NOT_FOUND if there is no such account; INVALID_REQUEST if there are several and none was
 * named
 */
export async function chooseAccount(
  writer: Writer,
  email: string | undefined,
): Promise<CommandOutput<'account.find'>> {
  const accounts = await writer.ask('account.list', {})
  const emails = accounts.map(account => account.email)
  if (emails.length === 0)
    throw new Problem('NOT_FOUND', 'there is no account yet: make one with: roost account create EMAIL')
  const [only] = emails
  const chosen = email ?? (emails.length === 1 ? only : undefined)
  if (chosen === undefined)
    throw invalid([{ path: '--account', message: `must name an account: ${emails.join(', ')}` }])
  if (!emails.includes(chosen))
    throw new Problem('NOT_FOUND', `there is no account ${chosen}; the accounts are ${emails.join(', ')}`)
  return writer.ask('account.find', { email: chosen })
}

/** The accounts that a list shows: the one that is named, or else all. */
export async function accountsOf(writer: Writer, email: string | undefined) {
  return email === undefined ? writer.ask('account.list', {}) : [await chooseAccount(writer, email)]
}

/** A thing with its account, as `ofAccounts` makes it. */
export interface Owned {
  readonly accountId: string
  /** The e-mail address of the account. */
  readonly account: string
}

/** What `list` finds for each of these accounts, with the account. */
export async function ofAccounts<T extends object>(
  accounts: readonly Pick<AccountResource, 'accountId' | 'email'>[],
  list: (accountId: string) => readonly T[] | Promise<readonly T[]>,
): Promise<(T & Owned)[]> {
  const lists = accounts.map(async ({ accountId, email }) =>
    (await list(accountId)).map(one => ({ ...one, accountId, account: email })),
  )
  return (await Promise.all(lists)).flat()
}
