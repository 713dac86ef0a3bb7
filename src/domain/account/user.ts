import { ROLES, type Role } from '#contracts/user.ts'
import type { Account } from '#domain/account/account-store.ts'

/** A login of an account. Times are wall-clock milliseconds. */
export interface User {
  readonly id: string
  readonly accountId: string
  readonly email: string
  readonly role: Role
  readonly disabled: boolean
  /** Null: no password was chosen yet. */
  readonly passwordHash: string | null
  /** The gateway accepts only tokens of the user with this version. A new password increases it. */
  readonly tokenVersion: number
  readonly createdAt: number
  /** Null: the invitation was taken, or there was none. `hash`: the SHA-256 of its token. */
  readonly invitation: { readonly hash: Uint8Array; readonly until: number } | null
}

/** The id of the user that an account was made with. Tokens made before there were users are this user's. */
export function firstUserId(accountId: string): string {
  return `usr_${accountId.slice(4)}`
}

/** The user that a new account has: its owner. */
export function firstUserOf(account: Account, passwordHash: string | null): User {
  const { id: accountId, email, createdAt } = account
  const id = firstUserId(accountId)
  return {
    id,
    accountId,
    email,
    role: 'owner',
    disabled: false,
    passwordHash,
    tokenVersion: 0,
    createdAt,
    invitation: null,
  }
}

/** Whether a role may do what another role may. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** Whether the user may log in as an owner. */
export function isActiveOwner({ role, disabled, invitation }: User): boolean {
  return role === 'owner' && !disabled && invitation === null
}
