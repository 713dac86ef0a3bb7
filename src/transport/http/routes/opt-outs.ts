import * as v from 'valibot'
import { PAGE_SIZE_DEFAULT } from '#contracts/bounds.ts'
import { noted } from '#contracts/noted.ts'
import { CreateOptOutRequest, OptOutResource, RemovedOptOut } from '#contracts/opt-out.ts'
import { describeOptOut } from '#domain/message/opt-out.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { Validation } from '#transport/http/body.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import { encodeCursor, LIST_FIELDS, readList } from '#transport/http/list-query.ts'
import { PHONE_NUMBER, TIME } from '#transport/http/openapi/example-values.ts'
import { readNumber } from '#transport/http/read-send.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type OptOutPorts = Pick<RoutePorts, 'writer' | 'optOuts' | 'numbers' | 'defaultCountry' | 'shortCodes'>

const PATH = '/api/v1/opt-outs'
const OPT_OUT = { phoneNumber: PHONE_NUMBER, since: TIME, by: 'text' as const }

const ListQuery = v.object({
  phoneNumber: noted(v.optional(v.string()), 'List only this number.', PHONE_NUMBER),
  limit: LIST_FIELDS.limit,
  cursor: LIST_FIELDS.cursor,
})

/** The routes of the numbers that want no more texts. A sandbox key has a list of its own. */
export function optOutRoutes(ports: OptOutPorts): Route[] {
  return knownRoutes({ tag: 'messages', access: 'key', role: 'operator' }, [
    {
      method: 'get',
      path: PATH,
      role: 'viewer',
      operation: {
        id: 'listOptOuts',
        summary: 'List the numbers that want no more texts',
        description:
          'The newest first. A send to one of them is refused with 403 and `details.reason` OPTED_OUT; ' +
          'one-time codes and alerts still go. A sandbox key has a list of its own.',
        query: ListQuery,
        response: v.array(OptOutResource),
        example: { data: [OPT_OUT] },
      },
      handle: call => list(ports, call),
    },
    {
      method: 'post',
      path: PATH,
      operation: {
        id: 'createOptOut',
        summary: 'Put a number on the list of those that want no more texts',
        description:
          'What waits or is planned for it ends as `failed` with OPTED_OUT. A number that is on the list ' +
          'stays as it is. 409: an account has at most 100,000.',
        request: CreateOptOutRequest,
        response: OptOutResource,
        problems: [409],
        example: { request: { phoneNumber: PHONE_NUMBER }, data: { ...OPT_OUT, by: 'owner' } },
      },
      handle: async call => ({
        data: await ports.writer.ask('opt-out.add', readOptOut(ports, call), call.by),
      }),
    },
    {
      method: 'delete',
      path: `${PATH}/{number}`,
      operation: {
        id: 'deleteOptOut',
        summary: 'Take a number off the list of those that want no more texts',
        description: 'A text from the number that says START does the same. 404: it is not on the list.',
        parameters: { number: { description: 'The number, as listed.', example: PHONE_NUMBER } },
        response: RemovedOptOut,
        example: { data: { phoneNumber: PHONE_NUMBER } },
      },
      handle: async call => {
        const which = { ...ownerOf(call), phoneNumber: asStored(ports, call.parameters[0] ?? '') }
        return { data: await ports.writer.ask('opt-out.remove', which, call.by) }
      },
    },
  ])
}

function ownerOf({ principal }: AuthorizedCall) {
  return { accountId: principal.accountId, test: principal.test }
}

function list(ports: OptOutPorts, call: AuthorizedCall) {
  const { query, before } = readList(ListQuery, call)
  const { phoneNumber, limit = PAGE_SIZE_DEFAULT } = query
  const { optOuts, next } = ports.optOuts.list({
    ...ownerOf(call),
    phoneNumber: phoneNumber === undefined ? null : asStored(ports, phoneNumber),
    before: before === null ? null : Number(before),
    limit,
  })
  return { data: optOuts.map(describeOptOut), page: { nextCursor: encodeCursor(next) } }
}

/** The number as the list has it, however it is written. */
function asStored({ numbers, defaultCountry }: OptOutPorts, given: string): string {
  const read = readWrittenNumber(given, defaultCountry(), numbers)
  return typeof read === 'string' ? given : read.e164
}

function readOptOut(ports: OptOutPorts, call: AuthorizedCall) {
  const validation = new Validation()
  const body = validation.parse(CreateOptOutRequest, call.json)
  const isTaken = body?.skipPhoneValidation === true
  const number = readNumber(ports, validation, { json: call.json, isLoose: true, isTaken })
  validation.complete(body)
  return { ...ownerOf(call), phoneNumber: validation.complete(number).e164 }
}
