/**
 * Kills a gateway and its phones with kill -9 under load: phones of every kind at once, each in a process of
 * its own. What the phones transmitted is then compared with the gateway's messages.
 */

import { findRepeated } from '#test/kit/find-repeated.ts'
import { agentPhone, cloudPhone, type FleetPhone, hostedPhone, modemPhone } from '#test/kit/fleet-phones.ts'
import { type Cleaner, GatewayProcess } from '#test/kit/gateway-process.ts'
import { findLoadFaults, LoadClients, type LoadRecords, messagesAtEnd } from '#test/kit/load-clients.ts'
import { ModemWorld, modemManagerMissing } from '#test/kit/modem/modem-world.ts'
import { Random } from '#test/kit/random.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

export interface KillFleetSettings {
  readonly rounds: number
  readonly seed: number
  /** Called after each round; returns whether to run another one. */
  readonly progress?: (round: number) => boolean
}

export interface KillFleetRecords extends LoadRecords {
  readonly phones: readonly (Pick<FleetPhone, 'kind' | 'deviceId'> & {
    /** The ids that it transmitted, in order, repetitions included. */
    readonly transmitted: readonly string[]
    readonly kills: number
  })[]
  readonly gatewayKills: number
}

const CLIENTS = 4
/** A round ends after this many events at most. An event is an answer to a client, or output of a phone. */
const EVENTS_MAX = 80

const ENV = {
  ROOST_DEVICES__ALLOWED_HOSTS: '["127.0.0.1"]',
  ROOST_DEVICES__SEGMENTS_PER_MINUTE: '6000',
  ROOST_DEVICES__SEGMENTS_BURST: '100',
}

export async function killFleet(t: Cleaner, settings: KillFleetSettings): Promise<KillFleetRecords> {
  const { rounds, seed, progress = () => true } = settings
  const dice = new Random(seed)
  const world = modemManagerMissing() === false ? await ModemWorld.start(t, temporaryDirectory(t)) : null
  const env = { ...ENV, ...(world !== null && { DBUS_SYSTEM_BUS_ADDRESS: world.address }) }
  const gateway = await GatewayProcess.start(t, { env })
  const phones = [
    await agentPhone({ gateway, name: 'agent' }),
    await agentPhone({ gateway, name: 'slow', isSlow: true }),
    await hostedPhone({ gateway, name: 'hosted' }, dice),
    await cloudPhone({ gateway, name: 'cloud one' }),
    await cloudPhone({ gateway, name: 'cloud two' }),
    ...(world === null ? [] : [await modemPhone({ gateway, name: 'modem' }, world)]),
  ]
  for (const phone of phones) t.after(() => phone.kill())
  await sendFirstText(gateway, phones)
  const pinTo = phones.map(({ deviceId }) => deviceId)
  const clients = new LoadClients(gateway, { dice, count: CLIENTS, pinTo })
  const fleet = new Fleet({ gateway, phones, clients, dice })
  for (let round = 1; round <= rounds; round++) {
    await fleet.loadAndKill()
    if (!progress(round)) break
  }
  await fleet.startAll()
  await clients.settle()
  const messages = await messagesAtEnd(gateway)
  await Promise.all(phones.map(phone => phone.kill()))
  return { ...clients.records(messages), ...fleet.records(messages) }
}

/**
 * Sends a text through SMSGate's local server before the first kill. After a kill the gateway asks the phone
 * whether it knows the interrupted text. It believes a "no" only from a phone that still knows an earlier
 * text. This is the earlier text.
 */
async function sendFirstText(gateway: GatewayProcess, phones: readonly FleetPhone[]): Promise<void> {
  const { deviceId } = phones.find(({ kind }) => kind === 'hosted') ?? {}
  const first = await gateway.send('before the rounds', { deviceId, queueIfOffline: true })
  await gateway.reached(first, 'delivered')
}

interface FleetParts {
  readonly gateway: GatewayProcess
  readonly phones: readonly FleetPhone[]
  readonly clients: LoadClients
  readonly dice: Random
}

class Fleet {
  readonly #parts: FleetParts
  readonly #kills = new Map<FleetPhone, number>()
  readonly #down: Set<FleetPhone>
  #gatewayKills = 0
  /** Called when a client gets an answer or a phone prints something. */
  #count: () => void = () => {}

