import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import {
  CreatePersonRequest,
  type PersonFields,
  PersonResource,
  RemovedOnCall,
  UpdatePersonRequest,
} from '#contracts/on-call.ts'
import { describePerson } from '#domain/on-call/describe-on-call.ts'
import type { OnCallRows } from '#domain/on-call/on-call-store.ts'
import { regionOf } from '#domain/phone-number/parse-phone-number.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { notFound } from '#domain/problem.ts'
import { Validation } from '#transport/http/body.ts'
import { PERSON_ID, PHONE_NUMBER, TIME } from '#transport/http/openapi/example-values.ts'
import { onCallReference, withoutUndefined } from '#transport/http/read-change.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'

interface PeoplePorts {
  readonly writer: Writer
  readonly onCall: OnCallRows
  readonly numbers: PhoneNumberCache
  /** `messages.default_country`, for numbers without a country code: two letters or empty. */
  readonly defaultCountry: () => string
  /** The time zone of a person without one. */
  readonly machineZone: () => string
}

const GIVEN = {
  name: 'Ada',
  phoneNumber: PHONE_NUMBER,
  timeZone: 'Europe/Berlin',
  quiet: { from: '22:00', to: '07:00', below: 'critical' },
}
const PERSON = { ...GIVEN, id: PERSON_ID, createdAt: TIME }
const OF_PERSON = { id: { description: 'Id of the person, from the list of people.', example: PERSON_ID } }

/** The routes of people who can be told of incidents. */
export function peopleRoutes(ports: PeoplePorts): Route[] {
  return [...readingRoutes(ports), ...changingRoutes(ports), removalRoute(ports)]
}

function readingRoutes({ onCall, machineZone }: PeoplePorts): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/people',
      access: 'key',
      role: 'viewer',
      body: 'none',
      operation: {
        id: 'listPeople',
        tag: 'onCall',
        summary: 'List the people who can be told of incidents',
        description: 'The oldest first; an account has at most 50.',
        response: v.array(PersonResource),
        problems: [401, 429, 503],
        example: { data: [PERSON] },
      },
      handle({ principal }) {
        const people = onCall.people(principal.accountId)
        return { data: people.map(person => describePerson(person, machineZone())) }
      },
    },
    {
      method: 'get',
      path: '/api/v1/people/{id}',
      access: 'key',
      role: 'viewer',
      body: 'none',
      operation: {
        id: 'getPerson',
        tag: 'onCall',
        summary: 'A person',
        description: '404: the account has no person with this id.',
        parameters: OF_PERSON,
        response: PersonResource,
        problems: [401, 404, 429, 503],
        example: { data: PERSON },
      },
      handle({ principal, parameters }) {
        const person = onCall.person(principal.accountId, parameters[0] ?? '')
        if (person === undefined) throw notFound('person')
        return { data: describePerson(person, machineZone()) }
      },
    },
  ]
}

function changingRoutes(ports: PeoplePorts): Route[] {
  const { writer } = ports
  return [
    {
      method: 'post',
      path: '/api/v1/people',
      access: 'account',
      role: 'operator',
      body: 'json',
      operation: {
        id: 'createPerson',
        tag: 'onCall',
        summary: 'Add a person',
        description: '409: another person has this number, or the account has 50 people.',
        request: CreatePersonRequest,
        response: PersonResource,
        problems: [400, 401, 409, 413, 415, 429, 503],
        example: { request: GIVEN, data: PERSON },
      },
      handle: async call => {
        const { country, ...fields } = readPerson(ports, CreatePersonRequest, call)
        const { accountId } = call.principal
        const created = { ...fields, country: country ?? null }
        return { data: await writer.ask('person.create', { accountId, fields: created }, call.by) }
      },
    },
    {
      method: 'patch',
      path: '/api/v1/people/{id}',
      access: 'account',
      role: 'operator',
      body: 'json',
      operation: {
        id: 'updatePerson',
        tag: 'onCall',
        summary: 'Change a person',
        description: 'Fields that are left out stay unchanged. 409: another person has this number.',
        parameters: OF_PERSON,
        request: UpdatePersonRequest,
        response: PersonResource,
        problems: [400, 401, 404, 409, 413, 415, 429, 503],
        example: { request: { quiet: null }, data: { ...PERSON, quiet: null } },
      },
      handle: async call => {
        const change = withoutUndefined(readPerson(ports, UpdatePersonRequest, call))
        return { data: await writer.ask('person.update', { ...onCallReference(call), change }, call.by) }
      },
    },
  ]
}

function removalRoute({ writer }: PeoplePorts): Route {
  return {
    method: 'delete',
    path: '/api/v1/people/{id}',
    access: 'account',
    role: 'operator',
    body: 'none',
    operation: {
      id: 'deletePerson',
      tag: 'onCall',
      summary: 'Remove a person',
      description: '409: a rota, group, policy or webhook names the person; the message lists them.',
      parameters: OF_PERSON,
      response: RemovedOnCall,
      problems: [401, 404, 409, 429, 503],
      example: { data: { id: PERSON_ID } },
    },
    handle: async call => ({
      data: await writer.ask('on-call.remove', { ...onCallReference(call), kind: 'person' }, call.by),
    }),
  }
}

/** The fields of a person, with the number in E.164 and its country, if the body has one. */
function readPerson<T extends typeof CreatePersonRequest | typeof UpdatePersonRequest>(
  { numbers, defaultCountry }: PeoplePorts,
  schema: T,
  call: AuthorizedCall,
): v.InferOutput<T> & { readonly country?: PersonFields['country'] } {
  const validation = new Validation()
  const json = call.json as { readonly phoneNumber?: unknown }
  const { phoneNumber: written } = json
  const number = typeof written === 'string' ? readWrittenNumber(written, defaultCountry(), numbers) : null
  if (number === null) return validation.complete(validation.parse(schema, json))
  if (typeof number !== 'string') {
    const parsed = validation.parse(schema, { ...json, phoneNumber: number.e164 })
    return { ...validation.complete(parsed), country: regionOf(number) }
  }
  // The schema refuses numbers without +.
  if (String(written).startsWith('+')) validation.add('phoneNumber', number)
  return validation.complete(validation.parse(schema, json))
}
