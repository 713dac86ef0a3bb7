/**
 * The gateway as Home Assistant sees it: one device, whose entities are announced by MQTT discovery.
 *
 * @see https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
 */

export interface Home {
  readonly people: readonly Named[]
  readonly policies: readonly Named[]
  readonly rotas: readonly (Named & { readonly onCall: string })[]
  readonly phones: readonly (Named & {
    readonly isOnline: boolean
    /** Percent. */
    readonly battery: number | null
    /** dBm. */
    readonly signal: number | null
    /** Whether a drill of it came back lately, and its chain is not known to be broken. */
    readonly isProven: boolean
  })[]
  readonly openIncidents: number
  /** Whether the list of problems has any. */
  readonly isWrong: boolean
}

interface Named {
  readonly id: string
  readonly name: string
}

export interface HomeOptions {
  /** `mqtt.topic_prefix`. */
  readonly prefix: string
  readonly version: string
  /** The address of the console. */
  readonly publicUrl: string
  /** Whether received texts are events. */
  readonly received: boolean
}

export type Component = Readonly<Record<string, unknown>> & { readonly platform: string }

/** The topics below the prefix. Commands come on `notify/<id>` and `take`. */
export const TOPICS = { availability: 'availability', state: 'state', received: 'received', take: 'take' }
const NOTIFY = /^notify\/((?:per|pol)_\w{1,40})$/

/** A command arrives once. The device's own `qos` would not reach its entities. */
const COMMAND = { qos: 2, retain: false }

/** What a command wants; null: it is none of ours. `topic`: without the prefix. */
export function readCommand(topic: string): { readonly id: string } | 'take' | null {
  if (topic === TOPICS.take) return 'take'
  const id = NOTIFY.exec(topic)?.[1]
  return id === undefined ? null : { id }
}

/** A name for the device and the topic of its discovery, made of the characters that these may have. */
export function deviceIdOf(prefix: string): string {
  return prefix.replace(/[^\w-]+/g, '_')
}

/** The announcement of the device. `gone`: entities that were announced before and are to be removed. */
export function describeHome(
  home: Home,
  options: HomeOptions,
  gone: ReadonlyMap<string, Component>,
): { readonly components: ReadonlyMap<string, Component>; readonly payload: object } {
  const { prefix, version, publicUrl } = options
  const components = new Map(componentsOf(home, options))
  // An entity of which only the platform is left is removed.
  const removed = [...gone].filter(([key]) => !components.has(key))
  const empty = removed.map(([key, { platform }]) => [key, { platform }] as const)
  const origin = { name: 'Roost', sw_version: version }
  const payload = {
    device: {
      identifiers: [deviceIdOf(prefix)],
      name: 'Roost',
      manufacturer: 'Roost',
      model: 'SMS gateway',
      sw_version: version,
      configuration_url: publicUrl,
    },
    origin,
    availability_topic: `${prefix}/${TOPICS.availability}`,
    state_topic: `${prefix}/${TOPICS.state}`,
    components: Object.fromEntries([...components, ...empty]),
  }
  return { components, payload }
}

/** The values of all sensors. Unknown ones are null. */
export function stateOf({ phones, rotas, openIncidents, isWrong }: Home): object {
  return {
    wrong: onOff(isWrong),
    incidents: openIncidents,
    ...Object.fromEntries(rotas.map(({ id, onCall }) => [id, onCall])),
    ...Object.fromEntries(
      phones.map(({ id, isOnline, battery, signal, isProven }) => [
        id,
        { online: onOff(isOnline), battery, signal, proven: onOff(isProven) },
      ]),
    ),
  }
}

function onOff(isOn: boolean): 'ON' | 'OFF' {
  return isOn ? 'ON' : 'OFF'
}

function* componentsOf(home: Home, { prefix, received }: HomeOptions): Generator<[string, Component]> {
  const unique = (key: string) => ({ unique_id: `${deviceIdOf(prefix)}_${key}` })
  const notify = ({ id, name }: Named) => {
    const command = { command_topic: `${prefix}/notify/${id}`, ...COMMAND }
    return [id, { platform: 'notify', name, ...command, ...unique(id) }] as [string, Component]
  }
  yield* home.people.map(notify)
  yield* home.policies.map(notify)
  for (const { id, name } of home.rotas)
    yield [
      id,
      { platform: 'sensor', name: `On call: ${name}`, icon: 'mdi:account', ...valueAt([id]), ...unique(id) },
    ]
  for (const phone of home.phones)
    for (const [part, component] of phoneParts(phone)) {
      const key = `${phone.id}_${part}`
      yield [key, { ...component, ...valueAt([phone.id, part]), ...unique(key) }]
    }
  const wrong = { platform: 'binary_sensor', name: 'Something is wrong', device_class: 'problem' }
  yield ['wrong', { ...wrong, ...valueAt(['wrong']), ...unique('wrong') }]
  const incidents = { platform: 'sensor', name: 'Open incidents', icon: 'mdi:alert' }
  yield ['incidents', { ...incidents, ...valueAt(['incidents']), ...unique('incidents') }]
  const take = { platform: 'button', name: 'Take the oldest incident', icon: 'mdi:hand-back-right' }
  yield ['take', { ...take, command_topic: `${prefix}/${TOPICS.take}`, ...COMMAND, ...unique('take') }]
  if (!received) return
  const event = {
    platform: 'event',
    name: 'Received text',
    event_types: ['received'],
    icon: 'mdi:message-text',
  }
  yield ['received', { ...event, state_topic: `${prefix}/${TOPICS.received}`, ...unique('received') }]
}

function phoneParts({ name }: Named): readonly (readonly [string, Component])[] {
  const diagnostic = { entity_category: 'diagnostic' }
  const sensor = { platform: 'sensor', state_class: 'measurement', ...diagnostic }
  return [
    [
      'online',
      { platform: 'binary_sensor', name: `${name} online`, device_class: 'connectivity', ...diagnostic },
    ],
    [
      'proven',
      { platform: 'binary_sensor', name: `${name} proven`, icon: 'mdi:check-decagram', ...diagnostic },
    ],
    ['battery', { ...sensor, name: `${name} battery`, device_class: 'battery', unit_of_measurement: '%' }],
    [
      'signal',
      { ...sensor, name: `${name} signal`, device_class: 'signal_strength', unit_of_measurement: 'dBm' },
    ],
  ]
}

/** The template that takes a value out of the state. */
function valueAt(path: readonly string[]) {
  return { value_template: `{{ value_json${path.map(key => `['${key}']`).join('')} }}` }
}
