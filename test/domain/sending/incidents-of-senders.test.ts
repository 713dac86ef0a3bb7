import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startIncidents } from '#test/kit/incident-world.ts'

const MINUTE = 60_000

describe('an acknowledgement by the sender', () => {
  const text = 'ACKNOWLEDGED nas: by admin'

  test('takes the incident for the owner, in the words of the sender', () => {
    const { alarm, news, world, incidents } = startIncidents()
    const { incidentId } = alarm()
    news()
    assert.equal(alarm('nas', { state: 'acknowledged' }, text).incidentId, incidentId)
    assert.deepEqual(news(), [`ada: Owner has it: ${text}`])
    const [one] = incidents()
    assert.deepEqual([one?.state, one?.takenBy], ['taken', 'owner'])
    world.advance(30 * MINUTE)
    assert.deepEqual(news(), [])
  })

  test('takes nothing from a person who has it, and opens nothing', () => {
    const { alarm, news, says, incidents } = startIncidents()
    alarm()
    says('ada', '2')
    news()
    alarm('nas', { state: 'acknowledged' }, text)
    alarm('router', { state: 'acknowledged' }, text)
    const [one, ...others] = incidents()
    assert.deepEqual([news(), one?.takenBy === 'owner', others.length], [[], false, 0])
  })
})

test('an acknowledgement in a line of Icinga takes the incident', () => {
  const { post, incidents } = startIncidents()
  post({ body: 'PROBLEM nas http: HTTP CRITICAL: HTTP/1.0 500' })
  post({ body: 'ACKNOWLEDGEMENT nas http: HTTP CRITICAL: HTTP/1.0 500' })
  assert.deepEqual([incidents()[0]?.takenBy, incidents().length], ['owner', 1])
})

describe('a recovery that finds no incident', () => {
  test('is told once an hour to those who were told of another, and closes nothing', () => {
    const { alarm, over, news, world, incidents } = startIncidents()
    over('roof')
    assert.deepEqual(news(), [])
    alarm()
    news()
    assert.equal(over('pump').incidentId, null)
    over('boiler')
    assert.deepEqual(news(), ['ada: UP pump'])
    assert.equal(incidents()[0]?.state, 'open')
    over()
    news()
    world.advance(61 * MINUTE)
    over('boiler')
    assert.deepEqual(news(), ['ada: UP boiler'])
    world.advance(8 * 24 * 60 * MINUTE)
    over('pump')
    assert.deepEqual(news(), [])
  })

  test('is told to nobody if its sender has ended its incident already', () => {
    const { alarm, over, news, world } = startIncidents()
    alarm()
    over()
    news()
    world.advance(5 * MINUTE)
    assert.deepEqual([over().incidentId, news()], [null, []])
  })

  test('is told to nobody if a person closed the incident, or the key is of another one', () => {
    const { alarm, over, news, says } = startIncidents()
    alarm('nas', { key: 'id:1' })
    news()
    alarm('nas', { key: 'id:2', state: 'recovered' }, 'UP nas')
    assert.deepEqual(news(), [])
    says('ada', '2 done')
    news()
    over()
    assert.deepEqual(news(), [])
  })
})

test('each summary of what the cap held back is told to the person who has its incident', () => {
  const { alarm, says, news, world } = startIncidents({ fields: { maxPerHour: 1, summarizeOverflow: true } })
  alarm('nas')
  assert.throws(() => alarm('router'), { code: 'RATE_LIMIT_EXCEEDED' })
  says('ada', '3 3d')
  news()
  world.advance(61 * MINUTE)
  const summary = news().filter(text => text.includes('DOWN router'))
  assert.equal(summary.length, 1, summary.join('\n'))
  assert.match(String(summary[0]), /^ada: Also: /)
})