  constructor(parts: FleetParts) {
    this.#parts = parts
    this.#down = new Set(parts.phones)
  }

  records(messages: readonly Message[]): Pick<KillFleetRecords, 'phones' | 'gatewayKills'> {
    const ids = new Map(messages.map(({ message, messageId }) => [message, messageId]))
    const idOf = (text: string) => ids.get(text) ?? text
    const phones = this.#parts.phones.map(phone => {
      const { kind, deviceId } = phone
      return { kind, deviceId, transmitted: phone.transmitted(idOf), kills: this.#kills.get(phone) ?? 0 }
    })
    return { phones, gatewayKills: this.#gatewayKills }
  }

  /** Starts all phones that are down. */
  async startAll(): Promise<void> {
    const down = [...this.#down]
    this.#down.clear()
    await Promise.all(down.map(phone => phone.start(() => this.#count())))
  }

  /** Sends texts. After some events it may kill the gateway and phones. A killed gateway is restarted. */
  async loadAndKill(): Promise<void> {
    const { gateway, phones, clients, dice } = this.#parts
    await this.startAll()
    let left = 1 + dice.below(EVENTS_MAX)
    const killsGateway = !dice.chance(1 / 3)
    const victims = phones.filter(() => dice.chance(1 / 3))
    this.#count = () => {
      if (--left === 0 && killsGateway) gateway.program.child.kill('SIGKILL')
    }
    await clients.load(
      () => left > 0,
      () => this.#count(),
    )
    for (const phone of victims) {
      this.#down.add(phone)
      this.#kills.set(phone, (this.#kills.get(phone) ?? 0) + 1)
    }
    await Promise.all(victims.map(phone => phone.kill()))
    if (!killsGateway) return
    this.#gatewayKills++
    await gateway.program.ended
    await gateway.restart()
  }
}

/** All faults that the records show. */
export function findFleetFaults(records: KillFleetRecords): string[] {
  const { messages, phones } = records
  const senders = new Map<string, Set<string>>()
  for (const { deviceId, transmitted } of phones)
    for (const id of transmitted) {
      const messageId = messageIdIn(id)
      senders.set(messageId, (senders.get(messageId) ?? new Set()).add(`${deviceId} ${id}`))
    }
  const unknown = messages.filter(isUnknown)
  const careful = phones.filter(isCareful)
  const kills = careful.reduce((sum, phone) => sum + phone.kills, 0)
  return [
    ...findLoadFaults(records),
    ...[...senders].filter(([, by]) => by.size > 1).map(([id, by]) => `sent twice: ${id} by ${[...by]}`),
    ...careful.flatMap(({ kind, transmitted }) =>
      findRepeated(transmitted).map(id => `sent twice by the ${kind}: ${id}`),
    ),
    ...messages.flatMap(message => faultsOfEnd(message, senders.has(message.messageId))),
    // A kill of the agent or of ModemManager leaves one outcome unknown at most: that of the text in hand.
    ...(unknown.length > kills ? [`${unknown.length} unknown, ${kills} kills of agents and modems`] : []),
  ]
}

type Message = KillFleetRecords['messages'][number]

/** Whether the phone never sends a text again by itself. */
const isCareful = ({ kind }: Pick<FleetPhone, 'kind'>) => kind === 'agent' || kind === 'modem'

export const isUnknown = ({ failure }: Message) => failure?.code === 'OUTCOME_UNKNOWN'

function faultsOfEnd(message: Message, wasSent: boolean): string[] {
  const { messageId, status, failure } = message
  const isSent = status === 'sent' || status === 'delivered'
  if (isSent && !wasSent) return [`${status}, but never transmitted: ${messageId}`]
  return isSent || isUnknown(message) ? [] : [`${messageId} ended ${status} ${failure?.code}`]
}

/** Texts that an app sent again by itself, because it died before it stored the transmission. */
export function repeatedByApps({ phones }: KillFleetRecords): number {
  return phones.reduce(
    (sum, phone) => sum + (isCareful(phone) ? 0 : findRepeated(phone.transmitted).length),
    0,
  )
}

const messageIdIn = (id: string) => id.split('.')[0] ?? id
