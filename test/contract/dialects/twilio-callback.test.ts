/** What Twilio's `StatusCallback` gets: Twilio's form and signature, on every plan. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { basic } from '#test/kit/dialect-client.ts'
import type { TestAccount } from '#test/kit/gateway.ts'
import { awaitedReceiver } from '#test/kit/notified-gateway.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

/** The sandbox lets texts to this number fail. */
const FAILING = '+15005550001'

/** The callbacks of one sandbox text, as a receiver with Twilio's library reads them. */
async function callbacksOf(t: TestContext, account: TestAccount, { to = '+14155550123', count = 2 } = {}) {
  const gateway = await sharedGateway()
  const receiver = await awaitedReceiver(t, (_, response) => void response.end())
  const url = `${receiver.url}/cb?x=1`
  const body = new URLSearchParams({ To: to, From: '+14155550100', Body: 'x', StatusCallback: `${url}#rc=2` })
  const answer = await gateway.call('POST', '/2010-04-01/Accounts/AC7/Messages.json', {
    headers: {
      Authorization: basic(account.testKey),
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: body.toString(),
  })
  assert.equal(answer.status, 201, answer.text)
  const { sid } = JSON.parse(answer.text)
  const requests = await receiver.received(count)
  const forms = requests.map(one => Object.fromEntries(new URLSearchParams(String(one.body))))
  return { sid, url, requests, forms }
}

/** As Twilio's libraries compute it. */
function signatureOf(secret: string, url: string, form: Readonly<Record<string, string>>): string {
  const sorted = Object.keys(form).sort()
  const signed = sorted.reduce((text, name) => `${text}${name}${form[name]}`, url)
  return createHmac('sha1', secret).update(Buffer.from(signed, 'utf8')).digest('base64')
}

test('a callback has the id of the answer, Twilio’s names and a signature over both', async t => {
  const gateway = await sharedGateway()
  const owner = await gateway.newAccount()
  const json = { url: 'https://example.com/events' }
  const set = await gateway.call('PUT', '/api/v1/notifications', { token: owner.token, json })
  const secret = String(set.json?.data['secret'])
  assert.match(secret, /^whsec_/)
  const { sid, url, requests, forms } = await callbacksOf(t, owner)
  assert.deepEqual(forms.map(form => form['MessageStatus']).toSorted(), ['delivered', 'sent'])
  for (const [index, form] of forms.entries()) {
    const { MessageSid, SmsSid, To, From, AccountSid, ErrorCode } = form
    assert.deepEqual([MessageSid, SmsSid, ErrorCode], [sid, sid, undefined])
    assert.deepEqual([To, From, AccountSid], ['+14155550123', '+14155550100', 'AC7'])
    const { headers = {} } = requests[index] ?? {}
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
    assert.equal(headers['x-twilio-signature'], signatureOf(secret, url, form))
  }
})

test('a failure has Twilio’s code, also on a plan without notifications', async t => {
  const owner = await (await sharedGateway()).newAccount('standard')
  const { forms } = await callbacksOf(t, owner, { to: FAILING, count: 1 })
  assert.deepEqual([forms[0]?.['MessageStatus'], forms[0]?.['ErrorCode']], ['failed', '30008'])
})
