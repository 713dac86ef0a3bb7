import * as v from 'valibot'
import {
  CreateOverrideRequest,
  CreateRotaRequest,
  RemovedOnCall,
  RotaResource,
  TurnResource,
  UpdateRotaRequest,
} from '#contracts/on-call.ts'
import { unknownPeople } from '#domain/on-call/check-people.ts'
import { describeRota } from '#domain/on-call/describe-on-call.ts'
import { turnsFrom } from '#domain/on-call/turns.ts'
import { existing } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import { readBody, rightFields, Validation } from '#transport/http/body.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import { PERSON_ID, ROTA_ID, TIME } from '#transport/http/openapi/example-values.ts'
import { referenceOf, withoutUndefined } from '#transport/http/read-change.ts'
import { resourceRoutes } from '#transport/http/resource-routes.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type RotaPorts = Pick<RoutePorts, 'writer' | 'onCall' | 'wallMs' | 'machineZone'>

/** Two months of turns of a week. */
const TURNS_SHOWN = 8
const OTHER_ID = 'per_01KG9V0E7M4T0JH0Q4W2Z9R3XC'
const OVERRIDE_ID = 'ovr_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
const GIVEN = {
  name: 'Evenings',
  people: [PERSON_ID, OTHER_ID],
  days: 7,
  handover: 'mon 09:00',
  timeZone: 'Europe/Berlin',
}
const ROTA = {
  ...GIVEN,
  id: ROTA_ID,
  onCall: PERSON_ID,
  until: '2026-02-02T08:00:00.000Z',
  overrides: [],
  createdAt: TIME,
}
const OVERRIDE = {
  personId: OTHER_ID,
  from: '2026-02-01T08:00:00.000Z',
  until: '2026-02-01T20:00:00.000Z',
}
const OVERRIDDEN = { ...ROTA, until: OVERRIDE.from, overrides: [{ ...OVERRIDE, id: OVERRIDE_ID }] }
const OF_ID = 'Id of the rota, from the list of rotas.'
const OF_ROTA = { id: { description: OF_ID, example: ROTA_ID } }

/** The routes of rotas, which say whose turn it is. */
export function rotaRoutes(ports: RotaPorts): Route[] {
  const { writer, onCall, wallMs, machineZone } = ports
  const at = () => ({ wallMs: wallMs(), machineZone: machineZone() })
  const routes = resourceRoutes({
    path: '/api/v1/rotas',
    tag: 'onCall',
    named: ['Rota', 'Rotas'],
    word: 'rota',
    ofId: OF_ID,
    byKey: true,
    words: {
      list: ['List rotas, with who is on call', 'The oldest first; an account has at most 20.'],
      get: 'A rota, with who is on call and until when',
      create: [
        'Make a rota',
        'The first person is on call at once. Turns begin at the same local hour all year. 400 names a ' +
          'person that the account does not have. 409: the account has 20 rotas.',
      ],
      update: [
        'Change a rota',
        'Fields that are left out stay unchanged. Whoever is on call stays on call, unless the new list ' +
          'leaves the person out. 409: a policy tells who is next, and only one person would be left.',
      ],
      remove: ['Remove a rota', '409: a policy names the rota; the message lists them.'],
    },
    schemas: {
      create: CreateRotaRequest,
      update: UpdateRotaRequest,
      item: RotaResource,
      removed: RemovedOnCall,
    },
    example: [GIVEN, ROTA, { name: 'Nights' }],
    problems: { update: [409], remove: [409] },
    rows: onCall.rota,
    show: rota => describeRota(rota, at()),
    create: async call => {
      const fields = readRota(ports, CreateRotaRequest, call)
      return writer.ask('rota.create', { accountId: call.principal.accountId, fields }, call.by)
    },
    update: async call => {
      const change = withoutUndefined(readRota(ports, UpdateRotaRequest, call))
      return writer.ask('rota.update', { ...referenceOf(call), change }, call.by)
    },
    remove: call => writer.ask('on-call.remove', { ...referenceOf(call), kind: 'rota' }, call.by),
  })
  const more = [turnsRoute(ports), ...overrideRoutes(ports)]
  return [...routes, ...knownRoutes({ tag: 'onCall', role: 'operator' }, more)]
}

function turnsRoute({ onCall, wallMs, machineZone }: RotaPorts): KnownRoute {
  return {
    method: 'get',
    path: '/api/v1/rotas/{id}/turns',
    access: 'key',
    role: 'viewer',
    operation: {
      id: 'listTurns',
      summary: 'Who is on call now, and in the next turns',
      description:
        `The turn of now and the ${TURNS_SHOWN - 1} next ones. A turn with overrides has several ` +
        'entries. 404: the account has no rota with this id.',
      parameters: OF_ROTA,
      response: v.array(TurnResource),
      example: { data: [{ personId: PERSON_ID, from: TIME, until: ROTA.until, isOverride: false }] },
    },
    handle(call) {
      const rota = existing(onCall.rota, referenceOf(call), 'rota')
      const turns = turnsFrom(rota, { atMs: wallMs(), turns: TURNS_SHOWN, machineZone: machineZone() })
      return {
        data: turns.map(one => ({ ...one, from: instant(one.from), until: instant(one.until) })),
      }
    },
  }
}

function overrideRoutes({ writer }: RotaPorts): KnownRoute[] {
  return [
    {
      method: 'post',
      path: '/api/v1/rotas/{id}/overrides',
      operation: {
        id: 'addOverride',
        summary: 'Put a person in the place of whoever’s turn it is',
        description:
          'The answer is the rota. Where overrides overlap, the newest counts. 400 names a person that the ' +
          'account does not have. 409: the rota has 50 overrides.',
        parameters: OF_ROTA,
        request: CreateOverrideRequest,
        response: RotaResource,
        problems: [409],
        example: { request: OVERRIDE, data: OVERRIDDEN },
      },
      handle: async call => {
        const fields = readBody(CreateOverrideRequest, call.json)
        return { data: await writer.ask('rota.override', { ...referenceOf(call), fields }, call.by) }
      },
    },
    {
      method: 'delete',
      path: '/api/v1/rotas/{id}/overrides/{overrideId}',
      operation: {
        id: 'deleteOverride',
        summary: 'Remove an override',
        description: 'The answer is the rota. 404: there is no such rota, or no such override of it.',
        parameters: {
          ...OF_ROTA,
          overrideId: { description: 'Id of the override, from the rota.', example: OVERRIDE_ID },
        },
        response: RotaResource,
        example: { data: ROTA },
      },
      handle: async call => {
        const overrideId = call.parameters[1] ?? ''
        const which = referenceOf(call)
        return { data: await writer.ask('rota.end-override', { ...which, overrideId }, call.by) }
      },
    },
  ]
}

function readRota<T extends typeof CreateRotaRequest | typeof UpdateRotaRequest>(
  { onCall }: RotaPorts,
  schema: T,
  { principal, json }: AuthorizedCall,
): v.InferOutput<T> {
  const validation = new Validation()
  const parsed = validation.parse(schema, json)
  const { people = [] } = rightFields(CreateRotaRequest, json)
  validation.addAll(unknownPeople(onCall, principal.accountId, people))
  return validation.complete(parsed)
}
