/**
 * Who may call each route of the other gateways' APIs. Each row is a request, with the status of the answer
 * for every kind of credential.
 */
import { basic } from '#test/kit/dialect-client.ts'
import type { CallOptions } from '#test/kit/gateway.ts'

export const DIALECT_CREDENTIALS = [
  'nothing',
  'live key',
  'test key',
  'key of another account',
  'revoked key',
  'wrong key',
  'webhook token',
  'account token',
  'device token',
  'session',
  'token from the live key',
  'token from the test key',
  'token to read',
  'token from a revoked key',
] as const
export type DialectCredential = (typeof DIALECT_CREDENTIALS)[number]

export interface DialectRow {
  /** The request, with this secret in the place for the credential. */
  readonly ask: (secret: string) => CallOptions & { readonly path: string }
  readonly expect: Readonly<Record<DialectCredential, number>>
  /** A success sends a text. */
  readonly texts?: true
}

const TO = '+14155550123'
const TEXT = 'hello'

function all(status: number): Record<DialectCredential, number> {
  return Object.fromEntries(DIALECT_CREDENTIALS.map(name => [name, status])) as Record<
    DialectCredential,
    number
  >
}

/** A route that anybody may call. */
const anybody = { expect: all(200) }

/**
 * A route that sends a text with a key. `status`: with a key of the owner. `refused`: without a key. The
 * other account has no phone, so its key gets 503.
 */
function sends(status: number, refused = 401) {
  const keys = { 'live key': status, 'test key': status, 'key of another account': 503 }
  return { expect: { ...all(refused), ...keys }, texts: true } as const
}

/**
 * A route that shows texts or devices. The live key always gets 200. `ofOthers`: with the other two keys,
 * which cannot see the texts of the live key.
 */
function shows(status = 200, ofOthers = status) {
  const keys = { 'live key': 200, 'test key': ofOthers, 'key of another account': ofOthers }
  return { expect: { ...all(401), ...keys } }
}

/** A route that triggers a webhook. `refused`: with a wrong credential; `without`: with none. */
function triggers(refused: number, without = refused) {
  const rest = { nothing: without, session: without, 'webhook token': 200 }
  return { expect: { ...all(refused), ...rest }, texts: true } as const
}

const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const asPassword = (secret: string) => ({ headers: { Authorization: basic(secret) } })
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** A request of SMSGate's API: a key is sent as password, anything else as Bearer, as its clients do. */
function ofSmsgate(path: string, more: CallOptions = {}) {
  return (secret: string) => ({
    path,
    headers: { Authorization: secret.startsWith('sk_') ? basic(secret) : `Bearer ${secret}` },
    ...more,
  })
}

function smsgateRows(base: string): Readonly<Record<string, DialectRow>> {
  const json = { textMessage: { text: TEXT }, phoneNumbers: [TO] }
  const sent = sends(202)
  const tokens = (live: number, test: number, reader: number) => ({
    'token from the live key': live,
    'token from the test key': test,
    'token to read': reader,
  })
  const keys = (status: number) => ({
    'live key': status,
    'test key': status,
    'key of another account': status,
  })
  return {
    [`post ${base}/messages`]: {
      ...sent,
      ask: ofSmsgate(`${base}/message`, { json }),
      expect: { ...sent.expect, ...tokens(202, 202, 403) },
    },
    [`get ${base}/messages`]: {
      ask: ofSmsgate(`${base}/messages`),
      expect: { ...shows().expect, ...tokens(200, 200, 403) },
    },
    [`get ${base}/messages/{id}`]: {
      ask: ofSmsgate(`${base}/messages/MESSAGE`),
      expect: { ...shows(200, 404).expect, ...tokens(200, 404, 200) },
    },
    [`get ${base}/devices`]: {
      ask: ofSmsgate(`${base}/devices`),
      expect: { ...shows().expect, ...tokens(200, 200, 403) },
    },
    [`get ${base}/health`]: { ask: () => ({ path: `${base}/health` }), ...anybody },
    [`post ${base}/auth/token`]: {
      ask: ofSmsgate(`${base}/auth/token`, { json: { ttl: 60, scopes: ['messages:send'] } }),
      expect: { ...all(401), ...keys(201), ...tokens(201, 201, 403) },
    },
    // Needs a token of its own kind, which only `auth/token` issues.
    [`post ${base}/auth/token/refresh`]: {
      ask: ofSmsgate(`${base}/auth/token/refresh`),
      expect: { ...all(401), ...keys(403), ...tokens(403, 403, 403) },
    },
    [`delete ${base}/auth/token/{jti}`]: {
      ask: ofSmsgate(`${base}/auth/token/none`),
      expect: { ...all(401), ...keys(204), ...tokens(204, 204, 403) },
    },
  }
}

const SIGNAL = { message: TEXT, recipients: [TO] }
const TWILIO = '/2010-04-01/Accounts/AC0/Messages'

