/**
 * Keeps one account's device in Home Assistant up to date, and carries out its commands. After each
 * connection everything is announced again, because nothing is queued while there is none.
 */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import type { HomeReader } from '#app/home-assistant/read-home.ts'
import type { Log } from '#app/log.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { News } from '#contracts/live.ts'
import { MessageText } from '#contracts/message.ts'
import { HOME_ASSISTANT } from '#contracts/user.ts'
import { VERSION } from '#contracts/version.ts'
import { messageOf } from '#domain/cause.ts'
import { decodeText } from '#domain/decode-text.ts'
import { chooses } from '#domain/forward/chooses.ts'
import { maskCodes } from '#domain/forward/mask-codes.ts'
import {
  type Component,
  describeHome,
  deviceIdOf,
  readCommand,
  stateOf,
  TOPICS,
} from '#domain/home-assistant/describe-home.ts'
import { PRESS_REPEAT_MS, RecentCommands } from '#domain/home-assistant/recent-commands.ts'
import { describeReceived } from '#domain/inbox/describe-received.ts'
import type { ReceivedText } from '#domain/inbox/inbox-reader.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { type Broker, type BrokerMessage, connectBroker } from '#transport/mqtt/connect-broker.ts'

/** Changes that come together are published together. */
const GATHER_MS = 500
/** People, policies and turns change without news. */
const LOOK_AGAIN_MS = 15_000

/** A topic in the log is cut to this length. */
const TOPIC_LENGTH_MAX = 200
const shown = (topic: string) => topic.slice(0, TOPIC_LENGTH_MAX)

export interface BridgePorts {
  readonly config: Config
  readonly publicUrl: string
  readonly accountId: string
  readonly writer: Writer
  readonly reader: HomeReader
  readonly log: Log
}

export class HomeBridge {
  readonly #ports: BridgePorts
  readonly #broker: Broker
  readonly #recent = new RecentCommands()
  readonly #again: NodeJS.Timeout
  #soon: NodeJS.Timeout | undefined
  #published = { discovery: '', state: '' }
  #components: ReadonlyMap<string, Component> = new Map()
  /** The newest received text that was published or is older than the connection; null: there was none. */
  #lastReceived: string | null = null
  #isConnected = false

