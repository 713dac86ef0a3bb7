import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import {
  InvitedUserResource,
  InviteUserRequest,
  invitationUrl,
  RemovedUserResource,
  UpdateUserRequest,
  type UserReference,
  UserResource,
} from '#contracts/user.ts'
import { describeUser } from '#domain/account/manage-user.ts'
import type { UserRows } from '#domain/account/user-store.ts'
import { notFound } from '#domain/problem.ts'
import { Validation } from '#transport/http/body.ts'
import { TIME, USER_ID } from '#transport/http/openapi/example-values.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'

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
const OF_USER = { id: { description: 'Id of the user, from the list of users.', example: USER_ID } }

/** The routes of the account's logins. */
export function userRoutes(ports: UserPorts): Route[] {
  return [...readingRoutes(ports), inviteRoute(ports), ...changingRoutes(ports)]
}

function readingRoutes({ users }: UserPorts): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/users',
      access: 'account',
      role: 'owner',
      body: 'none',
      operation: {
        id: 'listUsers',
        tag: 'users',
        summary: 'List the logins of the account',
        description: 'The oldest first; an account has at most 50.',
        response: v.array(UserResource),
        problems: [401, 429, 503],
        example: { data: [USER] },
      },
      handle: ({ principal }) => ({ data: users.usersOf(principal.accountId).map(describeUser) }),
    },
    {
      method: 'get',
      path: '/api/v1/users/{id}',
      access: 'account',
      role: 'owner',
      body: 'none',
      operation: {
        id: 'getUser',
        tag: 'users',
        summary: 'A login of the account',
        description: '404: the account has no user with this id.',
        parameters: OF_USER,
        response: UserResource,
        problems: [401, 404, 429, 503],
        example: { data: USER },
      },
      handle({ principal, parameters }) {
        const found = users.usersOf(principal.accountId).find(({ id }) => id === parameters[0])
        if (found === undefined) throw notFound('user')
        return { data: describeUser(found) }
      },
    },
  ]
}

function inviteRoute({ writer, publicUrl }: UserPorts): Route {
  return {
    method: 'post',
    path: '/api/v1/users',
    access: 'account',
    role: 'owner',
    body: 'json',
    operation: {
      id: 'inviteUser',
      tag: 'users',
      summary: 'Make a login for somebody else; the answer has an invitation link',
      description:
        'Give the link `invitationUrl` to the person, who chooses a password with it, once, within seven ' +
        'days. The same call for a login whose invitation was not taken makes a new link, and the old one ' +
        'stops working. 409: another login has this e-mail address, or the account has 50 users.',
      request: InviteUserRequest,
      response: InvitedUserResource,
      problems: [400, 401, 409, 413, 415, 429, 503],
      example: {
        request: { email: USER.email, role: USER.role },
        data: {
          ...USER,
          invitedUntil: '2026-02-07T12:00:00.000Z',
          invitationUrl: invitationUrl('http://roost.local:8080', 'inv_EXAMPLE'),
        },
      },
    },
    handle: async ({ by, principal: { accountId }, json }) => {
      const validation = new Validation()
      const wanted = validation.complete(validation.parse(InviteUserRequest, json))
      const { user, token } = await writer.ask('user.invite', { accountId, ...wanted }, by)
      return { data: { ...user, invitationUrl: invitationUrl(publicUrl, token) } }
    },
  }
}

function changingRoutes({ writer }: UserPorts): Route[] {
  return [
    {
      method: 'patch',
      path: '/api/v1/users/{id}',
      access: 'account',
      role: 'owner',
      body: 'json',
      operation: {
        id: 'updateUser',
        tag: 'users',
        summary: 'Change the role of a login, disable it or enable it',
        description:
          'Fields that are left out stay unchanged. When a login is disabled, its sessions and account ' +
          'tokens end at once. 409: the user is the last owner.',
        parameters: OF_USER,
        request: UpdateUserRequest,
        response: UserResource,
        problems: [400, 401, 404, 409, 413, 415, 429, 503],
        example: { request: { disabled: true }, data: { ...USER, disabled: true } },
      },
      handle: async call => {
        const validation = new Validation()
        const change = validation.complete(validation.parse(UpdateUserRequest, call.json))
        return { data: await writer.ask('user.update', { ...reference(call), change }, call.by) }
      },
    },
    {
      method: 'delete',
      path: '/api/v1/users/{id}',
      access: 'account',
      role: 'owner',
      body: 'none',
      operation: {
        id: 'deleteUser',
        tag: 'users',
        summary: 'Remove a login',
        description: 'Its sessions and account tokens end at once. 409: the user is the last owner.',
        parameters: OF_USER,
        response: RemovedUserResource,
        problems: [401, 404, 409, 429, 503],
        example: { data: { id: USER_ID } },
      },
      handle: async call => ({ data: await writer.ask('user.remove', reference(call), call.by) }),
    },
  ]
}

function reference({ principal, parameters }: AuthorizedCall): UserReference {
  return { accountId: principal.accountId, userId: parameters[0] ?? '' }
}
