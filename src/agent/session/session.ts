/**
 * One connection, in the order of the protocol: hello, welcome, sync, synced, then messages until it ends.
 */
import { type Clock, repeat } from '#agent/clock.ts'
import {
  type Connection,
  type ConnectionEnd,
  type GatewayAddress,
  openConnection,
} from '#agent/connection.ts'
import type { Identity } from '#agent/identity.ts'
import type { Journal } from '#agent/journal.ts'
import { type KnownFrame, readGatewayFrame } from '#agent/session/gateway-frame.ts'
import type { AgentFrame, Link } from '#agent/session/link.ts'
import type { Observer } from '#agent/session/observer.ts'
import type { OfferQueue } from '#agent/session/offer-queue.ts'
import type { Reporter } from '#agent/session/reporter.ts'
import type { Ringer } from '#agent/session/ringer.ts'
import { syncFrames } from '#agent/session/sync-frames.ts'
import { AGENT_WELCOME_MS_MAX } from '#contracts/bounds.ts'
import { DEVICE_PROTOCOL } from '#contracts/device-frames.ts'

/** Interval of the agent's timer for the connection's liveness, repeated reports and times to live. */
const AGENT_TICK_MS = 1_000
/** After this many ping intervals without a frame, the agent gives up the connection. */
const AGENT_PINGS_MISSED_MAX = 3
/**
 * The agent waits this long for the gateway to answer the WebSocket close handshake, then drops the socket.
 */
const AGENT_CLOSE_MS_MAX = 2_000

export interface AgentSessionPorts {
  readonly journal: Journal
  readonly offers: OfferQueue
  readonly reporter: Reporter
  readonly observer: Observer
  readonly ringer: Ringer
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Called for a broken journal or a bug, after which the agent cannot continue. */
  readonly fault: (error: unknown) => void
}

export interface SessionInput {
  readonly identity: Identity & Pick<GatewayAddress, 'isOwnGateway'>
  readonly bootId: string
  readonly appVersion: string
  readonly platform: string
  readonly driver: string
  /** Aborts when the session must close its socket with a closing handshake. */
  readonly close: AbortSignal
}

/** Connects and exchanges frames. Resolves when the connection has ended. */
export function runSession(ports: AgentSessionPorts, input: SessionInput): Promise<ConnectionEnd> {
  return new Promise(resolve => {
    new Session(ports, input, resolve)
  })
}

class Session {
  readonly #ports: AgentSessionPorts
  readonly #input: SessionInput
  readonly #connection: Connection
  readonly #stopTicking: () => void
  /** Null until `synced`. */
  #link: Link | null = null
  #session: string | null = null
  #heardMs: number
  #silenceMsMax = AGENT_WELCOME_MS_MAX

  constructor(ports: AgentSessionPorts, input: SessionInput, resolve: (end: ConnectionEnd) => void) {
    this.#ports = ports
    this.#input = input
    this.#heardMs = ports.clock.monotonicMs()
    let stopWaiting = () => {}
    const close = () => {
      this.#connection.close()
      const giveUp = () => this.#connection.terminate('the gateway does not answer the closing handshake')
      stopWaiting = ports.clock.after(AGENT_CLOSE_MS_MAX, giveUp)
    }
    this.#connection = openConnection(input.identity, {
      opened: () => this.#guarded(() => this.#hello()),
      heard: () => {
        // Until `welcome` arrives, one limit covers the whole wait. Other frames and pings do not extend it.
        if (this.#session !== null) this.#heardMs = ports.clock.monotonicMs()
      },
      frame: text => this.#guarded(() => this.#receive(text)),
      ended: end => {
        this.#stopTicking()
        stopWaiting()
        input.close.removeEventListener('abort', close)
        this.#detach()
        resolve(end)
      },
    })
    this.#stopTicking = repeat(ports.clock, AGENT_TICK_MS, () => this.#guarded(() => this.#tick()))
    input.close.addEventListener('abort', close, { once: true })
  }

  #guarded(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#ports.fault(error)
    }
  }

  #send(frame: AgentFrame): void {
    this.#connection.send(JSON.stringify(frame))
  }

  #hello(): void {
    const { bootId, platform, driver } = this.#input
    const { sims, trouble, receiveTrouble, receives, appVersion } = this.#ports.observer
    const version = { appVersion: appVersion ?? this.#input.appVersion }
    const calls = this.#ports.ringer.canRing
    const about = { ...version, platform, driver, trouble, receiveTrouble, receives, calls, sims: [...sims] }
    this.#send({ type: 'hello', protocol: DEVICE_PROTOCOL, bootId, ...about })
  }

  #tick(): void {
    const silenceMs = this.#ports.clock.monotonicMs() - this.#heardMs
    if (silenceMs > this.#silenceMsMax) {
      this.#connection.terminate(`the gateway was silent for ${Math.round(silenceMs / 1000)} s`)
      return
    }
    if (this.#link === null) return
    this.#ports.offers.tick()
    this.#ports.reporter.flush()
  }

  #receive(text: string): void {
    const frame = readGatewayFrame(text)
    if (frame === null) this.#ports.log('Ignored an unknown frame of the gateway.')
    else if (frame.type === 'welcome') this.#welcome(frame)
    else if (frame.type === 'synced') this.#synced()
    else if (this.#link !== null) this.#handle(this.#link, frame)
  }

  #welcome(frame: Extract<KnownFrame, { type: 'welcome' }>): void {
    if (this.#session !== null) return
    this.#session = frame.session
    this.#heardMs = this.#ports.clock.monotonicMs()
    this.#silenceMsMax = frame.pingEverySeconds * 1000 * AGENT_PINGS_MISSED_MAX
    for (const sync of syncFrames(this.#ports.journal.messages.values())) this.#send(sync)
  }

  #synced(): void {
    if (this.#session === null || this.#link !== null) return
    const link: Link = { session: this.#session, send: frame => this.#send(frame) }
    this.#link = link
    this.#ports.log('Connected.')
    this.#ports.reporter.attach(link)
    this.#ports.observer.attach(link)
    this.#ports.offers.attach(link)
    this.#ports.ringer.attach(link)
  }

  #detach(): void {
    if (this.#link === null) return
    this.#link = null
    this.#ports.reporter.detach()
    this.#ports.observer.detach()
    this.#ports.offers.detach()
    this.#ports.ringer.detach()
  }

  #handle(link: Link, frame: Exclude<KnownFrame, { type: 'welcome' | 'synced' }>): void {
    const { offers, reporter, ringer, log } = this.#ports
    switch (frame.type) {
      case 'offer':
        offers.offer(frame)
        break
      case 'go':
        offers.go(link, frame)
        break
      case 'no':
        offers.no(frame)
        break
      case 'cancel':
        offers.cancel(frame.messageId)
        break
      case 'ring':
        ringer.ring(frame)
        break
      case 'stop-ring':
        ringer.hangUp(frame.ringId)
        break
      case 'ack':
        if ('id' in frame) reporter.receivedAcked(frame.id)
        else reporter.acked(frame)
        break
      case 'error':
        log(`The gateway did not understand: ${frame.message}`)
    }
  }
}
