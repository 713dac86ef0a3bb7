/** A gateway beside Debian's mosquitto, as Home Assistant sees it. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { lookAtBroker } from '#app/doctor/look-at-network.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { Listener, LOGIN, Mosquitto, NO_BROKER } from '#test/kit/mosquitto.ts'
import { nextLook } from '#test/kit/next-turn.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { sized } from '#test/kit/test-size.ts'

const CONFIG = 'homeassistant/device/roost/config'
const ADA = '+14155550201'
/** How often a gateway is killed at a command. */
const KILLS = sized(2, 8)
const needsBroker = { skip: NO_BROKER, timeout: HANGS_AFTER_MS }

interface Setup {
  readonly received?: boolean
  readonly allow?: string[]
  /** Runs before the gateway starts. */
  readonly before?: (listener: Listener) => Promise<unknown>
}

async function start(t: TestContext, { received = false, allow = [], before }: Setup = {}) {
  const broker = await Mosquitto.start(t)
  const listener = await Listener.open(t, broker)
  await before?.(listener)
  const { url, passwordFile: password_file } = broker
  const mqtt = { url, username: LOGIN.username, password_file, received, allow }
  const gateway = await startGateway({ config: { mqtt } })
  t.after(() => gateway.stop())
  const { accountId, token } = await gateway.owner()
  const create = async (path: string, json: object) =>
    String((await gateway.call('POST', `/api/v1/${path}`, { token, json })).json?.data['id'])
  const ada = await create('people', { name: 'Ada', phoneNumber: ADA })
  const policy = await create('policies', { name: 'Servers', steps: [{ afterMinutes: 0, tell: [ada] }] })
  const phone = await PairedPhone.pair(gateway, accountId)
  await phone.connect(gateway.url)
  t.after(() => phone.disconnect())
  // Tells the gateway to announce everything, as Home Assistant does when it has started.
  await listener.say('homeassistant/status', 'online')
  await listener.until(({ topic, text }) => topic === CONFIG && text.includes(policy) && text.includes(ada))
  return { broker, listener, gateway, phone, ada, policy }
}

const stateWith =
  (part: string) =>
  ({ topic, text }: { topic: string; text: string }) =>
    topic === 'roost/state' && text.includes(part)

/** The texts that were accepted so far, oldest first. */
async function textsOf(gateway: TestGateway): Promise<readonly string[]> {
  const { liveKey: key } = await gateway.owner()
  const { json } = await gateway.call('GET', '/api/v1/sms', { key })
  return (json?.data ?? []).map(one => String(one['message'])).toReversed()
}

test('people and policies can be told, and the oldest incident can be taken', needsBroker, async t => {
  const { listener, gateway, phone, ada, policy } = await start(t)
  assert.equal((await listener.until(({ topic }) => topic === 'roost/availability')).text, 'online')
  await listener.say(`roost/notify/${ada}`, 'The dishwasher is done')
  const [first] = await phone.whenSent(1)
  assert.deepEqual([first?.phoneNumber, first?.message], [ADA, 'The dishwasher is done'])
  await listener.until(stateWith('"incidents":0'))
  await listener.say(`roost/notify/${policy}`, 'Water in the cellar')
  await listener.until(stateWith('"incidents":1'))
  assert.match((await phone.whenSent(2))[1]?.message ?? '', /^Water in the cellar/)
  listener.heard.length = 0
  await listener.say('roost/take', 'PRESS')
  await listener.until(stateWith('"incidents":0'))
  const { token } = await gateway.owner()
  const { json } = await gateway.call('GET', '/api/v1/incidents', { token })
  assert.deepEqual([json?.data[0]?.['state'], json?.data[0]?.['takenBy']], ['taken', 'owner'])
  const audit = (await gateway.call('GET', '/api/v1/audit', { token })).json?.data ?? []
  assert.deepEqual(
    audit.filter(({ who }) => who === 'home assistant').map(({ name, what }) => [name, what]),
    ['incident.take', 'policy.alert', 'message.accept'].map(what => ['Home Assistant', what]),
  )
})

test(
  'a retained command texts nobody, a repeated one texts once, in the charset of its program',
  needsBroker,
  async t => {
    const old = 'roost/notify/per_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
    const { listener, gateway, phone, ada } = await start(t, {
      before: listener => listener.say(old, 'left over', true),
    })
    const topic = `roost/notify/${ada}`
    await listener.say(topic, 'kept by the broker', true)
    await listener.client.publishAsync(topic, 'twice', { qos: 1 })
    await listener.client.publishAsync(topic, 'twice', { qos: 1, dup: true })
    await listener.say(topic, 'twice')
    await listener.say(topic, ' ')
    await listener.client.publishAsync(topic, Buffer.from('St\xf6rung', 'latin1'), { qos: 1 })
    await listener.say(topic, 'the end')
    const sent = await phone.whenSent(4)
    // The first is retained only for those who come later: the gateway was there, and it came once.
    assert.deepEqual(
      sent.map(({ message }) => message),
      ['kept by the broker', 'twice', 'Störung', 'the end'],
    )
    assert.deepEqual((await textsOf(gateway)).length, 4)
    assert.ok(!JSON.stringify(gateway.log).includes('the end'), 'no text is in the log')
  },
)

test(
  'what is said while the connection is lost is lost, and then everything is announced again',
  needsBroker,
  async t => {
    const { broker, listener, gateway, phone, ada } = await start(t)
    await listener.say(`roost/notify/${ada}`, 'before', true)
    await phone.whenSent(1)
    await broker.stop()
    await gateway.call('POST', '/api/v1/people', {
      token: (await gateway.owner()).token,
      json: { name: 'Bob', phoneNumber: '+14155550202' },
    })
    listener.heard.length = 0
    await broker.run()
    await listener.until(({ topic, text }) => topic === CONFIG && text.includes('Bob'))
    await listener.until(({ topic, text }) => topic === 'roost/availability' && text === 'online')
    await listener.say(`roost/notify/${ada}`, 'after')
    const sent = await phone.whenSent(2)
    assert.deepEqual(
      sent.map(({ message }) => message),
      ['before', 'after'],
    )
  },
)

