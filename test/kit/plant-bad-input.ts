/** Sends requests that are refused, each with a secret in another place. */
import type { Planting } from '#test/kit/plant-secrets.ts'
import { randomWord } from '#test/kit/secret-hunt.ts'

const SEND = '/api/v1/sms/send'

export async function plantBadInput({ hunt, web, key, token }: Planting): Promise<void> {
  const word = () => hunt.make('bad input')
  const apiKey = () => hunt.plant('bad input', `sk_live_${randomWord(38)}`)
  const number = '+14155550123'
  for (const scheme of ['Basic', 'Bearer', 'Digest', ''])
    await web.ask('GET', '/api/v1/keys', { headers: { Authorization: `${scheme} ${word()}` } })
  await web.ask('GET', `/api/v1/sms?api_key=${apiKey()}`)
  await web.ask('GET', `/api/v1/sms?cursor=${word()}&status=${word()}&since=${word()}&limit=${word()}`, {
    key,
  })
  await web.ask('GET', `/api/v1/sms?deviceId=${word()}&phoneNumber=${word()}`, { key })
  await web.ask('GET', `/api/v1/notifications/deliveries?event=${word()}&cursor=${word()}`, { token })
  for (const path of [
    `/${word()}`,
    `/api/v1/${word()}/${apiKey()}`,
    `/api/v1/sms/${word()}`,
    `/api/v1/devices/${word()}`,
    `/device/v1/${word()}`,
    `//${word()}/%ff%zz`,
    `/api/v1/sms/%ff${word()}`,
  ])
    for (const method of ['GET', 'DELETE', 'POST']) await web.ask(method, path, { key })
  for (const body of [`{"message": "${word()}`, `{"phoneNumber": ${word()}}`, word(), `["${word()}"]`])
    for (const path of [SEND, '/api/v1/auth/login', '/device/v1/pair', '/setup'])
      await web.ask('POST', path, { key, body })
  await web.ask('POST', SEND, { key, json: { [word()]: word(), phoneNumber: word() } })
  const wrong = { phoneNumber: word(), message: [word()], ttl: word(), priority: word(), simSlot: word() }
  const alsoWrong = { webhookUrl: word(), queueIfOffline: word(), deviceId: [word()] }
  await web.ask('POST', SEND, { key, json: { ...wrong, ...alsoWrong } })
  await web.ask('POST', SEND, { key, json: { phoneNumber: number, message: 'x', deviceId: word() } })
  await web.ask('POST', '/api/v1/auth/login', { json: { email: word(), password: [word()] } })
  await web.ask('POST', '/api/v1/keys', { token, json: { name: { a: word() }, test: word() } })
  const hook = {
    name: [word()],
    recipients: word(),
    maxPerHour: word(),
    allowedIps: [word()],
    enabled: word(),
  }
  await web.ask('POST', '/api/v1/webhooks', { token, json: { ...hook, deviceId: word() } })
  await web.ask('PUT', '/api/v1/notifications', { token, json: { url: word(), events: [word()] } })
  await web.ask('POST', '/api/v1/notifications/deliveries/replay', { token, json: { since: word() } })
  const twoFactor = { phoneNumber: number, code: `${word()}!`, template: word(), expiresIn: word() }
  await web.ask('POST', '/api/v1/sms/2fa', { key, json: twoFactor })
  await web.ask('POST', SEND, { key, body: JSON.stringify({ message: word().repeat(20_000) }) })
  await plantBadHeads({ web, word, apiKey, key })
}

interface Heads {
  readonly web: Planting['web']
  readonly word: () => string
  readonly apiKey: () => string
  readonly key: string
}

async function plantBadHeads({ web, word, apiKey, key }: Heads): Promise<void> {
  const json = { phoneNumber: '+14155550123', message: 'x' }
  const heads: Readonly<Record<string, string>>[] = [
    { 'Content-Type': word() },
    { 'Idempotency-Key': `${word()} ${word()}` },
    { 'Content-Type': `text/plain; a=${word()}`, Cookie: `session=${word()}` },
  ]
  for (const headers of heads) await web.ask('POST', SEND, { key, json, headers })
  await web.ask('GET', '/healthz', { headers: { 'X-Request-Id': apiKey(), 'User-Agent': word() } })
  const path = '/api/v1/sms'
  await web.askRaw({ path, headers: [['X-API-Key', word().repeat(1000)]] })
  await web.askRaw({
    path,
    headers: [
      ['X-API-Key', apiKey()],
      ['X-API-Key', apiKey()],
    ],
  })
  await web.askRaw({ method: word(), path: `/${word()}` })
  await web.askRaw({ path: `${path} ${word()}`, headers: [['X-API-Key', `\u0001${word()}`]] })
  await web.askRaw({ method: 'POST', path: SEND, headers: [['Content-Length', word()]], body: word() })
}
