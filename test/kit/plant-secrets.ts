/** Sends secrets to a gateway in every place where it takes them, in valid and invalid requests. */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { issueAccountToken } from '#app/auth/account-token.ts'
import type { Cleaner, GatewayProcess } from '#test/kit/gateway-process.ts'
import { RawPhone, SIM_HELLO } from '#test/kit/raw-websocket.ts'
import type { RefusalLog } from '#test/kit/refusal-log.ts'
import { randomWord, type SecretHunt } from '#test/kit/secret-hunt.ts'
import { SmsgatePhone } from '#test/kit/smsgate-phone.ts'

export interface Planting {
  readonly gateway: GatewayProcess
  readonly hunt: SecretHunt
  readonly web: RefusalLog
  /** The owner's credentials, used to send the rest. */
  readonly token: string
  readonly key: string
}

const API = '/api/v1'

export async function plantCredentials({ gateway, hunt, web, token }: Planting): Promise<void> {
  const output = gateway.program.stdout.text
  hunt.plant('first sandbox key', /sk_test_\w+/.exec(output)?.[0] ?? '')
  const setup = hunt.plant('setup link', /setup\/(stp_[\w-]+)/.exec(output)?.[1] ?? '')
  const email = 'owner@localhost'
  const wrong = { token: `stp_${hunt.make('bad input', 32)}`, email, password: hunt.make('password') }
  await web.ask('POST', '/setup', { json: wrong })
  await web.ask('POST', '/setup', {
    json: { token: setup, email, password: hunt.plant('bad input', randomWord(8)) },
  })
  const password = hunt.make('password')
  await web.succeed('POST', '/setup', { json: { token: setup, email, password } })

  const login = (change: object) =>
    web.ask('POST', `${API}/auth/login`, { json: { email, password, ...change } })
  await login({ password: hunt.make('wrong password') })
  await login({ email: 'nobody@example.com', password: hunt.make('wrong password') })
  const tokens = [String((await login({})).data['token']), String((await login({})).data['token'])]
  for (const one of tokens) hunt.plant('account token', one)
  await web.succeed('POST', `${API}/auth/logout`, { token: tokens[0] ?? '' })
  const key = readFileSync(join(gateway.dataDir, 'secrets', 'jwt-key'))
  const { sub, usr, ver } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const old = { accountId: sub, userId: usr, version: ver, ttlS: 60, nowMs: Date.now() - 3_600_000 }
  tokens.push(hunt.plant('expired token', (await issueAccountToken({ ...old, key })).token))
  const forged = await issueAccountToken({ ...old, key: Buffer.alloc(32, 7), nowMs: Date.now() })
  tokens.push(hunt.plant('forged token', forged.token))
  for (const one of tokens) await web.ask('GET', `${API}/keys`, { token: one })

  for (const test of [false, true, false]) {
    const created = await web.succeed('POST', `${API}/keys`, { token, json: { name: 'planted', test } })
    const own = hunt.plant(test ? 'test key' : 'live key', String(created['key']))
    await web.succeed('GET', `${API}/sms`, { key: own })
    await web.ask('GET', `${API}/keys`, { token: own })
    await web.succeed('DELETE', `${API}/keys/${created['id']}`, { token })
    await web.ask('GET', `${API}/sms`, { key: own })
  }
  await web.ask('GET', `${API}/sms`, { key: hunt.plant('bad input', `sk_live_${randomWord(38)}`) })
  hunt.plant('own token', token)
  hunt.plant('own key', gateway.key)
}

