/** Users: the logins of an account, their roles, and what was done by whom. */
import * as v from 'valibot'
import { EmailInput, PasswordInput, SetupRequest } from '#contracts/account.ts'
import { noted } from '#contracts/noted.ts'
import { Instant } from '#contracts/primitives.ts'

/** What a login may do, the least first: each role may do all that those before it may. */
export const ROLES = ['viewer', 'operator', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** The caller of commands that somebody typed on the gateway's machine, in place of a user's or key's id. */
export const COMMAND_LINE = 'command line'
/** The caller of commands that Home Assistant gave. */
export const HOME_ASSISTANT = 'home assistant'

/** An invitation is valid for a week. */
export const INVITATION_VALID_MS = 604_800_000

const ROLE_NOTE =
  'viewer: only looks. operator: also sends texts, answers incidents, and manages webhooks, people, rotas ' +
  'and policies. owner: everything.'
const role = v.picklist(ROLES, `must be one of ${ROLES.join(', ')}`)

export const InviteUserRequest = v.object({
  email: noted(EmailInput, 'The e-mail address of the new login; no other login here has it.'),
  role: noted(role, ROLE_NOTE),
})

/** Absent fields stay as they are. */
export const UpdateUserRequest = v.object({
  role: noted(v.optional(role), ROLE_NOTE),
  disabled: noted(
    v.optional(v.boolean('must be true or false')),
    'True: the login is refused, and all of its sessions and tokens end at once.',
  ),
})
export type UserChange = v.InferOutput<typeof UpdateUserRequest>

export const UserResource = v.object({
  id: noted(v.string(), 'The identifier, `usr_…`.'),
  email: noted(v.string(), 'E-mail address; upper and lower case are the same.'),
  role: noted(role, ROLE_NOTE),
  disabled: noted(v.boolean(), 'Whether the login is refused.'),
  invitedUntil: noted(
    v.nullable(Instant),
    'Until when the invitation can be taken; null: it was taken, and the user has a password.',
  ),
  createdAt: noted(Instant, 'Time of creation.'),
})
export type UserResource = v.InferOutput<typeof UserResource>

export const InvitedUserResource = v.object({
  ...UserResource.entries,
  invitationUrl: noted(
    v.string(),
    'The link that the new user opens to choose a password. It works once. Shown only in this answer.',
  ),
})

/** The address of the page on which an invited person chooses a password. */
export function invitationUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/#/invite/${token}`
}

export const RemovedUserResource = v.object({ id: noted(v.string(), 'The identifier, `usr_…`.') })

export const TakeInvitationRequest = v.object({
  token: noted(SetupRequest.entries.token, 'The part of the invitation link behind `#/invite/`.'),
  password: noted(PasswordInput, 'The password for the new login, 10 to 1024 characters.'),
})

/** Something that was done. It has no text, number or secret. */
export const AuditEntry = v.object({
  id: noted(v.string(), 'The identifier of the entry.'),
  when: noted(Instant, 'When it was done.'),
  who: noted(
    v.string(),
    'The id of the user (`usr_…`) or API key (`key_…`), or `command line`, or `home assistant`.',
  ),
  name: noted(
    v.nullable(v.string()),
    'The e-mail address of the user or the name of the key as it is now; null: the command line, or gone.',
  ),
  what: noted(v.string(), 'What was done, such as `webhook.update`.'),
  which: noted(v.nullable(v.string()), 'The id of what it was done to; null: there is only one, or none.'),
  whichName: noted(
    v.nullable(v.string()),
    'The name of what it was done to as it is now, of a user the e-mail address; null: it has none, or is ' +
      'gone.',
  ),
})
export type AuditEntry = v.InferOutput<typeof AuditEntry>

export interface UserReference {
  readonly accountId: string
  readonly userId: string
}

/** The writer's commands for users. */
export interface UserCommands {
  /** Makes a login without a password. For one that has not taken its invitation yet, makes a new one. */
  'user.invite': {
    input: { readonly accountId: string; readonly email: string; readonly role: Role }
    output: { readonly user: UserResource; readonly token: string }
  }
  'user.update': { input: UserReference & { readonly change: UserChange }; output: UserResource }
  'user.remove': { input: UserReference; output: { readonly id: string } }
  'user.list': { input: { readonly accountId: string }; output: readonly UserResource[] }
  'invitation.take': {
    input: { readonly token: string; readonly passwordHash: string }
    output: UserReference & { readonly tokenVersion: number }
  }
}
