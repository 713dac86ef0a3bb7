import type { Writer } from '#contracts/commands.ts'
import {
  InvitedUserResource,
  InviteUserRequest,
  invitationUrl,
  RemovedUserResource,
  UpdateUserRequest,
  UserResource,
} from '#contracts/user.ts'
import { describeUser } from '#domain/account/manage-user.ts'
import type { UserRows } from '#domain/account/user-store.ts'
import { readBody } from '#transport/http/body.ts'
import { TIME, USER_ID } from '#transport/http/openapi/example-values.ts'
import { referenceAs } from '#transport/http/read-change.ts'
import { resourceRoutes } from '#transport/http/resource-routes.ts'
import type { Route } from '#transport/http/route.ts'

export interface UserPorts {
  readonly writer: Writer
  readonly users: Pick<UserRows, 'usersOf'>
  /** Address for people on the network, to which the invitation links lead. */
  readonly publicUrl: string
}

const USER = {
  id: USER_ID,
  email: 'ada@example.com',
  role: 'operator' as const,
  disabled: false,
  invitedUntil: null,
  createdAt: TIME,
}
/** The routes of the account's logins. */
export function userRoutes({ writer, users, publicUrl }: UserPorts): Route[] {
  return resourceRoutes({
    path: '/api/v1/users',
    tag: 'users',
    named: ['User', 'Users'],
    verbs: { create: 'invite' },
    word: 'user',
    ofId: 'Id of the user, from the list of users.',
    roles: ['owner', 'owner'],
    words: {
      list: ['List the logins of the account', 'The oldest first; an account has at most 50.'],
      get: 'A login of the account',
      create: [
        'Make a login for somebody else; the answer has an invitation link',
        'Give the link `invitationUrl` to the person, who chooses a password with it, once, within seven ' +
          'days. The same call for a login whose invitation was not taken makes a new link, and the old ' +
          'one stops working. 409: another login has this e-mail address, or the account has 50 users.',
      ],
      update: [
        'Change the role of a login, disable it or enable it',
        'Fields that are left out stay unchanged. When a login is disabled, its sessions and account ' +
          'tokens end at once. 409: the user is the last owner.',
      ],
      remove: [
        'Remove a login',
        'Its sessions and account tokens end at once. 409: the user is the last owner.',
      ],
    },
    schemas: {
      create: InviteUserRequest,
      update: UpdateUserRequest,
      item: UserResource,
      made: InvitedUserResource,
      removed: RemovedUserResource,
    },
    example: [
      { email: USER.email, role: USER.role },
      USER,
      { disabled: true },
      {
        invitedUntil: '2026-02-07T12:00:00.000Z',
        invitationUrl: invitationUrl('http://roost.local:8080', 'inv_EXAMPLE'),
      },
    ],
    problems: { update: [409], remove: [409] },
    rows: {
      list: users.usersOf,
      find: (accountId, id) => users.usersOf(accountId).find(user => user.id === id),
    },
    show: describeUser,
    async create({ by, principal: { accountId }, json }) {
      const wanted = readBody(InviteUserRequest, json)
      const { user, token } = await writer.ask('user.invite', { accountId, ...wanted }, by)
      return { ...user, invitationUrl: invitationUrl(publicUrl, token) }
    },
    update: call => {
      const change = readBody(UpdateUserRequest, call.json)
      return writer.ask('user.update', { ...referenceAs('userId', call), change }, call.by)
    },
    remove: call => writer.ask('user.remove', referenceAs('userId', call), call.by),
  })
}
