import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { HOSTILE_URLS } from '#test/kit/hostile-urls.ts'
import { createDeliverer } from '#transport/notification/deliver.ts'
import type { ResolveName } from '#transport/notification/guarded-connector.ts'
import { createTargetPolicy } from '#transport/notification/target-guard.ts'

/** A web server on every IPv4 address of this machine, which records the address of each request. */
async function listeningEverywhere(t: TestContext) {
  const reached: string[] = []
  const server = createServer((_request, response) => response.writeHead(204, { connection: 'close' }).end())
  server.on('connection', socket => reached.push(socket.localAddress ?? ''))
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, reached }
}

const NOTHING_OWN = { allowPrivate: true, ownSockets: [], localAddresses: () => [] }

function deliverer(t: TestContext, allowedHosts: readonly string[], resolve: ResolveName) {
  const policy = createTargetPolicy({ ...NOTHING_OWN, allowedHosts })
  const made = createDeliverer({ policy: () => policy, version: '1', resolve })
  t.after(() => made.close())
  return { send: (url: string) => made.deliver({ url, headers: {}, body: '{}' }) }
}

/** Resolves after `count` connections were begun. Each looks up its name at once. */
function connectsBegun(t: TestContext, count: number): Promise<void> {
  const begun = Promise.withResolvers<void>()
  let left = count
  const countDown = () => {
    if (--left === 0) begun.resolve()
  }
  subscribe('undici:client:beforeConnect', countDown)
  t.after(() => unsubscribe('undici:client:beforeConnect', countDown))
  return begun.promise
}

const toLoopback: ResolveName = () => Promise.resolve(['127.0.0.1'])

test('no hostile URL ever opens a connection', async t => {
  const { port, reached } = await listeningEverywhere(t)
  const { send } = deliverer(t, [], toLoopback)
  for (const [template] of HOSTILE_URLS) {
    const url = template.replace('{port}', String(port))
    assert.equal((await send(url)).error, 'REFUSED_TARGET', url)
  }
  assert.ok(HOSTILE_URLS.length >= 60)
  assert.deepEqual(reached, [])
})

test('the same URLs reach the listener if the configuration allows them', async t => {
  const { port, reached } = await listeningEverywhere(t)
  const { send } = deliverer(t, ['127.0.0.0/8', 'localhost'], toLoopback)
  for (const host of ['127.0.0.1', '127.1', '0x7f000001', '[::ffff:127.0.0.1]', 'localhost']) {
    assert.equal((await send(`http://${host}:${port}/`)).status, 204, host)
  }
  assert.equal(reached.length, 5)
})

test('a name that resolves to a refused address opens no connection', async t => {
  const { port, reached } = await listeningEverywhere(t)
  const answers = [
    ['127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['0.0.0.0'],
    ['169.254.169.254'],
    ['::1'],
    ['no address'],
  ]
  for (const answer of answers) {
    const { send } = deliverer(t, [], () => Promise.resolve(answer))
    assert.equal((await send(`http://fine.example:${port}/`)).error, 'REFUSED_TARGET', answer.join())
  }
  assert.deepEqual(reached, [])
})

test('a neighbour that is known by its name is refused at each of its addresses', async t => {
  const { port, reached } = await listeningEverywhere(t)
  const neighbours = [{ hostname: 'etcd.lan', port }]
  const allowedHosts = ['127.0.0.0/8', 'fine.example']
  const policy = createTargetPolicy({ ...NOTHING_OWN, allowedHosts, neighbours })
  const made = createDeliverer({ policy: () => policy, version: '1', resolve: toLoopback })
  t.after(() => made.close())
  for (const host of ['127.0.0.1', 'fine.example', 'etcd.lan', '127.0.0.2']) {
    const { error } = await made.deliver({ url: `http://${host}:${port}/`, headers: {}, body: '{}' })
    assert.equal(error, 'REFUSED_TARGET', host)
  }
  assert.deepEqual(reached, [])
})

test('a name with one allowed and one refused address opens no connection', async t => {
  const { port, reached } = await listeningEverywhere(t)
  for (const answer of [
    ['127.0.0.2', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.2'],
  ]) {
    const { send } = deliverer(t, ['127.0.0.2'], () => Promise.resolve(answer))
    assert.equal((await send(`http://fine.example:${port}/`)).error, 'REFUSED_TARGET')
  }
  assert.deepEqual(reached, [])
})

test('a resolver that alternates between an allowed address and loopback never reaches loopback', async t => {
  const { port, reached } = await listeningEverywhere(t)
  let asked = 0
  const resolve: ResolveName = () => {
    asked += 1
    return Promise.resolve([asked % 2 === 1 ? '127.0.0.2' : '127.0.0.1'])
  }
  const { send } = deliverer(t, ['127.0.0.2'], resolve)
  const outcomes: (number | string | null)[] = []
  for (let turn = 0; turn < 20; turn += 1) {
    const result = await send(`http://fine.example:${port}/`)
    outcomes.push(result.status ?? result.error)
  }
  assert.equal(asked, 20, 'one look-up for each connection')
  assert.deepEqual(new Set(outcomes), new Set([204, 'REFUSED_TARGET']))
  assert.deepEqual(
    reached,
    Array.from({ length: 10 }, () => '127.0.0.2'),
  )
})

test('many simultaneous deliveries with an alternating resolver never reach loopback', async t => {
  const { port, reached } = await listeningEverywhere(t)
  let asked = 0
  const resolve: ResolveName = async () => {
    asked += 1
    const answer = asked % 2 === 1 ? '127.0.0.2' : '127.0.0.1'
    await new Promise(setImmediate)
    return [answer]
  }
  const { send } = deliverer(t, ['127.0.0.2'], resolve)
  await Promise.all(Array.from({ length: 40 }, () => send(`http://fine.example:${port}/`)))
  assert.ok(reached.length > 0)
  assert.deepEqual(new Set(reached), new Set(['127.0.0.2']))
})

test('if the first address of a name does not answer, the next checked address is used', async t => {
  const { port, reached } = await listeningEverywhere(t)
  // Nothing listens on IPv6 here, so the first attempt is refused at once.
  const { send } = deliverer(t, ['127.0.0.1', '::1'], () => Promise.resolve(['::1', '127.0.0.1']))
  assert.equal((await send(`http://fine.example:${port}/`)).status, 204)
  assert.deepEqual(reached, ['127.0.0.1'])
})

test('simultaneous attempts share one look-up of their name, and each checks the result', async t => {
  const { port, reached } = await listeningEverywhere(t)
  const bothConnect = connectsBegun(t, 2)
  const asked: string[] = []
  const resolve: ResolveName = async name => {
    asked.push(name)
    await bothConnect
    return ['127.0.0.1']
  }
  const { send } = deliverer(t, [`fine.example:${port}`], resolve)
  const answers = await Promise.all([
    send(`http://fine.example:${port}/`),
    send(`http://fine.example:${port}/`),
  ])
  assert.deepEqual([asked, answers.map(({ status }) => status)], [['fine.example'], [204, 204]])
  assert.deepEqual(reached, ['127.0.0.1', '127.0.0.1'])
  const refused = await Promise.all([send('http://fine.example:1/'), send('http://fine.example:1/')])
  assert.deepEqual(
    refused.map(({ error }) => error),
    ['REFUSED_TARGET', 'REFUSED_TARGET'],
  )
})