describe('a group of alerts', () => {
  const group = (status: 'firing' | 'resolved', hosts: Readonly<Record<string, 'firing' | 'resolved'>>) => ({
    contentType: 'application/json',
    body: {
      version: '4',
      status,
      groupKey: '{}:{alertname="InstanceDown"}',
      groupLabels: { alertname: 'InstanceDown' },
      commonLabels: { alertname: 'InstanceDown', severity: 'critical' },
      alerts: Object.entries(hosts).map(([instance, status]) => ({
        status,
        labels: { alertname: 'InstanceDown', instance, severity: 'critical' },
        annotations: { summary: `Instance ${instance} down` },
        fingerprint: `f0${instance}`,
        startsAt: '2026-11-28T15:44:00Z',
      })),
    },
  })

  for (const gather of [false, true])
    test(`tells once of a host that joins, and ends with all of them (gather: ${gather})`, () => {
      const { post, says, news, world, incidents } = startIncidents({ fields: { gather } })
      const { incidentId } = post(group('firing', { nas: 'firing' }))
      assert.deepEqual(news(), ['ada: CRITICAL InstanceDown: Instance nas down\nReply 2: I take it'])
      says('ada', '2')
      news()
      world.advance(5 * MINUTE)
      assert.equal(post(group('firing', { nas: 'firing', web1: 'firing' })).incidentId, incidentId)
      assert.deepEqual(news(), ['ada: Also: InstanceDown: web1'])
      world.advance(5 * MINUTE)
      post(group('firing', { nas: 'resolved', web1: 'firing' }))
      post(group('firing', { nas: 'firing', web1: 'firing', web2: 'resolved' }))
      post(group('firing', { nas: 'resolved', web1: 'firing' }))
      assert.deepEqual([news(), incidents()[0]?.state], [[], 'taken'])
      assert.equal(post(group('resolved', { web1: 'resolved' })).incidentId, incidentId)
      assert.deepEqual(news(), ['ada: 2 up again: nas, web1'])
      assert.equal(incidents()[0]?.closedBy, 'sender')
    })

  test('ends without the host that its sender has silenced, which comes again as a new one', () => {
    const { post, news, incidents } = startIncidents()
    post(group('firing', { nas: 'firing', web1: 'firing' }))
    news()
    const { body, ...type } = group('resolved', { nas: 'resolved' })
    post({ ...type, body: { ...body, truncatedAlerts: 1 } })
    assert.deepEqual([news(), incidents()[0]?.state], [[], 'open'])
    post({ body, ...type })
    assert.deepEqual(news(), ['ada: RESOLVED InstanceDown: nas'])
    assert.deepEqual([incidents()[0]?.state, incidents()[0]?.closedBy], ['closed', 'sender'])
    post(group('firing', { web1: 'firing' }))
    assert.deepEqual(news(), ['ada: CRITICAL InstanceDown: Instance web1 down\nReply 3: I take it'])
  })

  test('tells once of a host that joins in a storm', () => {
    const { alarm, post, news, world } = startIncidents({ fields: { gather: true } })
    post(group('firing', { nas: 'firing' }))
    for (const thing of ['a', 'b', 'c', 'd']) alarm(thing)
    post(group('firing', { nas: 'firing', web1: 'firing' }))
    world.advance(10 * MINUTE)
    const texts = news()
    assert.equal(texts.filter(text => /^ada: (?!Still).*web1/.test(text)).length, 1, texts.join('\n'))
  })

  test('of 300 hosts ends with a text that names the first and counts the others', () => {
    const { post, news, incidents } = startIncidents()
    const all = (status: 'firing' | 'resolved') =>
      group(status, Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`svc${i + 1}:9100`, status])))
    post(all('firing'))
    news()
    post(all('resolved'))
    const [end, ...others] = news()
    assert.match(String(end), /^ada: 300 up again: svc1:9100, svc2:9100, .* \+\d+$/)
    assert.deepEqual([others, incidents()[0]?.state], [[], 'closed'])
  })
})

describe('a text that names many things says how many others there are, above the line that asks', () => {
  const name = (i: number) => `host${i}.example.org:9100`
  /** How many of the things it names whole, and how many it only counts. */
  const counted = (text = '') => {
    const named = text.match(/\bhost\d+\.example\.org:9100(?=,| \+)/g)?.length ?? 0
    const more = Number(/ \+(\d+)(?:\. 4 still down)?\nReply 2: I take it$/.exec(text)?.[1])
    return { named, all: named + more }
  }

  test('where a group grows', () => {
    const { alarm, news } = startIncidents()
    const group = (count: number) => {
      const things = Array.from({ length: count }, (_, i) => ({
        key: `g#${i}`,
        name: name(i),
        isOver: false,
      }))
      alarm('InstanceDown', { key: 'g', things }, `CRITICAL InstanceDown: ${count} firing`)
    }
    group(100)
    news()
    group(300)
    const [text, ...others] = news()
    const { named, all } = counted(text)
    assert.deepEqual([named > 10, all, others], [true, 200, []])
  })

  test('where a storm is told', () => {
    const { alarm, news, world } = startIncidents({ fields: { gather: true } })
    for (let i = 1; i <= 60; i++) alarm(name(i))
    news()
    world.advance(MINUTE)
    const { named, all } = counted(news().find(text => text.includes(' down: ')))
    assert.deepEqual([named > 10, all], [true, 56])
  })
})