/** Plants pairing codes and device tokens. Returns a phone that is paired and connected. */
export async function plantDevices({ gateway, hunt, web, token }: Planting): Promise<RawPhone> {
  const pairing = async () => {
    const created = await web.succeed('POST', `${API}/devices/pairings`, { token, json: { name: 'phone' } })
    return hunt.plant('pairing code', String(created['code']))
  }
  const pair = (code: string) => web.ask('POST', '/device/v1/pair', { json: { code } })
  await pairing()
  await pair(hunt.plant('wrong pairing code', String(randomInt(10_000_000, 99_999_999))))
  const code = await pairing()
  const { data } = await pair(code)
  await pair(code)
  const { deviceId, token: gone } = (await pair(await pairing())).data
  await web.succeed('DELETE', `${API}/devices/${deviceId}`, { token })
  const wrong = [hunt.plant('device token', String(gone)), `dvt_${hunt.make('bad input', 40)}`]
  for (const one of wrong)
    await RawPhone.open(gateway.url, one).catch(error => web.add(String((error as Error).message)))
  const phone = await RawPhone.ready(gateway.url, hunt.plant('device token', String(data['token'])))
  const word = () => hunt.make('bad input')
  for (const frame of [
    { type: word() },
    { type: 'telemetry', battery: word(), charging: word(), signal: word(), busy: word() },
    { type: 'begin', messageId: 1, attempt: word() },
    { type: 'report', messageId: 'm', attempt: 1, state: word() },
    { ...SIM_HELLO, type: 'sync', messages: word(), [word()]: word() },
  ]) {
    phone.sendFrame(frame)
    web.add(JSON.stringify(await phone.next('error')))
  }
  return phone
}

/**
 * Adds a phone that the gateway calls, with its password, and sends a text through it. Then pauses the phone,
 * so that it gets no other text. Returns the agent's journal and the message id.
 */
export async function plantReachedPhone({ gateway, hunt, web, token, key }: Planting, t: Cleaner) {
  const password = hunt.make('phone password')
  const phone = await SmsgatePhone.start({ password })
  t.after(() => phone.stop())
  const json = { kind: 'smsgate', url: phone.url, password }
  await web.ask('POST', `${API}/devices`, { token, json: { ...json, password: hunt.make('wrong password') } })
  const { deviceId } = await web.succeed('POST', `${API}/devices`, { token, json })
  const phoneNumber = hunt.plant('phone number', `+1415555${randomInt(1000, 9999)}`)
  const text = { phoneNumber, message: hunt.make('message text'), deviceId, queueIfOffline: true }
  const messageId = String((await web.succeed('POST', `${API}/sms/send`, { key, json: text }))['messageId'])
  await gateway.reached(messageId, 'delivered')
  await web.succeed('PATCH', `${API}/devices/${deviceId}`, { token, json: { paused: true } })
  return { messageId, journal: join(gateway.dataDir, 'phones', `${deviceId}.journal`) }
}

/** Sends texts, numbers and webhook URLs of messages. The phone keeps the offers unanswered. */
export async function plantMessages(planting: Planting, { phone, hook }: { phone: RawPhone; hook: string }) {
  const { hunt, web, key } = planting
  const send = (json: object) => web.ask('POST', `${API}/sms/send`, { key, json })
  const number = () => hunt.plant('phone number', `+1415555${randomInt(1000, 9999)}`)
  const message = () => hunt.make('message text')
  const target = `${hook}/${hunt.make('target secret')}?token=${hunt.make('target secret')}`
  await send({ phoneNumber: number(), message: message(), webhookUrl: target })
  await send({ phoneNumber: number(), message: message() })
  const login = `http://${randomWord(9)}:${hunt.make('bad input')}@example.com/`
  await send({ phoneNumber: '+14155550123', message: hunt.make('bad input'), webhookUrl: login })
  const received = { type: 'received', id: 'r1', at: Date.now(), simSlot: 1, from: number() }
  phone.sendFrame({ ...received, message: hunt.make('received text') })
  await phone.next('ack')

  const issue = (json: object) => web.succeed('POST', `${API}/sms/2fa`, { key, json })
  const verify = (json: object) => web.ask('POST', `${API}/sms/2fa/verify`, { key, json })
  await issue({ phoneNumber: number(), template: `${randomWord(20)} {code}` })
  const code = hunt.make('one-time code', 10)
  const { messageId } = await issue({ phoneNumber: number(), code })
  const superseded = { phoneNumber: number(), code: hunt.make('one-time code', 10) }
  await issue(superseded)
  await issue({ ...superseded, code: hunt.make('one-time code', 10) })
  for (let i = 0; i < 2; i++) await verify({ messageId, code: hunt.make('wrong code', 9) })
  await verify({ messageId, code: `${hunt.make('bad input', 9)}-!` })
  await verify({ messageId, code })
  await verify({ messageId, code })
}

