import * as v from 'valibot'
import { PAGE_SIZE_DEFAULT } from '#contracts/bounds.ts'
import { INCIDENT_STATES, IncidentResource, TakeIncidentRequest } from '#contracts/incident.ts'
import { noted } from '#contracts/noted.ts'
import { IncidentId, WebhookId } from '#contracts/primitives.ts'
import { describeIncident } from '#domain/incident/describe-incident.ts'
import type { IncidentFilter, IncidentPage } from '#domain/incident/incident-store.ts'
import { notFound } from '#domain/problem.ts'
import { readBody } from '#transport/http/body.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import { encodeCursor, LIST_FIELDS, readList } from '#transport/http/list-query.ts'
import { MESSAGE_ID, PERSON_ID, POLICY_ID, TIME, WEBHOOK_ID } from '#transport/http/openapi/example-values.ts'
import { referenceAs } from '#transport/http/read-change.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type IncidentPorts = Pick<RoutePorts, 'writer' | 'incidents' | 'searches'>

const INCIDENT_ID = 'inc_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
const INCIDENT = {
  id: INCIDENT_ID,
  webhookId: WEBHOOK_ID,
  policyId: POLICY_ID,
  state: 'taken',
  number: 2,
  text: 'DOWN nas: no answer for 60 s',
  key: 'thing:nas',
  severity: null,
  alerts: 1,
  openedAt: TIME,
  takenBy: PERSON_ID,
  takenAt: TIME,
  takenUntil: '2026-01-31T16:00:00.000Z',
  closedAt: null,
  closedBy: null,
  next: null,
  timeline: [
    { at: TIME, event: 'opened', personId: null, messageId: null, detail: null },
    { at: TIME, event: 'told', personId: PERSON_ID, messageId: MESSAGE_ID, detail: null },
    { at: TIME, event: 'taken', personId: PERSON_ID, messageId: null, detail: '240 min' },
  ],
}
const OF_INCIDENT = {
  id: { description: 'Id of the incident, from the list of incidents.', example: INCIDENT_ID },
}
const SHARED = { response: IncidentResource, example: { data: INCIDENT } } as const

/** Routes for incidents: alerts that wait until somebody takes them. */
export function incidentRoutes(ports: IncidentPorts): Route[] {
  return knownRoutes({ tag: 'incidents', role: 'operator' }, [
    ...lookingRoutes(ports),
    ...takingRoutes(ports),
    ...endingRoutes(ports),
  ])
}

function lookingRoutes({ incidents, searches }: IncidentPorts): KnownRoute[] {
  return [
    {
      method: 'get',
      path: '/api/v1/incidents',
      access: 'key',
      role: 'viewer',
      operation: {
        id: 'listIncidents',
        summary: 'List incidents, newest first',
        description: 'Pages work as in the list of messages. A sandbox key gets an empty list.',
        query: ListQuery,
        response: v.array(IncidentResource),
        example: { data: [INCIDENT] },
      },
      handle(call) {
        const filter = readFilter(call)
        return searches.take(filter.accountId, () => {
          const page = call.principal.test ? NO_INCIDENTS : incidents.list(filter)
          return { data: page.incidents.map(describeIncident), page: { nextCursor: encodeCursor(page.next) } }
        })
      },
    },
    {
      method: 'get',
      path: '/api/v1/incidents/{id}',
      access: 'key',
      role: 'viewer',
      operation: {
        ...SHARED,
        id: 'getIncident',
        summary: 'An incident with all that happened',
        description: '404: the account has no incident with this id.',
        parameters: OF_INCIDENT,
      },
      handle({ principal, parameters }) {
        const { accountId, test } = principal
        const incident = test ? undefined : incidents.find(accountId, parameters[0] ?? '')
        if (incident === undefined) throw notFound('incident')
        return { data: describeIncident(incident) }
      },
    },
  ]
}

function takingRoutes({ writer }: IncidentPorts): KnownRoute[] {
  return [
    {
      method: 'post',
      path: '/api/v1/incidents/{id}/take',
      mayBeEmpty: true,
      operation: {
        ...SHARED,
        id: 'takeIncident',
        summary: 'Take an incident',
        description:
          'No further step is told, ringing stops, and everybody who was told gets a text. When the time ' +
          'is over and the incident is not closed, it opens again. 409: it is closed.',
        parameters: OF_INCIDENT,
        request: TakeIncidentRequest,
        problems: [409],
        example: { request: { personId: PERSON_ID, minutes: 60 }, data: INCIDENT },
      },
      async handle(call) {
        const wish = readBody(TakeIncidentRequest, call.json)
        return {
          data: await writer.ask('incident.take', { ...referenceAs('incidentId', call), ...wish }, call.by),
        }
      },
    },
  ]
}

function endingRoutes({ writer }: IncidentPorts): KnownRoute[] {
  return [
    {
      method: 'post',
      path: '/api/v1/incidents/{id}/next',
      operation: {
        ...SHARED,
        id: 'passOnIncident',
        summary: 'Run the next step of an incident at once',
        description:
          'After the last step, the next round or the end of the last one comes at once. 409: the incident ' +
          'is closed, or all its steps are over.',
        parameters: OF_INCIDENT,
        problems: [409],
      },
      handle: async call => ({
        data: await writer.ask('incident.next', referenceAs('incidentId', call), call.by),
      }),
    },
    {
      method: 'post',
      path: '/api/v1/incidents/{id}/close',
      operation: {
        ...SHARED,
        id: 'closeIncident',
        summary: 'Close an incident',
        description: 'Everybody who was told gets a text. 409: it is closed already.',
        parameters: OF_INCIDENT,
        problems: [409],
      },
      handle: async call => ({
        data: await writer.ask('incident.close', referenceAs('incidentId', call), call.by),
      }),
    },
    {
      method: 'post',
      path: '/api/v1/policies/{id}/rehearse',
      operation: {
        ...SHARED,
        id: 'rehearsePolicy',
        summary: 'Walk all steps of a policy as a test',
        description:
          'Opens an incident without a webhook: a step every 10 seconds, one round, and each text begins ' +
          'with TEST. 409: a rehearsal of this policy runs already. 503: no phone is paired.',
        parameters: {
          id: { description: 'Id of the policy, from the list of policies.', example: POLICY_ID },
        },
        problems: [409],
      },
      handle: async call => ({
        data: await writer.ask('policy.rehearse', referenceAs('policyId', call), call.by),
      }),
    },
  ]
}

const NO_INCIDENTS: IncidentPage = { incidents: [], next: null }

const ListQuery = v.object({
  state: noted(v.optional(v.picklist(INCIDENT_STATES)), 'List only incidents in this state.', 'open'),
  webhookId: noted(v.optional(WebhookId), 'List only incidents of this webhook.', WEBHOOK_ID),
  limit: LIST_FIELDS.limit,
  cursor: LIST_FIELDS.cursor,
})

function readFilter(call: AuthorizedCall): IncidentFilter {
  const { query, before } = readList(ListQuery, call, { isPlace: place => v.is(IncidentId, place) })
  const { state = null, webhookId = null, limit = PAGE_SIZE_DEFAULT } = query
  return { accountId: call.principal.accountId, state, webhookId, before, limit }
}
