import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { describeHome, type Home, readCommand, stateOf } from '#domain/home-assistant/describe-home.ts'
import { PRESS_REPEAT_MS, RecentCommands } from '#domain/home-assistant/recent-commands.ts'

const HOME: Home = {
  people: [{ id: 'per_1', name: 'Ada' }],
  policies: [{ id: 'pol_1', name: 'Servers' }],
  rotas: [{ id: 'rot_1', name: 'Evenings', onCall: 'Bob' }],
  phones: [{ id: 'dev_1', name: 'Shelf', isOnline: true, battery: 80, signal: null, isProven: true }],
  openIncidents: 2,
  isWrong: true,
}
const OPTIONS = {
  prefix: 'house/roost',
  version: '1.2.3',
  publicUrl: 'http://roost.local:8080',
  received: true,
}

/**
 * What Home Assistant accepts, in our own words: the discovery payload of a device refuses unknown keys, and
 * each platform needs its own. A topic that is published to has no wildcards, and one level at least.
 */
const topic = v.pipe(v.string(), v.regex(/^[^+#\0]+$/))
const common = {
  name: v.string(),
  unique_id: v.pipe(v.string(), v.regex(/^\w+$/)),
  icon: v.optional(v.pipe(v.string(), v.startsWith('mdi:'))),
}
/** Home Assistant publishes a command once, and no broker keeps it. */
const command = { command_topic: topic, qos: v.literal(2), retain: v.literal(false) }
const diagnostic = v.optional(v.picklist(['config', 'diagnostic']))
const template = v.pipe(v.string(), v.regex(/^\{\{ .* \}\}$/))
const Component = v.variant('platform', [
  v.strictObject({ platform: v.literal('notify'), ...common, ...command }),
  v.strictObject({ platform: v.literal('button'), ...common, ...command }),
  v.strictObject({
    platform: v.literal('sensor'),
    ...common,
    value_template: template,
    device_class: v.optional(v.picklist(['battery', 'signal_strength'])),
    state_class: v.optional(v.literal('measurement')),
    unit_of_measurement: v.optional(v.picklist(['%', 'dBm'])),
    entity_category: diagnostic,
  }),
  v.strictObject({
    platform: v.literal('binary_sensor'),
    ...common,
    value_template: template,
    device_class: v.optional(v.picklist(['connectivity', 'problem'])),
    entity_category: diagnostic,
  }),
  v.strictObject({
    platform: v.literal('event'),
    ...common,
    state_topic: topic,
    event_types: v.pipe(v.array(v.string()), v.minLength(1)),
  }),
])
const Discovery = v.strictObject({
  device: v.strictObject({
    identifiers: v.pipe(v.array(v.string()), v.minLength(1)),
    name: v.string(),
    manufacturer: v.string(),
    model: v.string(),
    sw_version: v.string(),
    configuration_url: v.pipe(v.string(), v.regex(/^https?:\/\//)),
  }),
  origin: v.strictObject({ name: v.string(), sw_version: v.string() }),
  availability_topic: topic,
  state_topic: topic,
  components: v.record(v.string(), Component),
})

test('the announcement is what Home Assistant accepts, with every entity once', () => {
  const { payload } = describeHome(HOME, OPTIONS, new Map())
  const { components } = v.parse(Discovery, payload)
  const ids = Object.values(components).map(({ unique_id }) => unique_id)
  assert.equal(new Set(ids).size, ids.length)
  const kinds = Object.entries(components).map(([key, { platform }]) => `${platform} ${key}`)
  assert.deepEqual(kinds, [
    'notify per_1',
    'notify pol_1',
    'sensor rot_1',
    'binary_sensor dev_1_online',
    'binary_sensor dev_1_proven',
    'sensor dev_1_battery',
    'sensor dev_1_signal',
    'binary_sensor wrong',
    'sensor incidents',
    'button take',
    'event received',
  ])
})

test('each template finds its value in the state', () => {
  const { components } = v.parse(Discovery, describeHome(HOME, OPTIONS, new Map()).payload)
  const state: unknown = JSON.parse(JSON.stringify(stateOf(HOME)))
  const values = Object.entries(components).flatMap(([key, one]) => {
    if (!('value_template' in one)) return []
    const path = [...one.value_template.matchAll(/\['([^']+)'\]/g)].map(([, part]) => part ?? '')
    return [[key, path.reduce<unknown>((value, part) => Object(value)[part], state)]]
  })
  assert.deepEqual(Object.fromEntries(values), {
    rot_1: 'Bob',
    dev_1_online: 'ON',
    dev_1_proven: 'ON',
    dev_1_battery: 80,
    dev_1_signal: null,
    wrong: 'ON',
    incidents: 2,
  })
})

test('received texts are no event unless they are switched on', () => {
  const { payload } = describeHome(HOME, { ...OPTIONS, received: false }, new Map())
  assert.ok(!JSON.stringify(payload).includes('event'))
})

test('an entity that is gone is announced once more with only its platform', () => {
  const before = describeHome(HOME, OPTIONS, new Map())
  const later = describeHome({ ...HOME, people: [] }, OPTIONS, before.components)
  assert.deepEqual((later.payload as { components: object }).components['per_1' as never], {
    platform: 'notify',
  })
  const last = describeHome({ ...HOME, people: [] }, OPTIONS, later.components)
  assert.ok(!JSON.stringify(last.payload).includes('per_1'))
})

test('only our own topics are commands', () => {
  assert.equal(readCommand('take'), 'take')
  assert.deepEqual(readCommand('notify/per_01ABC'), { id: 'per_01ABC' })
  assert.deepEqual(readCommand('notify/pol_01ABC'), { id: 'pol_01ABC' })
  for (const other of ['notify/', 'notify/dev_1', 'notify/per_1/x', 'state', ''])
    assert.equal(readCommand(other), null)
})

test('a command repeated within a minute is one, and a failed one may come again, and counts', () => {
  const recent = new RecentCommands()
  assert.equal(recent.note('a', 0), 'new')
  assert.equal(recent.note('a', 59_999), 'repeated')
  assert.equal(recent.note('a', 60_000), 'new')
  recent.forget('a')
  assert.equal(recent.note('a', 60_001), 'new')
  for (let count = 2; count < 60; count++) assert.equal(recent.note(`${count}`, 60_002), 'new')
  assert.equal(recent.note('z', 60_003), 'too many')
  assert.equal(recent.note('z', 130_000), 'new')
})

test('commands above the bound are spoken of once a minute, with their number', () => {
  const recent = new RecentCommands()
  assert.deepEqual([recent.excess(0), recent.excess(1), recent.excess(59_999)], [1, null, null])
  assert.deepEqual([recent.excess(60_000), recent.excess(60_001)], [3, null])
})

test('a button may be pressed again after five seconds, and other commands after a minute', () => {
  const recent = new RecentCommands()
  const press = (monoMs: number) => recent.note('take PRESS', monoMs, PRESS_REPEAT_MS)
  assert.deepEqual(
    [press(0), press(4_999), press(5_000), press(9_000), press(10_000)],
    ['new', 'repeated', 'new', 'repeated', 'new'],
  )
  recent.note('a', 12_000)
  // The last press counts, so the list stays in the order of time.
  assert.equal(recent.note('a', 71_999), 'repeated')
  assert.equal(recent.note('a', 72_000), 'new')
})