/** `MESSAGE` and `SID` in a path are placeholders for a text sent with the owner's live key. */
export const DIALECT_ROWS: Readonly<Record<string, DialectRow>> = {
  'post /message': {
    ask: token => ({ path: `/message?${query({ token })}`, json: { message: TEXT } }),
    ...triggers(401),
  },
  'get /version': { ask: () => ({ path: '/version' }), ...anybody },
  'get /health': { ask: () => ({ path: '/health' }), ...anybody },
  // A name that cannot be a topic is an unknown path.
  'post /{token}': { ask: token => ({ path: `/${token || 'none'}`, body: TEXT }), ...triggers(404) },
  'put /{token}': {
    ask: token => ({ path: `/${token || 'none'}`, body: `${TEXT} again` }),
    ...triggers(404),
  },
  ...Object.fromEntries(
    ['post', 'put'].map(method => [
      `${method} /{token}/{sequence}`,
      { ask: token => ({ path: `/${token || 'none'}/7`, body: `${TEXT} by ${method}` }), ...triggers(404) },
    ]) satisfies [string, DialectRow][],
  ),
  ...Object.fromEntries(
    ['publish', 'send', 'trigger'].map(verb => [
      `get /{token}/${verb}`,
      {
        ask: token => ({ path: `/${token || 'none'}/${verb}?${query({ message: `${TEXT} to ${verb}` })}` }),
        ...triggers(404),
      },
    ]) satisfies [string, DialectRow][],
  ),
  'post /': {
    ask: topic => ({ path: '/', json: { topic, message: `${TEXT} in JSON` } }),
    ...triggers(403, 400),
  },
  'put /': {
    ask: topic => ({ path: '/', json: { topic, message: `${TEXT} in JSON by PUT` } }),
    ...triggers(403, 400),
  },
  'post /v2/send': {
    ask: key => ({ path: '/v2/send', ...asPassword(key), json: SIGNAL }),
    ...sends(201),
  },
  'post /signal/{key}/v2/send': {
    ask: key => ({ path: `/signal/${key || 'none'}/v2/send`, json: SIGNAL }),
    ...sends(201),
  },
  'get /v1/about': { ask: () => ({ path: '/v1/about' }), ...anybody },
  'get /v1/health': { ask: () => ({ path: '/v1/health' }), ...anybody },
  'get /signal/{key}/v1/about': { ask: () => ({ path: '/signal/none/v1/about' }), ...anybody },
  'get /signal/{key}/v1/health': { ask: () => ({ path: '/signal/none/v1/health' }), ...anybody },
  'post /api/v2/messages/sms': {
    ask: key => ({
      path: '/api/v2/messages/sms',
      headers: { 'access-token': key },
      json: { to: [TO], text: TEXT },
    }),
    ...sends(200),
  },
  'get /http_api/send_sms': {
    ask: key => ({ path: `/http_api/send_sms?${query({ access_token: key, to: TO, message: TEXT })}` }),
    ...sends(200),
  },
  'post /jsonrpc/sms': {
    ask: key => ({
      path: '/jsonrpc/sms',
      json: { method: 'sms.send_sms', params: { access_token: key, to: TO, message: TEXT } },
    }),
    ...sends(200),
  },
  ...smsgateRows('/3rdparty/v1'),
  ...smsgateRows('/api/3rdparty/v1'),
  'get /cgi-bin/sendsms': {
    ask: password => ({ path: `/cgi-bin/sendsms?${query({ username: 'u', password, to: TO, text: TEXT })}` }),
    ...sends(202, 403),
  },
  'post /cgi-bin/sendsms': {
    ask: password => ({
      path: '/cgi-bin/sendsms',
      headers: FORM,
      body: query({ username: 'u', password, to: TO, text: TEXT }),
    }),
    ...sends(202, 403),
  },
  'get /index.php': {
    ask: h => ({ path: `/index.php?${query({ app: 'ws', u: 'u', h, op: 'pv', to: TO, msg: TEXT })}` }),
    ...sends(200),
  },
  'post /index.php': {
    ask: h => ({
      path: '/?app=ws',
      headers: FORM,
      body: query({ u: 'u', h, op: 'pv', to: TO, msg: TEXT }),
    }),
    ...sends(200),
  },
  [`post ${TWILIO.replace('AC0', '{sid}')}.json`]: {
    ask: key => ({
      path: `${TWILIO}.json`,
      headers: { ...asPassword(key).headers, ...FORM },
      body: query({ To: TO, Body: TEXT }),
    }),
    ...sends(201),
  },
  [`get ${TWILIO.replace('AC0', '{sid}')}.json`]: {
    ask: key => ({ path: `${TWILIO}.json`, ...asPassword(key) }),
    ...shows(),
  },
  [`get ${TWILIO.replace('AC0', '{sid}')}/{id}`]: {
    ask: key => ({ path: `${TWILIO}/SID.json`, ...asPassword(key) }),
    ...shows(200, 404),
  },
  // The text has left already.
  [`post ${TWILIO.replace('AC0', '{sid}')}/{id}`]: {
    ask: key => ({
      path: `${TWILIO}/SID.json`,
      headers: { ...asPassword(key).headers, ...FORM },
      body: query({ Status: 'canceled' }),
    }),
    expect: { ...shows(200, 404).expect, 'live key': 409 },
  },
  'post /v1/messages/send': {
    ask: key => ({
      path: '/v1/messages/send',
      headers: { 'x-api-key': key },
      json: { content: TEXT, to: TO },
    }),
    ...sends(200),
  },
}
