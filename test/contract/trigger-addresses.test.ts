import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { SharedGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { answerOf, triggeredOf, WebhookCalls } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let webhooks: WebhookCalls

beforeEach(async () => {
  gateway = await sharedGateway()
  const owner = await gateway.newAccount()
  webhooks = new WebhookCalls(gateway, owner.token)
  await PairedPhone.pair(gateway, owner.accountId)
})

test('other methods are refused with the allowed ones, and send no text', async () => {
  const { url, id } = await webhooks.create()
  for (const path of [url, `${url}/`, `${url}/message`]) {
    const answer = await gateway.call('DELETE', path)
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST, PUT, GET, HEAD'])
  }
  assert.equal((await webhooks.find(id)).usage.total, 0)
})

test('a GET without a query and a HEAD are answered and send no text', async () => {
  const { url, id } = await webhooks.create()
  const nothing = {
    triggered: false,
    reason: 'EMPTY',
    duplicate: false,
    gathered: false,
    message: null,
    messages: [],
    incidentId: null,
  }
  for (const path of [url, `${url}/`, `${url}/message`, `${url}?`]) {
    assert.deepEqual(answerOf(await gateway.call('GET', path)), nothing)
    for (const query of ['', '?message=x']) {
      const { status } = await fetch(`${gateway.url}${path.replace('?', '')}${query}`, { method: 'HEAD' })
      assert.equal(status, 200)
    }
  }
  assert.equal((await gateway.call('GET', `${url.slice(0, -1)}!`)).status, 404)
  assert.equal((await webhooks.find(id)).usage.total, 0)
})

test('PUT, a slash after the address, and /message after it trigger the same webhook', async () => {
  const { url } = await webhooks.create()
  const first = triggeredOf(await webhooks.trigger(url, { message: 'disk full' }))
  for (const path of [`${url}/`, `${url}/message`, `${url}/message/`]) {
    const again = triggeredOf(await webhooks.trigger(path, { message: 'disk full' }))
    assert.deepEqual(again, { ...first, duplicate: true }, path)
  }
  const put = await gateway.call('PUT', url, { json: { message: 'disk full' } })
  assert.deepEqual(triggeredOf(put), { ...first, duplicate: true })
  assert.equal(triggeredOf(await gateway.call('GET', `${url}/?message=fan`)).message, 'fan')
  assert.equal((await webhooks.trigger(`${url}/other`, { message: 'x' })).status, 404)
})

function multipart(fields: Readonly<Record<string, string>>): string {
  const head = 'Content-Disposition: form-data; name='
  const partOf = ([name, text]: [string, string]) => `--b\r\n${head}"${name}"\r\n\r\n${text}\r\n`
  return `${Object.entries(fields).map(partOf).join('')}--b--\r\n`
}

test('a picture in an alert is left out, and the alert is still sent', async () => {
  const { url } = await webhooks.create()
  const picture = Buffer.alloc(1_200_000, 'Roost takes a picture ').toString('base64')
  const alerts: readonly (readonly [type: string, body: string])[] = [
    ['application/json', JSON.stringify({ snapshot: picture, title: 'Front door', message: 'Person seen' })],
    [
      'application/json',
      JSON.stringify({
        message: 'Person seen',
        image: `data:image/png;base64,${picture}`,
        title: 'Front door',
      }),
    ],
    [
      'application/x-www-form-urlencoded',
      String(new URLSearchParams({ image: picture, title: 'Front door', message: 'Person seen' })),
    ],
    [
      'multipart/form-data; boundary=b',
      multipart({ image: picture, title: 'Front door', message: 'Person seen' }),
    ],
  ]
  for (const [type, body] of alerts) {
    const answer = await gateway.call('POST', url, { headers: { 'Content-Type': type }, body })
    assert.equal(triggeredOf(answer).message, 'Front door: Person seen', type)
  }
})

test('a body above webhooks.body_bytes_max is refused, and earlier for an unknown token', async () => {
  const { url } = await webhooks.create()
  const body = (length: number) => ({ body: 'x'.repeat(length) })
  triggeredOf(await gateway.call('POST', url, body(2_097_152)))
  assert.equal((await gateway.call('POST', url, body(2_097_153))).status, 413)
  const wrong = url.replace(/.{3}$/, 'xxx')
  assert.equal((await gateway.call('POST', wrong, body(262_144))).status, 404)
  assert.equal((await gateway.call('POST', wrong, body(262_145))).status, 413)
})

test('an address takes the pings of a check of Healthchecks: that a job began texts nobody', async () => {
  const { url, id } = await webhooks.create({ name: 'Backup' })
  const ping = async (end: string, body?: string) => {
    const method = body === undefined ? 'GET' : 'POST'
    return answerOf(await gateway.call(method, `${url}/${end}`, body === undefined ? {} : { body }))
  }
  for (const end of ['start', 'log']) assert.equal((await ping(end, 'begun')).triggered, false)
  assert.equal((await webhooks.find(id)).usage.total, 0)
  assert.equal((await ping('fail', 'first line\nno space left\n')).message, 'FAILED Backup: no space left')
  assert.equal((await ping('3')).message, 'FAILED Backup: exit 3')
  assert.equal((await ping('0')).message, 'OK Backup')
  for (const end of ['failed', '1000', 'fail/x'])
    assert.equal((await gateway.call('POST', `${url}/${end}`, { body: 'x' })).status, 404)
})
