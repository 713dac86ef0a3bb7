import type * as v from 'valibot'
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
import { existing } from '#domain/problem.ts'
import { rightFields, Validation } from '#transport/http/body.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import { FORWARD_ID, TIME } from '#transport/http/openapi/example-values.ts'
import { referenceOf, withoutUndefined } from '#transport/http/read-change.ts'
import { resourceRoutes } from '#transport/http/resource-routes.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'
import { PENDING_DELIVERY } from '#transport/http/routes/deliveries.ts'
import { accountOf } from '#transport/http/routes/notifications.ts'

type ForwardPorts = Pick<RoutePorts, 'writer' | 'forwards' | 'onCall' | 'refusalOfTarget' | 'canMail'>

const PATH = '/api/v1/forwards'
const OF_ID = 'Id of the forward, from the list of forwards.'
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
/** The routes of forwards, which pass received texts on. */
export function forwardRoutes(ports: ForwardPorts): Route[] {
  const { writer, forwards } = ports
  const routes = resourceRoutes({
    path: PATH,
    tag: 'forwards',
    named: ['Forward', 'Forwards'],
    word: 'forward',
    ofId: OF_ID,
    roles: ['owner', 'owner'],
    words: {
      list: ['List where received texts are passed on to', 'The oldest first; an account has at most 20.'],
      get: 'A forward',
      create: [
        'Pass received texts on',
        'Each text that a phone receives from now on, and that `from` and `contains` choose, is passed ' +
          'on at least once, by the schedule of notifications. Answers to incidents are not. 400: a ' +
          'setting that the kind needs is missing, or the URL leads to a forbidden target. 409: the ' +
          'account has 20 forwards.',
      ],
      update: [
        'Change a forward',
        'Fields that are left out stay unchanged. The credential is needed again if `url` is that of ' +
          'another server. What waits goes to the new target.',
      ],
      remove: ['Remove a forward', 'What waits for it is cancelled.'],
    },
    schemas: {
      create: CreateForwardRequest,
      update: UpdateForwardRequest,
      item: ForwardResource,
      removed: RemovedForward,
    },
    example: [GIVEN, FORWARD, { enabled: false }],
    rows: forwards,
    show: describeForward,
    create: async call => {
      const fields = readForward(ports, { schema: CreateForwardRequest, before: NO_SETTINGS }, call)
      return writer.ask('forward.create', { ...accountOf(call), fields }, call.by)
    },
    update: async call => {
      const which = referenceOf(call)
      const before = existing(forwards, which, 'forward')
      const change = withoutUndefined(readForward(ports, { schema: UpdateForwardRequest, before }, call))
      return writer.ask('forward.update', { ...which, change }, call.by)
    },
    remove: call => writer.ask('forward.remove', referenceOf(call), call.by),
  })
  return [...routes, ...knownRoutes({ tag: 'forwards', role: 'owner' }, [testRoute(ports)])]
}

function testRoute({ writer }: ForwardPorts): KnownRoute {
  return {
    method: 'post',
    path: `${PATH}/{id}/test`,
    operation: {
      id: 'testForward',
      summary: 'Pass a sample text on',
      description: 'Look at the delivery to see how it ends. 409: the forward is switched off.',
      parameters: { id: { description: OF_ID, example: FORWARD_ID } },
      response: DeliveryResource,
      problems: [409],
      example: {
        data: { ...PENDING_DELIVERY, event: 'sms.received', url: null, forwardId: FORWARD_ID, attempts: 0 },
      },
    },
    handle: async call => ({ data: await writer.ask('forward.test', referenceOf(call), call.by) }),
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
  const isPerson = (id: string) => onCall.person.find(principal.accountId, id) !== undefined
  const issues = findForwardIssues({ ...settings, kind }, isPerson)
  // The schema has reported what is wrong by itself.
  validation.addAll(issues.filter(({ path }) => path in right))
  return validation.complete(parsed)
}
