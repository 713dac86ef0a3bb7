/** Who may call each route: the status and code of the answer for every kind of credential. */

export const CREDENTIALS = [
  'nothing',
  'live key',
  'test key',
  'token',
  'key of another account',
  'token of another account',
  'revoked key',
  'expired token',
  'device token',
  'device token as key',
  'token of an app',
  'garbage',
  'key as token',
  'key as password',
  'session',
  'cookie alone',
  'half alone',
] as const
export type Credential = (typeof CREDENTIALS)[number]

interface Row {
  readonly json?: unknown
  /** What to put for the `{…}` in the path. */
  readonly at?: string
  readonly expect: Readonly<Record<Credential, string>>
}

const DENIED = '401 UNAUTHORIZED'
const MISSING = '404 NOT_FOUND'
const INVALID = '400 INVALID_REQUEST'
const NO_PHONE = '503 NO_DEVICE_AVAILABLE'

const nobody = Object.fromEntries(CREDENTIALS.map(name => [name, DENIED])) as Record<Credential, string>

interface ByKey {
  readonly live: string
  readonly test: string
  readonly other: string
}

/** A route that accepts keys and tokens; a token counts as a live key. */
function byKey({ live, test, other }: ByKey): Row['expect'] {
  return {
    ...nobody,
    'live key': live,
    'test key': test,
    token: live,
    session: live,
    'key of another account': other,
    'token of another account': other,
    'key as token': live,
    'key as password': live,
  }
}

/** A route that accepts tokens and sessions. */
function byToken(own: string, other = own): Row['expect'] {
  return { ...nobody, token: own, session: own, 'token of another account': other }
}

/**
 * A route that accepts the token of a phone with SMSGate's app. The app expects refusals in its own format.
 */
function byApp(own: string): Row['expect'] {
  const refused = Object.fromEntries(CREDENTIALS.map(name => [name, '401'])) as Record<Credential, string>
  return { ...refused, 'token of an app': own }
}

function byAnybody(answer: string): Row['expect'] {
  return Object.fromEntries(CREDENTIALS.map(name => [name, answer])) as Record<Credential, string>
}

export const SMS = { phoneNumber: '+15005550006', message: 'hello' }
export const WEBHOOK = { name: 'alerts', recipients: ['+15005550006'] }
export const PERSON = { name: 'Ada', phoneNumber: '+15005550006' }
const ok = { live: '200', test: '200', other: '200' }
const OF_MESSAGE = { at: 'live message', expect: byKey({ ...ok, test: MISSING, other: MISSING }) } as const
const OF_DEVICE = { at: 'device', expect: byKey({ ...ok, other: MISSING }) } as const

