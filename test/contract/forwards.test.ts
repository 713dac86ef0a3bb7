/** Forwards over real HTTP and SMTP, to services that behave as each of them documents. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as v from 'valibot'
import { KNOWN } from '#test/kit/chat-services.ts'
import { ForwardingGateway, StrictForward } from '#test/kit/forwarding-gateway.ts'

const BANK = 'Ünïbank'
const CODE = '482913'
const TEXT = `Your code is ${CODE} <b> & @channel`
const HIDDEN = 'Your code is ****** <b> & @channel'

const rig = new ForwardingGateway()
const { services, mails } = rig
const call = rig.call.bind(rig)
const create = rig.create.bind(rig)
const settled = rig.settled.bind(rig)
const at = rig.at.bind(rig)

before(() => rig.start())
after(() => rig.stop())

test('every kind passes a received text on, and the code appears nowhere', async () => {
  const { gateway, phone, receiver } = rig
  const all = Object.entries(await rig.settingsOfAll())
  const forwards = await Promise.all(
    all.map(([kind, fields]) => create({ ...fields, kind, name: kind, contains: 'CODE IS' })),
  )
  await phone.reportReceived({ id: 'one', from: BANK, message: TEXT })
  await phone.reportReceived({ id: 'two', from: BANK, message: 'nothing of note' })
  const deliveries = await settled()
  const ended = deliveries.map(({ forwardId, status, lastError, lastResponseStatus }) => {
    const kind = forwards.find(({ id }) => id === forwardId)?.kind
    return `${kind} ${status} ${lastResponseStatus} ${lastError}`
  })
  const ok = { discord: 204, email: 250 } as Readonly<Record<string, number>>
  assert.deepEqual(
    ended.toSorted(),
    forwards.map(({ kind }) => `${kind} delivered ${ok[kind] ?? 200} null`).toSorted(),
  )
  const title = `Text from ${BANK}`
  const together = `${title}:\n${HIDDEN}`
  const chat = (service: string, text = together) => ({ service, title: null, text })
  assert.deepEqual(
    services.shown.toSorted((a, b) => a.service.localeCompare(b.service)),
    [
      chat('discord'),
      { service: 'gotify', title, text: HIDDEN },
      chat('matrix'),
      { service: 'ntfy', title, text: HIDDEN },
      chat('slack', together.replace('@channel', '@\u200bchannel')),
      chat('telegram'),
    ],
  )
  const [sent] = await phone.whenSent(1)
  assert.deepEqual([sent?.phoneNumber, sent?.message], ['+14155550201', together])
  const [mail = ''] = mails
  assert.match(mail, /^Subject: =\?UTF-8\?/m)
  assert.match(mail, /^To: ada@example\.net\r$/m)
  assert.match(mail, /^Message-ID: <evt_\w+@roost>\r$/m)
  assert.match(mail, /Your code is \*{6} <b> & @channel/)
  const everything = JSON.stringify([receiver.requests, mails, deliveries, gateway.log, sent])
  assert.ok(!everything.includes(CODE))
  for (const { id } of forwards) await call('DELETE', `/forwards/${id}`)
})

test('a forward is made, read, changed and removed, and no answer has its credential', async () => {
  const made = await create({
    kind: 'gotify',
    url: at('/gotify'),
    credential: KNOWN.gotify,
    from: ' MyBank ',
  })
  const { id, createdAt, ...rest } = made
  assert.deepEqual(rest, {
    name: 'F',
    kind: 'gotify',
    url: at('/gotify'),
    target: null,
    hasCredential: true,
    from: 'MyBank',
    contains: null,
    codes: false,
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
  })
  assert.ok(Date.parse(createdAt) <= Date.now())
  const changed = await call('PATCH', `/forwards/${id}`, { name: 'Hall', codes: true, kind: 'ntfy' })
  assert.deepEqual(changed.json?.data, { ...made, name: 'Hall', codes: true })
  assert.equal(changed.headers.get('x-roost-ignored'), 'kind')
  const [listed] = (await call('GET', '/forwards')).json?.data ?? []
  assert.deepEqual(listed, changed.json?.data)
  const read = await call('GET', `/forwards/${id}`)
  assert.deepEqual(read.json?.data, listed)
  assert.ok(![changed.text, read.text, JSON.stringify(made)].some(text => text.includes(KNOWN.gotify)))
  const tested = await call('POST', `/forwards/${id}/test`)
  assert.equal(tested.json?.data['forwardId'], id)
  const delivery = (await settled()).find(one => one.id === tested.json?.data['id'])
  assert.equal(delivery?.status, 'delivered')
  assert.match(services.shown.at(-1)?.text ?? '', /test from Roost/)
  await call('PATCH', `/forwards/${id}`, { enabled: false })
  assert.equal((await call('POST', `/forwards/${id}/test`)).status, 409)
  assert.deepEqual((await call('DELETE', `/forwards/${id}`)).json?.data, { id })
  assert.equal((await call('GET', `/forwards/${id}`)).status, 404)
})

test('a wrong credential shows as the answer of the service, without the credential', async () => {
  const wrong = `${KNOWN.telegram}x`
  const { id } = await create({
    kind: 'telegram',
    url: at('/telegram'),
    target: KNOWN.chat,
    credential: wrong,
  })
  const tested = await call('POST', `/forwards/${id}/test`)
  await settled()
  const { text, json } = await call('GET', `/notifications/deliveries/${tested.json?.data['id']}`)
  assert.equal(json?.data['lastResponseStatus'], 401)
  assert.equal(json?.data['url'], null)
  assert.match(text, /Unauthorized/)
  assert.ok(!text.includes('ABC-DEF'))
  const { failingSince } = v.parse(StrictForward, (await call('GET', `/forwards/${id}`)).json?.data)
  assert.ok(failingSince)
  await call('DELETE', `/forwards/${id}`)
})

test('what a kind misses, does not know or may not reach is named', async () => {
  const url = 'https://example.org/x'
  const cases: readonly (readonly [object, string, RegExp])[] = [
    [{ kind: 'ntfy' }, 'url', /is needed for ntfy/],
    [{ kind: 'slack', url, credential: 'x' }, 'credential', /is not used by slack/],
    [{ kind: 'telegram', target: 'my chat', credential: 'x' }, 'target', /the number of a chat/],
    [{ kind: 'matrix', url, target: '#alias:example.org', credential: 'x' }, 'target', /id of a room/],
    [{ kind: 'email', target: 'a@b, c@d' }, 'target', /one e-mail address/],
    [{ kind: 'email', target: 'ada@example.net', url }, 'url', /is not used by email/],
    [{ kind: 'sms', target: 'per_01KG9V0E7M4T0JH0Q4W2Z9R3XB' }, 'target', /a person of this account/],
    [{ kind: 'ntfy', url: 'http://localhost/t' }, 'url', /names this machine/],
    [{ kind: 'ntfy', url: 'http://169.254.169.254/t' }, 'url', /metadata service/],
    [{ kind: 'gotify', url, credential: 'two words' }, 'credential', /without spaces/],
    [{ kind: 'fax' }, 'kind', /must be one of ntfy/],
  ]
  for (const [fields, path, message] of cases) {
    const { status, json, text } = await call('POST', '/forwards', { name: 'F', ...fields })
    assert.equal(status, 400, text)
    const issue = json?.error.details?.issues?.find(one => one.path === path)
    assert.match(issue?.message ?? '', message, text)
  }
  const { id } = await create({ kind: 'gotify', url, credential: 'x' })
  const cleared = await call('PATCH', `/forwards/${id}`, { credential: null })
  assert.equal(cleared.status, 400)
  await call('DELETE', `/forwards/${id}`)
})

test('a credential does not follow an address to another server', async () => {
  const url = at('/gotify')
  const { id } = await create({ kind: 'gotify', url, credential: KNOWN.gotify })
  const moved = { url: 'https://other.example.org/gotify' }
  const refused = await call('PATCH', `/forwards/${id}`, moved)
  assert.equal(refused.status, 400)
  assert.equal(refused.json?.error.details?.issues?.[0]?.path, 'credential')
  assert.equal((await call('PATCH', `/forwards/${id}`, { url: `${url}/` })).status, 200)
  assert.equal((await call('PATCH', `/forwards/${id}`, { ...moved, credential: 'new' })).status, 200)
  await call('DELETE', `/forwards/${id}`)
})

test('only the account’s own token opens forwards', async () => {
  const { id } = await create({ kind: 'slack', url: 'https://hooks.example.org/x' })
  const { gateway, owner } = rig
  const other = await gateway.account('other@example.org')
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/test'],
  ] as const) {
    const json = method === 'PATCH' ? { name: 'x' } : undefined
    assert.equal((await call(method, `/forwards/${id}${path}`, json, other.token)).status, 404)
    const withKey = await gateway.call(method, `/api/v1/forwards/${id}${path}`, { key: owner.liveKey })
    assert.equal(withKey.status, 401)
  }
  assert.deepEqual((await call('GET', '/forwards', undefined, other.token)).json?.data, [])
  await call('DELETE', `/forwards/${id}`)
})

test('an account has twenty forwards at most', async () => {
  const one = { kind: 'slack', url: 'https://hooks.example.org/x' }
  const { token } = await rig.gateway.account('many@example.org')
  for (let count = 0; count < 20; count++)
    assert.equal((await call('POST', '/forwards', { ...one, name: `${count}` }, token)).status, 200)
  assert.equal((await call('POST', '/forwards', { ...one, name: 'x' }, token)).status, 409)
})
