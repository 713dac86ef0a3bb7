import { connect, connectAsync, type IClientOptions, type IPublishPacket } from 'mqtt'
import { messageOf } from '#domain/cause.ts'

const KEEP_ALIVE_S = 30
const CONNECT_MS_MAX = 10_000
/** Pause before the next connection. */
const RECONNECT_MS = 5_000

export interface BrokerOptions {
  /** `mqtt://` or `mqtts://`. */
  readonly url: string
  readonly username: string
  readonly password: string
  /** The topic that says `online`, and `offline` when the connection is lost. */
  readonly availabilityTopic: string
  /** Filters of topics. */
  readonly subscribe: readonly string[]
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
    reconnectPeriod: RECONNECT_MS,
    will: { topic: availabilityTopic, payload: Buffer.from('offline'), qos: 1, retain: true },
  } satisfies IClientOptions)
  let cause = 'the broker closed the connection'
  client.on('error', error => {
    cause = error.message
  })
  client.on('close', () => options.lost(cause))
  client.on('connect', () => {
    cause = 'the broker closed the connection'
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
