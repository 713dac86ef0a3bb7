import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import {
  CreateForwardRequest,
  type ForwardFields,
  ForwardResource,
  RemovedForward,
  UpdateForwardRequest,
} from '#contracts/forward.ts'
import { DeliveryResource } from '#contracts/notification.ts'
import { findForwardIssues } from '#domain/forward/adapters.ts'
import { describeForward } from '#domain/forward/describe-forward.ts'
import type { Forward } from '#domain/forward/forward.ts'
import type { ForwardRows } from '#domain/forward/forward-store.ts'
import type { OnCallRows } from '#domain/on-call/on-call-store.ts'
import { notFound } from '#domain/problem.ts'
import { rightFields, Validation } from '#transport/http/body.ts'
import { FORWARD_ID, TIME } from '#transport/http/openapi/example-values.ts'
import { onCallReference, withoutUndefined } from '#transport/http/read-change.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import { PENDING_DELIVERY } from '#transport/http/routes/deliveries.ts'
import { accountOf } from '#transport/http/routes/notifications.ts'

interface ForwardPorts {
  readonly writer: Writer
  readonly forwards: ForwardRows
  /** For the people of forwards of the kind `sms`. */
  readonly onCall: Pick<OnCallRows, 'person'>
  /** Says why a URL is refused as a target; null: it is allowed. */
  readonly refusalOfTarget: (url: string, isSandbox: boolean) => string | null
  /** Whether `[mail]` names a server. */
  readonly canMail: () => boolean
}

const PATH = '/api/v1/forwards'
const GIVEN = {
  name: 'My phone',
  kind: 'ntfy',
  url: 'https://ntfy.sh/a-long-secret-topic',
  contains: 'parcel',
}
const FORWARD = {
  ...GIVEN,
  id: FORWARD_ID,
  target: null,
  hasCredential: false,
  from: null,
  codes: false,
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  createdAt: TIME,
}
const OF_FORWARD = {
  id: { description: 'Id of the forward, from the list of forwards.', example: FORWARD_ID },
}

/** The routes of forwards, which pass received texts on. */
export function forwardRoutes(ports: ForwardPorts): Route[] {
  return [...readingRoutes(ports), ...changingRoutes(ports), removalRoute(ports), testRoute(ports)]
}

function readingRoutes({ forwards }: ForwardPorts): Route[] {
  return [
    {
      method: 'get',
      path: PATH,
      access: 'account',
      role: 'owner',
      body: 'none',
      operation: {
        id: 'listForwards',
        tag: 'forwards',
        summary: 'List where received texts are passed on to',
        description: 'The oldest first; an account has at most 20.',
        response: v.array(ForwardResource),
        problems: [401, 429, 503],
        example: { data: [FORWARD] },
      },
      handle: ({ principal }) => ({ data: forwards.list(principal.accountId).map(describeForward) }),
    },
    {
      method: 'get',
      path: `${PATH}/{id}`,
      access: 'account',
      role: 'owner',
      body: 'none',
      operation: {
        id: 'getForward',
        tag: 'forwards',
        summary: 'A forward',
        description: '404: the account has no forward with this id.',
        parameters: OF_FORWARD,
        response: ForwardResource,
        problems: [401, 404, 429, 503],
        example: { data: FORWARD },
      },
      handle({ principal, parameters }) {
        const forward = forwards.find(principal.accountId, parameters[0] ?? '')
        if (forward === undefined) throw notFound('forward')
        return { data: describeForward(forward) }
      },
    },
  ]
}

