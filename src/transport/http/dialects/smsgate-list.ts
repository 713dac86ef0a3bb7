import type { MessageStatus } from '#contracts/primitives.ts'
import { ANY_MESSAGE } from '#domain/message/message-reader.ts'
import { Validation } from '#transport/http/body.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { SMSGATE_STATES, smsgateStateOf } from '#transport/http/dialects/smsgate-state.ts'
import { allowedCaller } from '#transport/http/dialects/smsgate-token.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { Call } from '#transport/http/route.ts'
import { shapedJson } from '#transport/http/shaped-answer.ts'

/** Messages per page: by default, and at most. */
const PAGE_DEFAULT = 50
const PAGE_MAX = 100
/** Largest `offset`. To page further back, a client sets `to`. */
const OFFSET_MAX = 1000

/**
 * Answers SMSGate's list of messages, newest first. Query: `state`, `deviceId`, `from`, `to`, `limit`,
 * `offset` and `includeContent`. Each recipient of a call is an entry, with the id of the call.
 */
export async function listForSmsgate(ports: DialectPorts, call: Call) {
  const { principal } = await allowedCaller(ports, call, 'messages:list')
  const query = readQuery(call.rawQuery)
  const { limit, offset, ...wanted } = readFilter(query)
  const { accountId, test } = principal
  const filter = { ...ANY_MESSAGE, ...wanted, accountId, test, limit: offset + limit }
  const { messages } = ports
  const hasContent = query.get('includeContent') === 'true'
  const entries = messages
    .list(filter)
    .messages.slice(offset)
    .map(message => ({
      ...smsgateStateOf(messages.callNameOf(message.id) ?? message.id, [message]),
      ...(hasContent && { textMessage: { text: message.text } }),
    }))
  return { ...shapedJson(entries), headers: { 'X-Total-Count': String(messages.count(filter).all) } }
}

/** @throws Problem INVALID_REQUEST */
function readFilter(query: URLSearchParams) {
  const faults = new Validation()
  const time = (name: string): number | null => {
    const given = query.get(name)
    const at = given === null ? null : Date.parse(given)
    if (!Number.isNaN(at)) return at
    faults.add(name, 'must be a time like 2026-01-31T12:00:00Z')
    return null
  }
  const filter = {
    status: statusOf(query.get('state'), faults),
    deviceId: query.get('deviceId'),
    since: time('from'),
    until: time('to'),
    limit: Math.min(countOf(query.get('limit')) || PAGE_DEFAULT, PAGE_MAX),
    offset: countOf(query.get('offset')),
  }
  if (filter.offset > OFFSET_MAX)
    faults.add('offset', `must be at most ${OFFSET_MAX}: for older messages, set the parameter "to"`)
  faults.throwIfAny()
  return filter
}

function statusOf(state: string | null, faults: Validation): MessageStatus | null {
  if (state === null) return null
  for (const [status, name] of Object.entries(SMSGATE_STATES))
    if (name === state) return status as MessageStatus
  faults.add('state', `must be one of ${Object.values(SMSGATE_STATES).join(', ')}`)
  return null
}

/** A whole number of the query; 0 if it is absent or invalid, so that the default applies. */
function countOf(given: string | null): number {
  return given !== null && /^\d{1,9}$/.test(given) ? Number(given) : 0
}
