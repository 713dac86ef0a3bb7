import type * as v from 'valibot'
import { PHONE_NUMBER_LENGTH_MAX } from '#contracts/bounds.ts'
import {
  CreatePersonRequest,
  type PersonFields,
  PersonResource,
  RemovedOnCall,
  UpdatePersonRequest,
} from '#contracts/on-call.ts'
import { describePerson } from '#domain/on-call/describe-on-call.ts'
import { regionOf } from '#domain/phone-number/parse-phone-number.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { Validation } from '#transport/http/body.ts'
import { PERSON_ID, PHONE_NUMBER, TIME } from '#transport/http/openapi/example-values.ts'
import { referenceOf, withoutUndefined } from '#transport/http/read-change.ts'
import { resourceRoutes } from '#transport/http/resource-routes.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type PeoplePorts = Pick<RoutePorts, 'writer' | 'onCall' | 'numbers' | 'defaultCountry' | 'machineZone'>

const GIVEN = {
  name: 'Ada',
  phoneNumber: PHONE_NUMBER,
  timeZone: 'Europe/Berlin',
  quiet: { from: '22:00', to: '07:00', below: 'critical' },
}

/** The routes of people who can be told of incidents. */
export function peopleRoutes(ports: PeoplePorts): Route[] {
  const { writer, onCall, machineZone } = ports
  return resourceRoutes({
    path: '/api/v1/people',
    tag: 'onCall',
    named: ['Person', 'People'],
    word: 'person',
    ofId: 'Id of the person, from the list of people.',
    byKey: true,
    words: {
      list: ['List the people who can be told of incidents', 'The oldest first; an account has at most 200.'],
      get: 'A person',
      create: ['Add a person', '409: another person has this number, or the account has 200 people.'],
      update: [
        'Change a person',
        'Fields that are left out stay unchanged. 409: another person has this number.',
      ],
      remove: [
        'Remove a person',
        '409: a rota, group, policy or webhook names the person; the message lists them.',
      ],
    },
    schemas: {
      create: CreatePersonRequest,
      update: UpdatePersonRequest,
      item: PersonResource,
      removed: RemovedOnCall,
    },
    example: [GIVEN, { ...GIVEN, id: PERSON_ID, createdAt: TIME }, { quiet: null }],
    problems: { update: [409], remove: [409] },
    rows: onCall.person,
    show: person => describePerson(person, machineZone()),
    create: call => {
      const { country = null, ...fields } = readPerson(ports, CreatePersonRequest, call)
      const { accountId } = call.principal
      return writer.ask('person.create', { accountId, fields: { ...fields, country } }, call.by)
    },
    update: call => {
      const change = withoutUndefined(readPerson(ports, UpdatePersonRequest, call))
      return writer.ask('person.update', { ...referenceOf(call), change }, call.by)
    },
    remove: call => writer.ask('on-call.remove', { ...referenceOf(call), kind: 'person' }, call.by),
  })
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
  // The schema refuses numbers that are too long.
  if (String(written).length <= PHONE_NUMBER_LENGTH_MAX) validation.add('phoneNumber', number)
  return validation.complete(validation.parse(schema, json))
}
