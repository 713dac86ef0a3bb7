import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput, CommandOutput } from '#contracts/commands.ts'
import { INVITATION_VALID_MS, type UserReference, type UserResource } from '#contracts/user.ts'
import { isActiveOwner, type User } from '#domain/account/user.ts'
import { checkBound, limitReached, notFound, Problem } from '#domain/problem.ts'
import { HOUR_MS, instant, instantOrNull } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * Makes a login that has no password until its invitation is taken. For a login that never was taken, makes
 * a new invitation, which replaces the one before.
 *
 * @throws Problem CONFLICT when another login has the e-mail address, or the account has the maximum
 */
export function inviteUser(
  world: World,
  { accountId, email, role }: CommandInput<'user.invite'>,
): CommandOutput<'user.invite'> {
  const { users, tx, source, now } = world
  const known = users.findUserByEmail(email)
  const waiting = known?.accountId === accountId && known.invitation !== null ? known : undefined
  refuseTakenFor(world, accountId, { email, userId: waiting?.id })
  if (waiting === undefined) checkBound(ACCOUNT_BOUNDS.users, users.usersOf(accountId).length)
  const token = source.secret('inv_')
  const user: User = {
    id: waiting?.id ?? source.id('usr_', now.wallMs),
    accountId,
    email,
    role,
    disabled: false,
    passwordHash: null,
    tokenVersion: waiting?.tokenVersion ?? 0,
    createdAt: waiting?.createdAt ?? now.wallMs,
    invitation: { hash: source.hash(token), until: now.wallMs + INVITATION_VALID_MS },
  }
  users.saveUser(tx, user)
  return { user: describeUser(user), token }
}

/**
 * Sets the password of an invited user, once.
 *
 * @throws Problem NOT_FOUND when the invitation is wrong, taken or too old, or its user was disabled
 */
export function takeInvitation(
  world: World,
  { token, passwordHash }: CommandInput<'invitation.take'>,
): CommandOutput<'invitation.take'> {
  const user = world.users.findInvited(world.source.hash(token))
  if (!isInvited(user, world.now.wallMs)) throw notFound('invitation')
  world.users.saveUser(world.tx, { ...user, passwordHash, invitation: null })
  const { id: userId, accountId, tokenVersion } = user
  return { accountId, userId, tokenVersion }
}

/** Whether the user may choose a password with its invitation. */
export function isInvited(user: User | undefined, wallMs: number): user is User {
  return user !== undefined && !user.disabled && (user.invitation?.until ?? 0) > wallMs
}

/** @throws Problem NOT_FOUND; CONFLICT for the last owner who can log in */
export function updateUser(
  world: World,
  { change, ...which }: CommandInput<'user.update'>,
): CommandOutput<'user.update'> {
  const before = existingUser(world, which)
  const user = { ...before, role: change.role ?? before.role, disabled: change.disabled ?? before.disabled }
  if (!isActiveOwner(user)) refuseLastOwner(world, before)
  if (user.disabled && !before.disabled) endLogins(world, user)
  else world.users.saveUser(world.tx, user)
  nameAccount(world, user.accountId)
  world.effects.push({ kind: 'credentials' })
  return describeUser(user)
}

/** @throws Problem NOT_FOUND; CONFLICT for the last owner who can log in */
export function removeUser(world: World, which: CommandInput<'user.remove'>): CommandOutput<'user.remove'> {
  const user = existingUser(world, which)
  refuseLastOwner(world, user)
  world.sessions.removeOthers(world.tx, { userId: user.id, id: null })
  world.users.removeUser(world.tx, user.id)
  nameAccount(world, user.accountId)
  world.effects.push({ kind: 'credentials' })
  return { id: user.id }
}

/** Saves the user, and ends its tokens and its sessions, except the session with this id. */
export function endLogins(world: World, user: User, sessionId: string | null = null): void {
  const { users, sessions, tx } = world
  users.saveUser(tx, { ...user, tokenVersion: user.tokenVersion + 1 })
  sessions.removeOthers(tx, { userId: user.id, id: sessionId })
  world.effects.push({ kind: 'credentials' })
}

/** An account hears so often in an hour that an address has a login. Nobody invites so many by mistake. */
const TAKEN_PER_HOUR_MAX = 20
const ADDRESS_USE = { sourceId: null, isUrgent: false }

/**
 * Refuses an address that has a login. An account that asked for many such ones hears nothing about new
 * addresses for an hour, or it could find out who has a login here.
 *
 * @throws Problem CONFLICT, RATE_LIMIT_EXCEEDED
 */
export function refuseTakenFor(
  world: World,
  accountId: string,
  { email, userId }: { readonly email: string; readonly userId: string | undefined },
): void {
  const { users, recentUses, now, tx } = world
  const other = users.findUserByEmail(email)
  if (other?.id === userId && userId !== undefined) return
  const subject = { accountId, kind: 'address-taken', subjectId: accountId } as const
  if (recentUses.list(subject, now.wallMs).length >= TAKEN_PER_HOUR_MAX) {
    const resetAtMs = recentUses.subjects(accountId, subject.kind, now.wallMs).get(accountId) ?? now.wallMs
    throw limitReached('too many e-mail addresses that have a login were tried: try again in an hour', {
      limit: TAKEN_PER_HOUR_MAX,
      resetAtMs,
      retryAfterMs: resetAtMs - now.wallMs,
    })
  }
  // The refusal is an answer like any other: this write is committed with it.
  if (other !== undefined && other.accountId !== accountId)
    recentUses.note(tx, { ...subject, ...ADDRESS_USE, until: now.wallMs + HOUR_MS }, now.wallMs)
  refuseTaken(world, email, userId)
}

/** @throws Problem CONFLICT when another login, of whatever account, has the e-mail address */
export function refuseTaken(world: Pick<World, 'users'>, email: string, userId?: string): void {
  const other = world.users.findUserByEmail(email)
  if (other !== undefined && other.id !== userId)
    throw new Problem('CONFLICT', `a login with the e-mail address ${email} already exists`)
}

/** Names the account after one of its owners: as before where possible, else after the oldest. */
export function nameAccount(world: World, accountId: string): void {
  const { accounts, users, tx } = world
  const emails = users
    .usersOf(accountId)
    .filter(isActiveOwner)
    .map(({ email }) => email)
  const [oldest] = emails
  if (oldest !== undefined && !emails.includes(accounts.find(tx, accountId)?.email ?? ''))
    accounts.setEmail(tx, accountId, oldest)
}

export function describeUser(user: User): UserResource {
  const { id, email, role, disabled, invitation, createdAt } = user
  const invitedUntil = instantOrNull(invitation?.until ?? null)
  return { id, email, role, disabled, invitedUntil, createdAt: instant(createdAt) }
}

function existingUser({ users }: World, { accountId, userId }: UserReference): User {
  const user = users.findUser(userId)
  if (user?.accountId !== accountId) throw notFound('user')
  return user
}

/** An account without an owner could not be managed any more. */
function refuseLastOwner({ users }: World, user: User): void {
  const owners = users.usersOf(user.accountId).filter(isActiveOwner)
  if (owners.length === 1 && owners[0]?.id === user.id)
    throw new Problem(
      'CONFLICT',
      `${user.email} is the last owner of this account: make another user an owner first`,
    )
}
