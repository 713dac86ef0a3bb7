import type { Writer } from '#contracts/commands.ts'
import { OpenedSessionResource } from '#contracts/session.ts'
import { TakeInvitationRequest } from '#contracts/user.ts'
import { isInvited } from '#domain/account/manage-user.ts'
import type { UserRows } from '#domain/account/user-store.ts'
import { admitLink, type LinkPorts } from '#transport/http/admit-link.ts'
import { hashOf } from '#transport/http/authenticate.ts'
import { readBody } from '#transport/http/body.ts'
import { type OpenSessionPorts, openSession } from '#transport/http/open-session.ts'
import type { Call, Route } from '#transport/http/route.ts'

export interface InvitationPorts extends LinkPorts, OpenSessionPorts {
  readonly writer: Writer
  readonly users: Pick<UserRows, 'findInvited'>
  readonly hashPassword: (password: string) => Promise<string>
}

/** The route with which an invited person chooses a password. */
export function invitationRoutes(ports: InvitationPorts): Route[] {
  return [
    {
      method: 'post',
      path: '/api/v1/invitations',
      access: 'public',
      body: 'json',
      credential: 'body',
      operation: {
        id: 'takeInvitation',
        tag: 'users',
        summary: 'Choose a password with an invitation link, and log in',
        description:
          'The link works once and for seven days. The answer and its cookie are those of a login with a ' +
          'browser. 404: the invitation is wrong, was taken, is too old, or was replaced by a newer one.',
        request: TakeInvitationRequest,
        response: OpenedSessionResource,
        problems: [400, 404, 413, 415, 429, 503],
        example: {
          request: { token: 'inv_EXAMPLE', password: 'correct horse battery' },
          data: {
            id: 'ses_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
            account: { email: 'ada@example.com', plan: 'pro', role: 'operator' },
            expiresAt: '2026-03-02T12:00:00.000Z',
            half: 'HALF_EXAMPLE',
          },
        },
      },
      handle: call => takeInvitation(ports, call),
    },
  ]
}

async function takeInvitation(ports: InvitationPorts, call: Call) {
  const { writer, users, hashPassword, wallMs } = ports
  const { token, password } = readBody(TakeInvitationRequest, call.json)
  const known = () => isInvited(users.findInvited(hashOf(token)), wallMs())
  admitLink(ports, call, { what: 'invitation', known })
  const passwordHash = await hashPassword(password)
  return openSession(ports, call, await writer.ask('invitation.take', { token, passwordHash }))
}