/** `at` names something that the owner has. For another account's credential it does not exist. */
export const ROWS: Readonly<Record<string, Row>> = {
  'post /api/v1/sms/send': {
    json: SMS,
    expect: byKey({ live: NO_PHONE, test: '200', other: NO_PHONE }),
  },
  'get /api/v1/sms': { expect: byKey(ok) },
  'get /api/v1/sms.csv': { expect: byKey(ok) },
  'get /api/v1/sms/{messageId}': OF_MESSAGE,
  'get /api/v1/sms/{messageId}/forecast': OF_MESSAGE,
  'delete /api/v1/sms/{messageId}': {
    at: 'cancelled message',
    expect: byKey({ live: '409 CONFLICT', test: MISSING, other: MISSING }),
  },
  'get /api/v1/received': { expect: byKey(ok) },
  'get /api/v1/received.csv': { expect: byKey(ok) },
  'get /api/v1/overview': { expect: { ...nobody, session: '200' } },
  'get /api/v1/texts': { expect: { ...nobody, session: '200' } },
  'get /api/v1/texts.csv': { expect: { ...nobody, session: '200' } },
  'get /api/v1/received/{id}': {
    at: 'received text',
    expect: byKey({ live: '200', test: MISSING, other: MISSING }),
  },
  'get /api/v1/devices': { expect: byKey(ok) },
  'get /api/v1/devices/{deviceId}': OF_DEVICE,
  'get /api/v1/devices/{deviceId}/history': OF_DEVICE,
  'get /api/v1/devices/{deviceId}/drills': OF_DEVICE,
  'post /api/v1/devices/{deviceId}/drills': { at: 'device', json: {}, expect: byToken(NO_PHONE, MISSING) },
  'patch /api/v1/devices/{deviceId}': {
    at: 'device',
    json: { name: 'kitchen' },
    expect: byToken('200', MISSING),
  },
  'delete /api/v1/devices/{deviceId}': { at: 'spare device', expect: byToken('200', MISSING) },
  'post /api/v1/devices': { json: { kind: 'smsgate' }, expect: byToken(INVALID) },
  'get /api/v1/devices/modems': { expect: byToken('200') },
  'post /api/v1/devices/pairings': { json: {}, expect: byToken('200') },
  'get /api/v1/configuration': { expect: byToken('200') },
  'patch /api/v1/configuration': { json: {}, expect: byToken('403 FORBIDDEN') },
  'get /api/v1/status': { expect: byToken('200') },
  'get /api/v1/usage/days': { expect: byToken('200') },
  'get /api/v1/usage/days.csv': { expect: byToken('200') },
  'get /api/v1/account/usage': { expect: byKey(ok) },
  'post /api/v1/auth/login': {
    json: { email: 'nobody', password: 'x' },
    expect: byAnybody(INVALID),
  },
  'post /api/v1/auth/logout': { expect: { ...byToken('200'), session: '409 CONFLICT' } },
  'post /api/v1/session': { json: { email: 'nobody', password: 'x' }, expect: byAnybody(INVALID) },
  'get /api/v1/live': { expect: byAnybody(INVALID) },
  'get /api/v1/session': { expect: byAnybody('200') },
  'delete /api/v1/session': { expect: { ...byToken(MISSING), session: '200' } },
  'get /api/v1/sessions': { expect: byToken('200') },
  'delete /api/v1/sessions/{id}': { at: 'spare session', expect: byToken('200', MISSING) },
  'patch /api/v1/account': { json: { currentPassword: 'wrong' }, expect: byToken(INVALID) },
  'get /api/v1/keys': { expect: byToken('200') },
  'post /api/v1/keys': { json: { name: 'new' }, expect: byToken('200') },
  'delete /api/v1/keys/{id}': { at: 'spare key', expect: byToken('200', MISSING) },
  'post /api/v1/sms/2fa': {
    json: { phoneNumber: '+15005550006' },
    expect: byKey({ live: NO_PHONE, test: '200', other: NO_PHONE }),
  },
  'post /api/v1/sms/2fa/verify': {
    json: { phoneNumber: '+15005550006', code: '000000' },
    expect: byKey(ok),
  },
  'put /api/v1/notifications': {
    json: { url: 'https://hooks.example.org/roost', events: ['sms.sent'] },
    expect: byToken('200'),
  },
  'get /api/v1/notifications': { expect: byToken('200') },
  // The test asks with the session first, which removes the URL.
  'delete /api/v1/notifications': { expect: { ...byToken('200'), token: MISSING } },
  'post /api/v1/notifications/rotate': { expect: byToken('200') },
  'post /api/v1/notifications/test': { expect: byToken('409 CONFLICT') },
  'get /api/v1/notifications/deliveries': { expect: byToken('200') },
  'get /api/v1/notifications/deliveries/{id}': { at: 'live message', expect: byToken(MISSING) },
  'post /api/v1/notifications/deliveries/{id}/replay': {
    at: 'live message',
    expect: byToken(MISSING),
  },
  'post /api/v1/notifications/deliveries/replay': {
    json: { since: '2026-01-01T00:00:00.000Z' },
    expect: byToken('200', '409 CONFLICT'),
  },
  'post /api/v1/webhook/{token}': { at: 'webhook token', json: SMS, expect: byAnybody('200') },
  'put /api/v1/webhook/{token}': { at: 'webhook token', json: SMS, expect: byAnybody('200') },
  'get /api/v1/webhook/{token}': { at: 'webhook token', expect: byAnybody('200') },
  // It is no ping.
  'post /api/v1/webhook/{token}/{ping}': { at: 'webhook token', json: SMS, expect: byAnybody(MISSING) },
  'get /api/v1/webhook/{token}/{ping}': { at: 'webhook token', expect: byAnybody(MISSING) },
  'get /api/v1/people': { expect: byKey(ok) },
  'get /api/v1/people/{id}': { at: 'person', expect: byKey({ live: '200', test: '200', other: MISSING }) },
  // The second caller of the account makes the same person.
  'post /api/v1/people': { json: PERSON, expect: byToken('200 or 409 CONFLICT') },
  'patch /api/v1/people/{id}': { at: 'person', json: { name: 'Ada' }, expect: byToken('200', MISSING) },
  'delete /api/v1/people/{id}': { at: 'spare person', expect: byToken('200', MISSING) },
  'get /api/v1/rotas': { expect: byKey(ok) },
  'get /api/v1/rotas/{id}': { at: 'rota', expect: byKey({ live: '200', test: '200', other: MISSING }) },
  'get /api/v1/rotas/{id}/turns': {
    at: 'rota',
    expect: byKey({ live: '200', test: '200', other: MISSING }),
  },
  'post /api/v1/rotas': { json: { name: 'Week', people: [] }, expect: byToken(INVALID) },
  'patch /api/v1/rotas/{id}': { at: 'rota', json: { name: 'Month' }, expect: byToken('200', MISSING) },
  'delete /api/v1/rotas/{id}': { at: 'spare rota', expect: byToken('200', MISSING) },
  'post /api/v1/rotas/{id}/overrides': { at: 'rota', json: {}, expect: byToken(INVALID) },
  'delete /api/v1/rotas/{id}/overrides/{overrideId}': { at: 'rota', expect: byToken(MISSING) },
  'get /api/v1/device-groups': { expect: byToken('200') },
  'get /api/v1/device-groups/{id}': { at: 'device group', expect: byToken('200', MISSING) },
  'post /api/v1/device-groups': { json: { name: 'Office', devices: [] }, expect: byToken(INVALID) },
  'patch /api/v1/device-groups/{id}': {
    at: 'device group',
    json: { name: 'Shop' },
    expect: byToken('200', MISSING),
  },
  'delete /api/v1/device-groups/{id}': { at: 'spare device group', expect: byToken('200', MISSING) },
  'get /api/v1/groups': { expect: byKey(ok) },
  'get /api/v1/groups/{id}': { at: 'group', expect: byKey({ live: '200', test: '200', other: MISSING }) },
  'post /api/v1/groups': { json: { name: 'Team', people: [] }, expect: byToken(INVALID) },
  'patch /api/v1/groups/{id}': { at: 'group', json: { name: 'All' }, expect: byToken('200', MISSING) },
  'delete /api/v1/groups/{id}': { at: 'spare group', expect: byToken('200', MISSING) },
  'get /api/v1/policies': { expect: byKey(ok) },
  'get /api/v1/policies/{id}': { at: 'policy', expect: byKey({ live: '200', test: '200', other: MISSING }) },
  'post /api/v1/policies': { json: { name: 'Home', steps: [] }, expect: byToken(INVALID) },
  'patch /api/v1/policies/{id}': { at: 'policy', json: { name: 'House' }, expect: byToken('200', MISSING) },
  'delete /api/v1/policies/{id}': { at: 'spare policy', expect: byToken('200', MISSING) },
  // A policy walks one rehearsal at a time.
  'post /api/v1/policies/{id}/rehearse': {
    at: 'spare policy',
    expect: byToken('200 or 409 CONFLICT', MISSING),
  },
  'get /api/v1/incidents': { expect: byKey(ok) },
  'get /api/v1/incidents/{id}': {
    at: 'incident',
    expect: byKey({ live: '200', test: MISSING, other: MISSING }),
  },
  'post /api/v1/incidents/{id}/take': { at: 'incident', json: {}, expect: byToken('200', MISSING) },
  'post /api/v1/incidents/{id}/next': { at: 'incident', expect: byToken('200', MISSING) },
  // The second caller finds it closed.
  'post /api/v1/incidents/{id}/close': { at: 'incident', expect: byToken('200 or 409 CONFLICT', MISSING) },
  'get /api/v1/audit': { expect: byToken('200') },
  'get /api/v1/users': { expect: byToken('200') },
  'get /api/v1/users/{id}': { at: 'user', expect: byToken('200', MISSING) },
  'post /api/v1/users': { json: { email: 'nobody', role: 'viewer' }, expect: byToken(INVALID) },
  'patch /api/v1/users/{id}': { at: 'user', json: { role: 'viewer' }, expect: byToken('200', MISSING) },
  'delete /api/v1/users/{id}': { at: 'spare user', expect: byToken('200', MISSING) },
  'post /api/v1/invitations': { json: {}, expect: byAnybody(INVALID) },
  'get /api/v1/opt-outs': { expect: byKey(ok) },
  'post /api/v1/opt-outs': { json: { phoneNumber: '+14155550199' }, expect: byKey(ok) },
  'delete /api/v1/opt-outs/{number}': { expect: byKey({ live: MISSING, test: MISSING, other: MISSING }) },
  'get /api/v1/forwards': { expect: byToken('200') },
  'get /api/v1/forwards/{id}': { at: 'forward', expect: byToken('200', MISSING) },
  'post /api/v1/forwards': { json: { name: 'Texts', kind: 'ntfy' }, expect: byToken(INVALID) },
  'patch /api/v1/forwards/{id}': { at: 'forward', json: { name: 'News' }, expect: byToken('200', MISSING) },
  'delete /api/v1/forwards/{id}': { at: 'spare forward', expect: byToken('200', MISSING) },
  'post /api/v1/forwards/{id}/test': { at: 'forward', expect: byToken('200', MISSING) },
  'get /api/v1/webhooks': { expect: byToken('200') },
  'get /api/v1/webhooks/{id}': { at: 'webhook', expect: byToken('200', MISSING) },
  'get /api/v1/webhooks/{id}/triggers': { at: 'webhook', expect: byToken('200', MISSING) },
  'get /api/v1/webhooks/{id}/triggers/{seq}': { at: 'webhook', expect: byToken(MISSING) },
  'get /api/v1/webhooks/{id}/readings': { at: 'webhook', expect: byToken('200', MISSING) },
  'put /api/v1/webhooks/{id}/readings/{shape}': {
    at: 'webhook',
    json: { thing: 'name' },
    // The path has no real shape.
    expect: byToken(INVALID),
  },
  'delete /api/v1/webhooks/{id}/readings/{shape}': { at: 'webhook', expect: byToken(MISSING) },
  'post /api/v1/webhooks': { json: WEBHOOK, expect: byToken('200') },
  'patch /api/v1/webhooks/{id}': { at: 'webhook', json: { name: 'new' }, expect: byToken('200', MISSING) },
  'delete /api/v1/webhooks/{id}': { at: 'spare webhook', expect: byToken('200', MISSING) },
  'post /api/v1/webhooks/{id}/rotate': { at: 'webhook', expect: byToken('200', MISSING) },
  'post /api/v1/webhooks/{id}/test': { at: 'webhook', expect: byToken('200', MISSING) },
  'post /api/v1/webhooks/preview': { json: { payload: SMS }, expect: byToken('200') },
  'get /': { expect: byAnybody('200 or 404 NOT_FOUND') },
  'get /api/v1/docs': { expect: byAnybody('200 or 404 NOT_FOUND') },
  'get /senders': { expect: byAnybody('200') },
  'get /senders/': { expect: byAnybody('200') },
  'get /senders/mail': { expect: byAnybody('200') },
  'get /senders/{file}': { expect: byAnybody(MISSING) },
  'get /console/{file}': { expect: byAnybody(MISSING) },
  'get /handbook': { expect: byAnybody('200 or 404 NOT_FOUND') },
  'get /handbook/{section}': { expect: byAnybody(MISSING) },
  'get /setup': { expect: byAnybody('302') },
  'post /setup': { json: {}, expect: byAnybody(INVALID) },
  'post /device/v1/pair': { json: {}, expect: byAnybody(INVALID) },
  // Called without a code, so it is refused, with a page.
  'get /device/v1/pair': { expect: byAnybody('401') },
  'get /device/v1/agent.mjs': { expect: byAnybody('200 or 404 NOT_FOUND') },
  'get /device/v1/socket': { expect: byAnybody(INVALID) },
  'post /smsgate/v1/device': { json: {}, expect: byApp('401') },
  'patch /smsgate/v1/device': { json: {}, expect: byApp('204') },
  'get /smsgate/v1/device': { expect: byAnybody('200') },
  'get /smsgate/v1/message': { expect: byApp('200') },
  'patch /smsgate/v1/message': { json: [], expect: byApp('204') },
  'get /smsgate/v1/messages': { expect: byApp('200') },
  'patch /smsgate/v1/messages': { json: [], expect: byApp('204') },
  'get /smsgate/v1/webhooks': { expect: byApp('200') },
  'get /smsgate/v1/settings': { expect: byApp('200') },
  'get /smsgate/v1/user/code': { expect: byAnybody('501') },
  'patch /smsgate/v1/user/password': { json: {}, expect: byAnybody('501') },
  'get /smsgate/v1': { expect: byApp('401') },
  'post /smsgate/v1/hook/{device}/{secret}': { at: 'device', json: {}, expect: byApp('401') },
  'get /ca': { expect: byAnybody('404 NOT_FOUND') },
  'get /ca.crt': { expect: byAnybody('404 NOT_FOUND') },
  'get /ca.pem': { expect: byAnybody('404 NOT_FOUND') },
  'get /healthz': { expect: byAnybody('200') },
  'get /readyz': { expect: byAnybody('200') },
  'get /metrics': { expect: byAnybody('200') },
  'get /api/v1/openapi.json': { expect: byAnybody('200') },
}
