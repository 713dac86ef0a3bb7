import { connect, connectAsync, type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt'
import { messageOf } from '#domain/cause.ts'

const KEEP_ALIVE_S = 30
const CONNECT_MS_MAX = 10_000
/** Pause before the next connection. */
const RECONNECT_MS = 5_000
/** A command has a text of 1,600 characters. Nothing longer is read. */
const PACKET_BYTES_MAX = 16_384
/** Answers of a broker that does not speak this version. */
const OTHER_VERSION: ReadonlySet<unknown> = new Set([undefined, 1, 132])

export interface BrokerOptions {
  /** `mqtt://` or `mqtts://`. */
  readonly url: string
  readonly username: string
  readonly password: string
  /** The topic that says `online`, and `offline` when the connection is lost. */
  readonly availabilityTopic: string
  /** Filters of topics. */
  readonly subscribe: readonly string[]
  /** Pause before the next connection, for tests. Default: five seconds. */
  readonly reconnectMs?: number
  /** Called after each connection, when the topics are subscribed. */
  readonly connected: () => void
  /** Called when a connection is lost or cannot be made. */
  readonly lost: (cause: string) => void
  /** Called for each message. It is acknowledged when the promise resolves. */
  readonly received: (message: BrokerMessage) => Promise<void>
}

export interface BrokerMessage {
  readonly topic: string
  readonly payload: Uint8Array
  readonly isRetained: boolean
}

export interface Broker {
  /** Publishes once, or not at all while there is no connection. */
  publish(topic: string, payload: string, isRetained: boolean): void
  /** Says `offline` and ends the connection. */
  close(): Promise<void>
}

/** Connects to a broker, with a clean session each time, and again whenever the connection is lost. */
export function connectBroker(options: BrokerOptions): Broker {
  const { url, username, password, availabilityTopic, subscribe } = options
  const client = connect(url, {
    ...(username !== '' && { username, password }),
    clean: true,
    resubscribe: false,
    queueQoSZero: false,
    keepalive: KEEP_ALIVE_S,
    connectTimeout: CONNECT_MS_MAX,
    reconnectPeriod: options.reconnectMs ?? RECONNECT_MS,
    reconnectOnConnackError: true,
    // Otherwise it sends its first packet before anything listens.
    manualConnect: true,
    // With version 5 a broker leaves out what is too long for us. Without, its packet ends the connection.
    protocolVersion: 5,
    properties: { maximumPacketSize: PACKET_BYTES_MAX },
    will: { topic: availabilityTopic, payload: Buffer.from('offline'), qos: 1, retain: true },
  } satisfies IClientOptions)
  let fault: unknown = CLOSED
  let isVersionKnown = false
  client.on('error', error => {
    fault = error
  })
  client.on('packetsend', ({ cmd }) => {
    if (cmd === 'connect') boundPackets(client.stream, tooLong => (fault = tooLong))
  })
  client.on('close', () => {
    const { protocolVersion } = client.options
    if (!isVersionKnown && OTHER_VERSION.has(Object(fault).code))
      client.options.protocolVersion = protocolVersion === 5 ? 4 : 5
    options.lost(messageOf(fault))
  })
  client.on('connect', () => {
    fault = CLOSED
    isVersionKnown = true
    client.subscribe([...subscribe], { qos: 2 }, error => {
      if (error != null) return options.lost(error.message)
      options.connected()
    })
  })
  // An unknown packet ends with an acknowledgement, too: otherwise the broker would send nothing more.
  client.handleMessage = ({ topic, payload, retain }: IPublishPacket, done) => {
    const message = { topic, payload: Buffer.from(payload), isRetained: retain }
    void options.received(message).finally(() => done())
  }
  client.connect()
  const publish = (topic: string, payload: string, retain: boolean) => {
    // Quality 0: the library keeps nothing of it for the next connection.
    if (client.connected) client.publish(topic, payload, { qos: 0, retain })
  }
  return {
    publish,
    async close() {
      publish(availabilityTopic, 'offline', true)
      await client.endAsync(false).catch(() => undefined)
    },
  }
}

/** Ends a connection whose broker sends a packet that is too long, before the packet is read. */
function boundPackets(stream: MqttClient['stream'], refused: (fault: Error) => void): void {
  const lengths = new PacketLengths(PACKET_BYTES_MAX)
  stream.on('data', (chunk: Uint8Array) => {
    if (stream.destroyed || lengths.follow(chunk)) return
    const fault = new Error(`a packet of the broker is longer than ${PACKET_BYTES_MAX} bytes`)
    refused(fault)
    stream.destroy(fault)
  })
}

const CLOSED = new Error('the broker closed the connection')

/** Connects once. Returns what prevents it; null: nothing. */
export async function tryBroker(
  options: Pick<BrokerOptions, 'url' | 'username' | 'password'>,
): Promise<string | null> {
  const { url, username, password } = options
  try {
    const login = username === '' ? {} : { username, password }
    const client = await connectAsync(
      url,
      { ...login, connectTimeout: CONNECT_MS_MAX, reconnectPeriod: 0 },
      false,
    )
    await client.endAsync()
    return null
  } catch (error) {
    return messageOf(error)
  }
}

/**
 * Follows the lengths of the packets of an MQTT connection, which stand in their first bytes (MQTT 5, section
 * 2.1). The library would keep a packet in memory until its last byte has come, however long it says it is.
 */
export class PacketLengths {
  readonly #most: number
  /** Bytes of the current packet that have not come. */
  #left = 0
  /** The head of the current packet: how many bytes have come, and the length that they say so far. */
  #headBytes = 0
  #length = 0

  /** `most`: bytes of a whole packet. */
  constructor(most: number) {
    this.#most = most
  }

  /** Whether all packets that begin in this chunk are short enough. */
  follow(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const passed = Math.min(this.#left, chunk.length - at)
        this.#left -= passed
        at += passed
        continue
      }
      const byte = chunk[at] ?? 0
      at += 1
      this.#headBytes += 1
      if (this.#headBytes === 1) continue
      // Seven bits in each byte, the lowest first. The highest bit says that another byte follows.
      this.#length += (byte & 0x7f) * 0x80 ** (this.#headBytes - 2)
      if (this.#headBytes + this.#length > this.#most || this.#headBytes > 5) return false
      if (byte >= 0x80) continue
      this.#left = this.#length
      this.#headBytes = 0
      this.#length = 0
    }
    return true
  }
}