test(
  'received texts are events where they are switched on, never kept, without codes',
  needsBroker,
  async t => {
    const { listener, phone } = await start(t, { received: true })
    await phone.reportReceived({ id: 'a', from: '+14155550144', message: 'Your code is 482913' })
    const { text } = await listener.until(({ topic }) => topic === 'roost/received')
    const { event_type, from, message } = JSON.parse(text)
    assert.deepEqual([event_type, from, message], ['received', '+14155550144', 'Your code is ******'])
    const later = await Listener.open(t, {
      url: `mqtt://127.0.0.1:${listener.client.options.port}`,
    } as Mosquitto)
    await later.until(({ topic }) => topic === CONFIG)
    assert.ok(!later.heard.some(({ topic }) => topic === 'roost/received'))
  },
)

test('with a list of senders, only their texts are events', needsBroker, async t => {
  const { listener, phone } = await start(t, { received: true, allow: ['MyBank', '+1 415 555 0145'] })
  await phone.reportReceived({ id: 'a', from: '+14155550144', message: 'one' })
  await phone.reportReceived({ id: 'b', from: 'MyBank', message: 'code 482913' })
  await phone.reportReceived({ id: 'c', from: '+14155550145', message: 'three' })
  const messages = () =>
    listener.heard
      .filter(({ topic }) => topic === 'roost/received')
      .map(({ text }) => JSON.parse(text).message)
  await listener.until(({ text }) => text.includes('three'))
  assert.deepEqual(messages(), ['code 482913', 'three'])
})

test('a gateway that is killed is shown as not available, and one that stops, too', needsBroker, async t => {
  const broker = await Mosquitto.start(t)
  const listener = await Listener.open(t, broker)
  const gateway = await GatewayProcess.startBare(t, {
    env: {
      ROOST_MQTT__URL: broker.url,
      ROOST_MQTT__USERNAME: LOGIN.username,
      ROOST_MQTT__PASSWORD_FILE: broker.passwordFile,
    },
  })
  const isIn =
    (wanted: string) =>
    ({ topic, text }: { topic: string; text: string }) =>
      topic === 'roost/availability' && text === wanted
  await listener.until(isIn('online'))
  listener.heard.length = 0
  await gateway.kill()
  await listener.until(isIn('offline'))
  await gateway.restart()
  await listener.until(isIn('online'))
  listener.heard.length = 0
  assert.equal(await gateway.stop(), 0)
  await listener.until(isIn('offline'))
  assert.ok(!gateway.program.stderr.text.includes(LOGIN.password))
})

test('a command at which the gateway is killed is one text at most', needsBroker, async t => {
  const broker = await Mosquitto.start(t)
  const listener = await Listener.open(t, broker)
  const gateway = await GatewayProcess.start(t, {
    env: {
      ROOST_MQTT__URL: broker.url,
      ROOST_MQTT__USERNAME: LOGIN.username,
      ROOST_MQTT__PASSWORD_FILE: broker.passwordFile,
    },
  })
  await gateway.pair('Shelf')
  const added = await gateway.asOwner('POST', '/people', { name: 'Ada', phoneNumber: ADA })
  const topic = `roost/notify/${(added.data as { id: string }).id}`
  for (let round = 0; round < KILLS; round += 1) {
    await listener.until(({ topic, text }) => topic === 'roost/availability' && text === 'online')
    listener.heard.length = 0
    await listener.client.publishAsync(topic, `killed ${round}`, { qos: round % 2 === 0 ? 1 : 2 })
    if (round % 2 === 1) await gateway.until(async () => (await gateway.messages()).length > round)
    await gateway.kill()
    await gateway.restart()
    await listener.until(({ topic, text }) => topic === 'roost/availability' && text === 'online')
    await listener.say(topic, `after ${round}`)
    await gateway.until(async () =>
      (await gateway.messages()).some(({ message }) => message === `after ${round}`),
    )
  }
  const texts = (await gateway.messages()).map(({ message }) => message)
  assert.equal(new Set(texts).size, texts.length, texts.join())
})

test('without its broker a gateway works, and says so once', needsBroker, async t => {
  const gateway = await startGateway({ config: { mqtt: { url: 'mqtt://127.0.0.1:1' } } })
  t.after(() => gateway.stop())
  assert.equal((await gateway.call('GET', '/healthz')).status, 200)
  while (!gateway.log.some(({ event }) => event === 'mqtt.lost')) await nextLook()
  assert.equal((await gateway.call('GET', '/healthz')).status, 200)
})

test('the doctor logs in to the broker, and says why it cannot', needsBroker, async t => {
  const broker = await Mosquitto.start(t)
  const look = (change: object) =>
    lookAtBroker({
      ...CONFIG_DEFAULTS,
      mqtt: {
        ...CONFIG_DEFAULTS.mqtt,
        url: broker.url,
        username: LOGIN.username,
        password_file: broker.passwordFile,
        ...change,
      },
    })
  assert.deepEqual(await look({}), { url: broker.url, fault: null })
  assert.match((await look({ username: 'stranger' }))?.fault ?? '', /Not authorized/)
  assert.match((await look({ url: 'mqtt://127.0.0.1:1' }))?.fault ?? '', /ECONNREFUSED/)
  assert.equal(await look({ url: '' }), null)
})