  constructor(ports: BridgePorts) {
    this.#ports = ports
    const { topic_prefix: prefix, discovery_prefix, url, username, password_file } = ports.config.mqtt
    this.#broker = connectBroker({
      url,
      username,
      password: password_file === '' ? '' : readFileSync(password_file, 'utf8').trim(),
      availabilityTopic: `${prefix}/${TOPICS.availability}`,
      subscribe: [`${prefix}/notify/+`, `${prefix}/${TOPICS.take}`, `${discovery_prefix}/status`],
      connected: () => this.#connected(),
      lost: cause => this.#lost(cause),
      received: message => this.#hear(message),
    })
    this.#again = setInterval(() => this.#refreshSoon(), LOOK_AGAIN_MS)
  }

  /** Something changed. */
  hear(news: readonly News[]): void {
    if (news.some(({ type }) => type === 'received' || type === 'resync')) this.#publishReceived()
    if (news.some(({ type }) => type !== 'message' && type !== 'delivery')) this.#refreshSoon()
  }

  async stop(): Promise<void> {
    clearInterval(this.#again)
    clearTimeout(this.#soon)
    await this.#broker.close()
    this.#ports.reader.close()
  }

  #connected(): void {
    this.#isConnected = true
    this.#ports.log.write('info', 'mqtt.connected', {})
    this.#lastReceived = this.#ports.reader.receivedAfter(null).at(-1)?.id ?? ''
    this.#announce()
  }

  #lost(cause: string): void {
    if (this.#isConnected || this.#lastReceived === null)
      this.#ports.log.write('warn', 'mqtt.lost', { cause })
    this.#isConnected = false
    this.#lastReceived ??= ''
  }

  /** Publishes everything, even if it did not change. */
  #announce(): void {
    this.#published = { discovery: '', state: '' }
    this.#refreshSoon()
  }

  #refreshSoon(): void {
    if (!this.#isConnected) return
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      this.#refresh().catch(error =>
        this.#ports.log.write('warn', 'mqtt.delayed', { cause: messageOf(error) }),
      )
    }, GATHER_MS)
  }

  async #refresh(): Promise<void> {
    const { config, publicUrl, reader } = this.#ports
    const { topic_prefix: prefix, discovery_prefix, received } = config.mqtt
    const home = await reader.home()
    const options = { prefix, version: VERSION, publicUrl, received }
    const { components, payload } = describeHome(home, options, this.#components)
    this.#components = components
    const discovery = JSON.stringify(payload)
    const state = JSON.stringify(stateOf(home))
    if (discovery !== this.#published.discovery)
      this.#broker.publish(`${discovery_prefix}/device/${deviceIdOf(prefix)}/config`, discovery, true)
    if (discovery !== this.#published.discovery || state !== this.#published.state)
      this.#broker.publish(`${prefix}/${TOPICS.state}`, state, true)
    if (this.#published.discovery === '')
      this.#broker.publish(`${prefix}/${TOPICS.availability}`, 'online', true)
    this.#published = { discovery, state }
  }

  #publishReceived(): void {
    const { config, reader } = this.#ports
    if (!config.mqtt.received || !this.#isConnected) return
    for (const text of reader.receivedAfter(this.#lastReceived ?? '')) {
      this.#lastReceived = text.id
      const message = this.#allowedText(text)
      if (message === null) continue
      const { id: _id, ...received } = describeReceived(text)
      const event = { event_type: 'received', ...received, message }
      this.#broker.publish(`${config.mqtt.topic_prefix}/${TOPICS.received}`, JSON.stringify(event), false)
    }
  }

  /** What an event says of a text: all of it for senders that are listed. Null: nothing. */
  #allowedText({ from, text }: ReceivedText): string | null {
    const { mqtt, messages } = this.#ports.config
    if (mqtt.allow.length === 0) return maskCodes(text)
    const country = messages.default_country
    const read = readWrittenNumber(from, country)
    const sent = { from, text, number: typeof read === 'string' ? null : read.e164 }
    const isListed = mqtt.allow.some(one =>
      chooses({ enabled: true, from: one, contains: null }, sent, country),
    )
    return isListed ? text : null
  }

  /** Carries out a command. Never rejects. */
  async #hear({ topic, payload, isRetained }: BrokerMessage): Promise<void> {
    const { config, log } = this.#ports
    const { topic_prefix: prefix, discovery_prefix } = config.mqtt
    const text = decodeText(payload)
    if (topic === `${discovery_prefix}/status`) {
      // Home Assistant has started, and may have forgotten everything.
      if (text === 'online') this.#announce()
      return
    }
    const command = topic.startsWith(`${prefix}/`) ? readCommand(topic.slice(prefix.length + 1)) : null
    // The broker repeats a retained message at each connection.
    if (command === null || isRetained) return
    const name = `${topic} ${text}`
    const repeatMs = command === 'take' ? PRESS_REPEAT_MS : undefined
    const noted = this.#recent.note(name, performance.now(), repeatMs)
    if (noted === 'repeated') return
    if (noted === 'too many') return this.#refuseMore(topic)
    try {
      if (command === 'take') await this.#take()
      else await this.#notify(command.id, text)
    } catch (error) {
      this.#recent.forget(name)
      log.write('warn', 'mqtt.refused', { topic: shown(topic), cause: messageOf(error) })
    }
  }

  #refuseMore(topic: string): void {
    const commands = this.#recent.excess(performance.now())
    if (commands === null) return
    const cause = 'there were 60 commands within a minute'
    this.#ports.log.write('warn', 'mqtt.refused', { topic: shown(topic), commands, cause })
  }

  async #take(): Promise<void> {
    const { writer, accountId, reader } = this.#ports
    const incidentId = reader.oldestIncident()
    if (incidentId === undefined) throw new Error('no incident waits')
    const which = { accountId, incidentId, personId: null, minutes: null }
    await writer.ask('incident.take', which, HOME_ASSISTANT)
  }

  async #notify(id: string, given: string): Promise<void> {
    const { writer, accountId, reader } = this.#ports
    const parsed = v.safeParse(MessageText, given)
    if (!parsed.success) throw new Error(`the text ${parsed.issues[0].message}`)
    const text = parsed.output
    if (id.startsWith('pol_')) {
      await writer.ask('policy.alert', { accountId, policyId: id, text }, HOME_ASSISTANT)
      return
    }
    const person = reader.person(id)
    if (person === undefined) throw new Error('there is no such person')
    const { phoneNumber, country } = person
    const message = plainText({ accountId, phoneNumber, country, text, priority: 'high' })
    await writer.ask('message.accept', { ...message, idempotency: null }, HOME_ASSISTANT)
  }
}
