import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { startGateway } from '#test/kit/gateway.ts'

/** Debian's package `prometheus`. */
const PROMTOOL = '/usr/bin/promtool'

const gateway = await startGateway({ config: { http: { listeners: 2 }, log: { level: 'debug' } } })
after(() => gateway.stop())
const owner = await gateway.owner()

/** The value of each sample, by its name with labels. */
async function scrape(): Promise<Map<string, number>> {
  const { status, headers, text } = await gateway.call('GET', '/metrics')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const samples = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const match = /^([a-z_0-9]+(?:\{.*\})?) (\S+)$/.exec(line)
    assert.ok(match?.[1] !== undefined && !Number.isNaN(Number(match[2])), `not a sample: ${line}`)
    assert.ok(!samples.has(match[1]), `${match[1]} appears twice`)
    samples.set(match[1], Number(match[2]))
  }
  return samples
}

const send = {
  key: owner.testKey,
  json: { phoneNumber: '+15005550003', message: 'a text that nobody else sees' },
}

test('metrics count answers, commits and queued messages', async () => {
  const before = await scrape()
  const sent = await gateway.call('POST', '/api/v1/sms/send', send)
  await gateway.call('GET', `/api/v1/sms/${sent.json?.data['messageId']}`, { key: owner.testKey })
  await gateway.call('GET', '/api/v1/sms/msg_00000000000000000000000000', { key: owner.testKey })
  const later = await scrape()
  const gain = (name: string) => (later.get(name) ?? 0) - (before.get(name) ?? 0)
  const requests = (labels: string) => gain(`roost_http_requests_total{${labels}}`)
  assert.equal(requests('route="/api/v1/sms/send",method="post",status="200"'), 1)
  assert.equal(requests('route="/api/v1/sms/{messageId}",method="get",status="200"'), 1)
  assert.equal(requests('route="/api/v1/sms/{messageId}",method="get",status="404"'), 1)
  assert.equal(gain('roost_http_request_duration_seconds_count{route="/api/v1/sms/send",method="post"}'), 1)
  assert.equal(gain('roost_message_transitions_total{status="queued"}'), 1)
  assert.ok(gain('roost_writer_batch_commands_sum') >= 1)
  assert.ok(gain('roost_writer_batch_duration_seconds_sum') > 0)
  assert.equal(later.get('roost_devices{status="online"}'), 0)
  assert.equal(later.get('roost_writer_commands_waiting'), 0)
  assert.equal(later.get('roost_pool_tasks_waiting'), 0)
  assert.equal(later.get('roost_threads_silent'), 0)
  const open = [...later].filter(([name]) => name.startsWith('roost_messages_open{'))
  assert.equal(open.length, 5)
  assert.equal(
    open.reduce((sum, [, value]) => sum + value, 0),
    1,
  )
})

test('the metrics follow the rules of Prometheus', async () => {
  const { text } = await gateway.call('GET', '/metrics')
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]))
  for (const [, name] of text.matchAll(/^(\w+)\{[^}]*quantile=/gm)) assert.equal(types.get(name), 'summary')
  for (const [name = '', type] of types) assert.equal(name.endsWith('_total'), type === 'counter', name)
  const { status, stderr, error } = spawnSync(PROMTOOL, ['check', 'metrics'], { input: text })
  // The rules above are those that a mistake here would break; the tool of Prometheus knows all of them.
  if (error === undefined) assert.equal(status, 0, String(stderr))
})

test('every thread reports its event loop and its heap', async () => {
  const samples = await scrape()
  for (const thread of ['main', 'writer', 'listener 1', 'listener 2']) {
    assert.ok((samples.get(`roost_thread_heap_bytes{thread="${thread}"}`) ?? 0) > 1e6, thread)
    const delay = samples.get(`roost_event_loop_delay_seconds{thread="${thread}",quantile="0.99"}`)
    assert.ok(delay !== undefined && delay >= 0 && delay < 60, thread)
  }
  assert.ok((samples.get('process_resident_memory_bytes') ?? 0) > 1e7)
})

test('a refusal of the limiter is counted', async () => {
  const { liveKey } = await gateway.account('slow@roost.test', 'free')
  const before = await scrape()
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => gateway.call('GET', '/api/v1/account/usage', { key: liveKey })),
  )
  const refused = answers.filter(({ status }) => status === 429).length
  assert.ok(refused >= 1)
  const name = 'roost_limiter_refusals_total{bucket="account"}'
  assert.equal((await scrape()).get(name), (before.get(name) ?? 0) + refused)
})

test('many simultaneous requests for metrics are all answered', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, scrape))
  for (const samples of answers) assert.equal(samples.get('roost_threads_silent'), 0)
})

test('neither metrics nor the log contain a key, a number, a text or a path', async () => {
  const { text } = await gateway.call('GET', '/metrics')
  await gateway.call('GET', '/api/v1/nothing/sk_live_in_a_path?token=secret-in-a-query')
  const log = JSON.stringify(gateway.log)
  const secrets = [owner.testKey, owner.token, '5005550003', 'nobody else sees', 'in_a_path', 'in-a-query']
  for (const secret of secrets) {
    assert.ok(!text.includes(secret), `metrics contain ${secret}`)
    assert.ok(!log.includes(secret), `the log contains ${secret}`)
  }
})

test('a request is one line of the log, with the template of its path', async () => {
  const headers = { 'X-Request-Id': 'one-of-a-kind' }
  await gateway.call('GET', '/api/v1/sms/msg_00000000000000000000000000', { key: owner.testKey, headers })
  // A thread posts its log line before it answers. The main thread writes it before its own later answer.
  await scrape()
  const lines = gateway.log.filter(({ fields }) => fields['requestId'] === 'one-of-a-kind')
  assert.equal(lines.length, 1)
  assert.equal(lines[0]?.level, 'debug')
  const { ms, ...fields } = lines[0]?.fields ?? {}
  assert.ok(typeof ms === 'number' && ms >= 0)
  const expected = {
    route: '/api/v1/sms/{messageId}',
    method: 'get',
    status: 404,
    requestId: 'one-of-a-kind',
  }
  assert.deepEqual(fields, expected)
})
