/** The clients that scripts/check-clients.ts runs: those of other gateways, and programs that send alerts. */
import { ALERT_SENDERS, writeSenderFile } from '#scripts/clients/alert-senders.ts'
import { type Client, inNode, inPython, type Job, run, TO } from '#scripts/clients/client.ts'

const APPRISE = { debian: 'apprise', test: 'apprise --version' }

export const SENDERS: readonly Client[] = [
  {
    name: 'npm android-sms-gateway',
    needs: { npm: ['android-sms-gateway@3.0.0'] },
    credential: 'key',
    send: inNode(`
import Client from 'android-sms-gateway'
const { ROOST_URL: url, ROOST_SECRET: key, ROOST_TEXT: text, ROOST_TO: to } = process.env
const ask = method => async (address, ...rest) => {
  const [body, headers] = method === 'POST' ? rest : [undefined, rest[0]]
  const answer = await fetch(address, { method, headers, body: body && JSON.stringify(body) })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}
const client = new Client('user', key, { get: ask('GET'), post: ask('POST') }, url + '/3rdparty/v1')
const { id } = await client.send({ textMessage: { text }, phoneNumbers: [to] })
if ((await client.getState(id)).id !== id) throw new Error('another message')
if ((await client.getDevices()).length !== 1) throw new Error('no device')
if ((await client.getHealth()).status !== 'pass') throw new Error('the health check failed')
`),
  },
  {
    name: 'npm twilio',
    needs: { npm: ['twilio@6.2.0'] },
    credential: 'key',
    send: inNode(`
import { once } from 'node:events'
import { createServer } from 'node:http'
import twilio from 'twilio'
const { ROOST_URL: url, ROOST_SECRET: key, ROOST_TEXT: body, ROOST_TO: to } = process.env
const signing = process.env.ROOST_SIGNING
class ToRoost extends twilio.RequestClient {
  request(options) {
    return super.request({ ...options, uri: options.uri.replace('https://api.twilio.com', url) })
  }
}
const check = (isRight, words) => {
  if (!isRight) throw new Error(words)
}
const called = Promise.withResolvers()
const server = createServer(async (request, response) => {
  const form = Object.fromEntries(new URLSearchParams(await new Response(request).text()))
  response.end()
  called.resolve({ form, signature: request.headers['x-twilio-signature'] })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const statusCallback = 'http://127.0.0.1:' + server.address().port + '/status?of=text'
const client = twilio('AC' + '0'.repeat(32), key, { httpClient: new ToRoost() })
const from = '+14155550100'
const { sid } = await client.messages.create({ to, from, body, statusCallback })
check((await client.messages(sid).fetch()).body === body, 'another message')
check((await client.messages.list({ limit: 1 }))[0].sid === sid, 'another message is first')
const { form, signature } = await called.promise
check(form.MessageSid === sid && form.To === to, 'the callback is about another message')
check(twilio.validateRequest(signing, signature, statusCallback, form), 'the signature is wrong')
check(!twilio.validateRequest(signing, signature, statusCallback, { ...form, To: '+1' }), 'it signs anything')
const sendAt = new Date(Date.now() + 3_600_000)
const messagingServiceSid = 'MG' + '0'.repeat(32)
const planned = await client.messages.create({ to, messagingServiceSid, body, scheduleType: 'fixed', sendAt })
check(planned.status === 'scheduled', 'a planned message is ' + planned.status)
const canceled = await client.messages(planned.sid).update({ status: 'canceled' })
check(canceled.status === 'canceled', 'a canceled message is ' + canceled.status)
const mediaUrl = ['https://example.com/a.png']
const media = await client.messages.create({ to, from, body, mediaUrl }).catch(refusal => refusal)
check(media.status === 400, 'a picture is ' + media.status)
const optedOut = '+14155550199'
const listed = await fetch(url + '/api/v1/opt-outs', {
  method: 'POST',
  headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
  body: JSON.stringify({ phoneNumber: optedOut }),
})
check(listed.ok, 'the list of opt-outs answers ' + listed.status)
const refused = await client.messages.create({ to: optedOut, from, body }).catch(refusal => refusal)
check(refused.code === 21610, 'a send to an opted-out number is ' + refused.code)
server.close()
`),
  },
  {
    name: 'npm httpsms',
    needs: { npm: ['httpsms@0.0.4'] },
    credential: 'key',
    send: inNode(`
import HttpSms from 'httpsms'
const { ROOST_URL: url, ROOST_SECRET: key, ROOST_TEXT: content, ROOST_TO: to } = process.env
const { messages } = new HttpSms(key, url)
const from = '+14155550100'
const sent = await messages.postSend({ content, from, to, request_id: 'roost' })
if (sent.contact !== to || sent.content !== content) throw new Error(JSON.stringify(sent))
const refused = await messages.postSend({ content, from, to, encrypted: true }).catch(error => error)
if (refused.response?.status !== 400) throw new Error('ciphertext is not refused')
`),
  },
  {
    name: 'npm gotify',
    needs: { npm: ['gotify@1.1.0'] },
    credential: 'webhook',
    send: inNode(`
import { gotify } from 'gotify'
const { ROOST_URL: server, ROOST_SECRET: app, ROOST_TEXT: message } = process.env
await gotify({ server, app, message, title: 'Backup', priority: 5 })
`),
  },
  {
    name: 'npm ntfy',
    needs: { npm: ['ntfy@1.15.6'] },
    credential: 'webhook',
    send: inNode(`
import { publish } from 'ntfy'
const { ROOST_URL: server, ROOST_SECRET: topic, ROOST_TEXT: message } = process.env
await publish({ server, topic, message, title: 'Backup', priority: 5, tags: ['warning'] })
`),
  },
  {
    name: 'python3-twilio',
    needs: { debian: 'python3-twilio', test: '/usr/bin/python3 -c "import twilio.rest"' },
    credential: 'key',
    send: inPython(`
import os
from twilio.http.http_client import TwilioHttpClient
from twilio.rest import Client
class ToRoost(TwilioHttpClient):
    def request(self, method, url, *rest, **more):
        address = url.replace('https://api.twilio.com', os.environ['ROOST_URL'])
        return super().request(method, address, *rest, **more)
client = Client('AC' + '0' * 32, os.environ['ROOST_SECRET'], http_client=ToRoost())
sent = client.messages.create(to=os.environ['ROOST_TO'], from_='+14155550100', body=os.environ['ROOST_TEXT'])
assert client.messages(sent.sid).fetch().body == os.environ['ROOST_TEXT']
`),
  },
  {
    name: 'apprise with our configuration file',
    needs: APPRISE,
    credential: 'webhook',
    send: job => run('apprise', [`--config=${writeSenderFile('apprise.conf', job)}`, '-b', job.text], job),
  },
  {
    name: 'apprise for Gotify',
    needs: APPRISE,
    credential: 'webhook',
    send: job => appriseTo(`gotify://${new URL(job.url).host}/${job.secret}`, job),
  },
  {
    name: 'apprise for SMSEagle',
    needs: APPRISE,
    credential: 'key',
    send: job => appriseTo(`smseagle://${job.secret}@${new URL(job.url).host}/${TO}`, job),
  },
  {
    name: 'apprise for Signal',
    needs: APPRISE,
    credential: 'key',
    send: job => appriseTo(`signal://user:${job.secret}@${new URL(job.url).host}/+14155550100/${TO}`, job),
  },
  ...ALERT_SENDERS,
]

function appriseTo(address: string, job: Job): Promise<boolean> {
  return run('apprise', ['-b', job.text, address], job)
}
