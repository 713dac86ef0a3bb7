/** SMSGate's 3rd-party API: sends a text to several numbers in one call, and shows the state of each. */
import { TTL_S_MAX } from '#contracts/bounds.ts'
import { isDeviceGroup } from '#contracts/device-group.ts'
import type { Message } from '#domain/message/message.ts'
import { invalid, notFound } from '#domain/problem.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import {
  type Caller,
  fieldsOf,
  integerOf,
  OPTED_OUT_WORDS,
  sendTexts,
} from '#transport/http/dialects/send-texts.ts'
import { listForSmsgate } from '#transport/http/dialects/smsgate-list.ts'
import { SMSGATE_STATES, smsgateStateOf } from '#transport/http/dialects/smsgate-state.ts'
import { admitScope, allowedCaller } from '#transport/http/dialects/smsgate-token.ts'
import { tokenRoutesAt } from '#transport/http/dialects/smsgate-token-calls.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import { skipsValidation } from '#transport/http/read-send.ts'
import type { Call, Route } from '#transport/http/route.ts'
import { sendTimeOf } from '#transport/http/send-time.ts'
import { refusalText, refuseAs, shapedJson } from '#transport/http/shaped-answer.ts'

/** From this priority on, the SMSGate app skips its own delays. */
const PRIORITY_HIGH = 100
/**
 * The format of an id that a client chooses: the longest that SMSGate accepts, and only characters that are
 * valid in a path.
 */
const ID = /^[\w.~:@+-]{1,36}$/
const NAMES = { to: 'phoneNumbers', message: 'textMessage.text', simSlot: 'simNumber', sendAt: 'scheduleAt' }

const READS = [
  ...['id', 'textMessage', 'message', 'priority', 'isEncrypted'],
  ...['ttl', 'validUntil', 'deviceId', 'skipPhoneValidation'],
]

export function smsgateRoutes(ports: DialectPorts): Route[] {
  return ['/3rdparty/v1', '/api/3rdparty/v1'].flatMap(base => routesAt(base, ports))
}

/** The routes below one base path. Clients use singular and plural names, so both are served. */
function routesAt(base: string, ports: DialectPorts): Route[] {
  const shared = { access: 'public', counted: false, refusal } as const
  const read = { ...shared, method: 'get', body: 'none' } as const
  const write = { ...shared, method: 'post', body: 'bytes' } as const
  const messages = { path: `${base}/messages`, aliases: [`${base}/message`] }
  const message = { path: `${base}/messages/{id}`, aliases: [`${base}/message/{id}`] }
  const devices = { path: `${base}/devices`, aliases: [`${base}/device`] }
  return [
    {
      ...write,
      ...messages,
      admit: admitScope(ports, {
        scope: 'messages:send',
        handle: (call, caller) => send(ports, call, { caller, path: messages.path }),
      }),
    },
    { ...read, ...messages, handle: (call: Call) => listForSmsgate(ports, call) },
    { ...read, ...message, handle: (call: Call) => show(ports, call) },
    { ...read, ...devices, handle: (call: Call) => listDevices(ports, call) },
    { ...read, path: `${base}/health`, handle: health },
    ...tokenRoutesAt(base, ports, { refusal }),
  ]
}

const OPTED_OUT = `OPTED_OUT: ${OPTED_OUT_WORDS}`

interface Sending {
  readonly caller: Caller
  readonly path: string
}

async function send(ports: DialectPorts, call: Call, { caller, path }: Sending) {
  const fields = fieldsOf(call)
  const name = nameOf(fields['id'])
  const { text } = (fields['textMessage'] ?? {}) as { text?: unknown }
  const { sent, optedOut } = await sendTexts(ports, caller, {
    fields: { ...Object.fromEntries(readQuery(call.rawQuery)), ...fields },
    reads: READS,
    message: text ?? fields['message'],
    ...ttlOf(fields, ports.wallMs()),
    priority: Number(fields['priority'] ?? 0) >= PRIORITY_HIGH ? 'high' : 'normal',
    simSlot: integerOf(fields['simNumber']),
    skipPhoneValidation: skipsValidation(call),
    ...phonesOf(String(fields['deviceId'] ?? '')),
    call: name === null ? 'first' : { given: name },
  })
  const messages = sent.map(({ messageId }) => find(ports, caller, messageId))
  const id = name ?? messages[0]?.id ?? ''
  const state = smsgateStateOf(id, messages)
  const left = optedOut.map(phoneNumber => ({ phoneNumber, state: SMSGATE_STATES.failed, error: OPTED_OUT }))
  const answer = { ...state, recipients: [...state.recipients, ...left] }
  return { ...shapedJson(answer, 202), headers: { Location: `${path}/${id}` } }
}

/** The phone or group of phones that shall send. An id that the app itself made is no phone here. */
function phonesOf(id: string) {
  if (id.startsWith('dev_')) return { deviceId: id }
  return isDeviceGroup(id) ? { deviceGroupId: id } : {}
}

/** The id that the client gives to the call; null: it gives none. */
function nameOf(given: unknown): string | null {
  if (given == null || given === '') return null
  if (typeof given === 'string' && ID.test(given)) return given
  throw invalid([{ path: 'id', message: 'must be 1 to 36 letters, digits or characters of _.~:@+-' }])
}

/**
 * The time to live in seconds, from `ttl` or `validUntil`; it begins at `scheduleAt`. If `validUntil` is too
 * late, the maximum.
 */
function ttlOf({ ttl, validUntil, scheduleAt }: Record<string, unknown>, wallMs: number) {
  if (ttl != null || validUntil == null) return { ttl: integerOf(ttl), names: NAMES }
  const begin = Date.parse(String(sendTimeOf(scheduleAt, wallMs))) || wallMs
  const seconds = Math.round((Date.parse(String(validUntil)) - begin) / 1000)
  return { ttl: Math.min(seconds, TTL_S_MAX), names: { ...NAMES, ttl: 'validUntil' } }
}

async function show(ports: DialectPorts, call: Call) {
  const caller = await allowedCaller(ports, call, 'messages:read')
  const [id = ''] = call.parameters
  const { accountId, test } = caller.principal
  const messages = ports.messages.findCall({ accountId, test, name: id })
  return shapedJson(smsgateStateOf(id, messages.length > 0 ? messages : [find(ports, caller, id)]))
}

async function listDevices(ports: DialectPorts, call: Call) {
  const { principal } = await allowedCaller(ports, call, 'devices:list')
  const devices = await ports.writer.ask('device.list', { accountId: principal.accountId })
  return shapedJson(
    devices.map(({ deviceId, name, lastSeen }) => ({
      id: deviceId,
      name,
      lastSeen,
      createdAt: lastSeen,
      updatedAt: lastSeen,
    })),
  )
}

function health() {
  return shapedJson({ status: 'pass', version: 'roost', releaseId: 1, checks: {} })
}

function find({ messages }: DialectPorts, { principal }: Caller, id: string): Message {
  const message = messages.find(principal.accountId, principal.test, id)
  if (message === undefined) throw notFound('message')
  return message
}

const refusal = refuseAs((problem, status) => ({ message: refusalText(problem), code: status }))