/** Lets the phone deliver this many offered messages; returns their texts. */
export async function deliverAll(phone: RawPhone, count: number): Promise<readonly string[]> {
  const texts: string[] = []
  for (let done = 0; done < count; done++) {
    const { messageId, attempt, message } = await phone.next('offer')
    texts.push(String(message))
    phone.sendFrame({ type: 'begin', messageId, attempt })
    await phone.next('go')
    phone.sendFrame({ type: 'report', messageId, attempt, state: 'delivered', code: null, at: null })
    await phone.next('ack')
  }
  return texts
}

export async function plantWebhooks({ hunt, web, token }: Planting): Promise<void> {
  const phoneNumber = hunt.plant('phone number', `+1415555${randomInt(1000, 9999)}`)
  const json = { name: 'alerts', recipients: [phoneNumber], messageTemplate: '{{message}}' }
  const created = await web.succeed('POST', `${API}/webhooks`, { token, json })
  const trigger = (secret: unknown, more: object = {}) =>
    web.ask('POST', `${API}/webhook/${secret}`, { json: { message: hunt.make('alert text'), ...more } })
  const first = hunt.plant('webhook secret', String(created['token']))
  const field = hunt.make('alert field')
  await web.succeed('POST', `${API}/webhook/${first}`, {
    json: { message: hunt.make('alert text'), password: field },
    headers: { Authorization: `Basic ${hunt.make('alert field')}` },
  })
  await web.ask('GET', `${API}/webhook/${first}?message=${hunt.make('alert text')}&key=${field}`)
  const { token: second } = await web.succeed('POST', `${API}/webhooks/${created['id']}/rotate`, { token })
  hunt.plant('webhook secret', String(second))
  await web.ask('GET', `${API}/webhook/${first}?message=${hunt.make('bad input')}`)
  await web.ask('DELETE', `${API}/webhook/${second}`)
  await web.ask('POST', `${API}/webhook/${second}/${hunt.make('bad input')}`)
  await web.succeed('DELETE', `${API}/webhooks/${created['id']}`, { token })
  for (const gone of [second, hunt.make('bad input', 40)])
    await trigger(gone, { message: hunt.make('bad input') })
  const preview = {
    messageTemplate: `{{a}}${hunt.make('bad input')}`,
    payload: { a: hunt.make('bad input') },
  }
  await web.succeed('POST', `${API}/webhooks/preview`, { token, json: preview })
}

export async function plantNotifications({ hunt, web, token }: Planting, hook: string): Promise<void> {
  const put = (url: string) => web.ask('PUT', `${API}/notifications`, { token, json: { url } })
  await put(`${hook}/${hunt.make('old target secret')}`)
  const { data } = await put(`${hook}/${hunt.make('target secret')}`)
  const rotate = async () => (await web.succeed('POST', `${API}/notifications/rotate`, { token }))['secret']
  hunt.plant('old signing secret', String(data['secret'] ?? (await rotate())))
  hunt.plant('signing secret', String(await rotate()))
  await put(`ftp://${hunt.make('bad input')}.example.com/`)
  await web.succeed('POST', `${API}/notifications/test`, { token })
}

/** Makes forwards whose service repeats their credential, and texts that go to them. */
export async function plantForwards({ hunt, web, token }: Planting, phone: RawPhone, hook: string) {
  const create = (fields: object) =>
    web.succeed('POST', `${API}/forwards`, { token, json: { name: 'planted', ...fields } })
  const credential = hunt.make('old forward credential')
  const { id } = await create({ kind: 'telegram', url: hook, target: '-1', credential })
  const change = { credential: hunt.make('forward credential'), contains: hunt.make('target secret') }
  await web.succeed('PATCH', `${API}/forwards/${id}`, { token, json: change })
  await web.succeed('POST', `${API}/forwards/${id}/test`, { token })
  await create({
    kind: 'ntfy',
    url: `${hook}/${hunt.make('target secret')}`,
    credential: hunt.make('forward credential'),
  })
  await web.ask('PATCH', `${API}/forwards/${id}`, {
    token,
    json: { credential: `${hunt.make('bad input')} x` },
  })
  const gone = await create({ kind: 'gotify', url: hook, credential: hunt.make('old forward credential') })
  await web.succeed('DELETE', `${API}/forwards/${gone['id']}`, { token })
  const message = `Your code is ${hunt.make('received text')}`
  phone.sendFrame({ type: 'received', id: 'planted', from: '+14155550144', message })
  await phone.next('ack')
  for (const path of ['', `/${id}`]) await web.ask('GET', `${API}/forwards${path}`, { token })
}
