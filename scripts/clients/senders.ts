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
import twilio from 'twilio'
const { ROOST_URL: url, ROOST_SECRET: key, ROOST_TEXT: body, ROOST_TO: to } = process.env
class ToRoost extends twilio.RequestClient {
  request(options) {
    return super.request({ ...options, uri: options.uri.replace('https://api.twilio.com', url) })
  }
}
const client = twilio('AC' + '0'.repeat(32), key, { httpClient: new ToRoost() })
const { sid } = await client.messages.create({ to, from: '+14155550100', body })
if ((await client.messages(sid).fetch()).body !== body) throw new Error('another message')
if ((await client.messages.list({ limit: 1 }))[0].sid !== sid) throw new Error('another message is first')
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