function changingRoutes(ports: ForwardPorts): Route[] {
  const { writer } = ports
  return [
    {
      method: 'post',
      path: PATH,
      access: 'account',
      role: 'owner',
      body: 'json',
      operation: {
        id: 'createForward',
        tag: 'forwards',
        summary: 'Pass received texts on',
        description:
          'Each text that a phone receives from now on, and that `from` and `contains` choose, is passed ' +
          'on at least once, by the schedule of notifications. Answers to incidents are not. 400: a ' +
          'setting that the kind needs is missing, or the URL leads to a forbidden target. 409: the ' +
          'account has 20 forwards.',
        request: CreateForwardRequest,
        response: ForwardResource,
        problems: [400, 401, 409, 413, 415, 429, 503],
        example: { request: GIVEN, data: FORWARD },
      },
      handle: async call => {
        const fields = readForward(ports, { schema: CreateForwardRequest, before: NO_SETTINGS }, call)
        return { data: await writer.ask('forward.create', { ...accountOf(call), fields }, call.by) }
      },
    },
    {
      method: 'patch',
      path: `${PATH}/{id}`,
      access: 'account',
      role: 'owner',
      body: 'json',
      operation: {
        id: 'updateForward',
        tag: 'forwards',
        summary: 'Change a forward',
        description:
          'Fields that are left out stay unchanged, also the credential. What waits goes to the new target.',
        parameters: OF_FORWARD,
        request: UpdateForwardRequest,
        response: ForwardResource,
        problems: [400, 401, 404, 413, 415, 429, 503],
        example: { request: { enabled: false }, data: { ...FORWARD, enabled: false } },
      },
      handle: async call => {
        const which = onCallReference(call)
        const known = ports.forwards.find(which.accountId, which.id)
        if (known === undefined) throw notFound('forward')
        const change = withoutUndefined(
          readForward(ports, { schema: UpdateForwardRequest, before: known }, call),
        )
        return { data: await writer.ask('forward.update', { ...which, change }, call.by) }
      },
    },
  ]
}

function removalRoute({ writer }: ForwardPorts): Route {
  return {
    method: 'delete',
    path: `${PATH}/{id}`,
    access: 'account',
    role: 'owner',
    body: 'none',
    operation: {
      id: 'deleteForward',
      tag: 'forwards',
      summary: 'Remove a forward',
      description: 'What waits for it is cancelled.',
      parameters: OF_FORWARD,
      response: RemovedForward,
      problems: [401, 404, 429, 503],
      example: { data: { id: FORWARD_ID } },
    },
    handle: async call => ({ data: await writer.ask('forward.remove', onCallReference(call), call.by) }),
  }
}

function testRoute({ writer }: ForwardPorts): Route {
  return {
    method: 'post',
    path: `${PATH}/{id}/test`,
    access: 'account',
    role: 'owner',
    body: 'none',
    operation: {
      id: 'testForward',
      tag: 'forwards',
      summary: 'Pass a sample text on',
      description: 'Look at the delivery to see how it ends. 409: the forward is switched off.',
      parameters: OF_FORWARD,
      response: DeliveryResource,
      problems: [401, 404, 409, 429, 503],
      example: {
        data: { ...PENDING_DELIVERY, event: 'sms.received', url: null, forwardId: FORWARD_ID, attempts: 0 },
      },
    },
    handle: async call => ({ data: await writer.ask('forward.test', onCallReference(call), call.by) }),
  }
}

const NO_SETTINGS = { kind: undefined, url: null, target: null, credential: null }

interface Wanted<T> {
  readonly schema: T
  /** The settings before the change; a new forward has none. */
  readonly before: Forward | typeof NO_SETTINGS
}

function readForward<T extends typeof CreateForwardRequest | typeof UpdateForwardRequest>(
  { refusalOfTarget, canMail, onCall }: ForwardPorts,
  { schema, before }: Wanted<T>,
  { principal, json }: AuthorizedCall,
): v.InferOutput<T> {
  const validation = new Validation()
  const parsed = validation.parse(schema, json)
  const right = rightFields(schema, json) as Partial<ForwardFields>
  const { kind, ...settings } = { ...before, ...right }
  const fault = right.url == null ? null : refusalOfTarget(right.url, false)
  if (fault !== null) validation.add('url', fault)
  if (right.kind === 'email' && !canMail())
    validation.add('kind', 'email needs mail.smtp_url and mail.from in the configuration')
  if (kind === undefined) return validation.complete(parsed)
  const isPerson = (id: string) => onCall.person(principal.accountId, id) !== undefined
  const issues = findForwardIssues({ ...settings, kind }, isPerson)
  // The schema has reported what is wrong by itself.
  validation.addAll(issues.filter(({ path }) => path in right))
  return validation.complete(parsed)
}
