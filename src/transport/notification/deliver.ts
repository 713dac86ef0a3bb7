/**
 * Sends notifications. Each call makes one attempt, without retries, redirects or cookies. Whatever the
 * receiver does, an attempt never rejects, ends in time, and uses bounded memory and sockets.
 */
import type { Socket } from 'node:net'
import { Agent, type Dispatcher, Pool } from 'undici'
import { NOTIFICATION_ATTEMPT_MS_MAX, NOTIFICATION_ORIGINS_REMEMBERED_MAX } from '#contracts/bounds.ts'
import type { AttemptResult, DeliveryError } from '#contracts/notification-attempt.ts'
import { parseRetryAfter } from '#domain/notification/retry-after.ts'
import { DeliveryAbort, deliveryErrorOf } from '#transport/notification/delivery-error.ts'
import { DeliverySlots, type SlotBounds } from '#transport/notification/delivery-slots.ts'
import {
  createGuardedConnector,
  type GuardedConnectorOptions,
  type ResolveName,
  resolveBySystem,
} from '#transport/notification/guarded-connector.ts'
import { shareLookUps } from '#transport/notification/share-look-ups.ts'
import { checkTargetUrl, sandboxPolicy, type TargetPolicy } from '#transport/notification/target-guard.ts'

/** Time limit of name resolution, TCP connection and TLS handshake together. */
const NOTIFICATION_CONNECT_MS_MAX = 5_000
/** Bytes of an answer that are read; with more, the connection is dropped: only the status matters. */
export const NOTIFICATION_ANSWER_BYTES_MAX = 65_536
/** Bytes of a receiver's answer kept in the delivery log: enough for its error message. */
const NOTIFICATION_ANSWER_KEPT_BYTES_MAX = 1024
/** Attempts that run at the same time: in all, and to one origin. As many idle connections may be open. */
const NOTIFICATION_SLOTS = 64
const NOTIFICATION_SLOTS_PER_ORIGIN = 4
/** Deliveries that may wait for a slot: in all, and for one origin. Further ones are postponed. */
const NOTIFICATION_WAITING_MAX = 1024
const NOTIFICATION_WAITING_PER_ORIGIN_MAX = 256
/** Idle connections are closed after this: many servers close them after 5 s, which could break a request. */
const NOTIFICATION_KEEP_ALIVE_MS = 4_000

export interface DeliveryTarget {
  /** Default: POST. A GET has no body. */
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly url: string
  /** An event of a sandbox message, which may go to loopback. Default: false. */
  readonly isSandbox?: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface DeliveryClock {
  /** Milliseconds since 1970. */
  nowMs(): number
  /** Milliseconds of a monotonic clock. */
  monotonicMs(): number
}

export interface DelivererOptions {
  /** The targets that are allowed now. A reload of the configuration changes them. */
  readonly policy: () => TargetPolicy
  /** The gateway's version, for `User-Agent`. */
  readonly version: string
  readonly resolve?: ResolveName
  readonly clock?: DeliveryClock
  readonly connectMs?: number
  /** Time limit of an exchange, from when it gets its slot to the last byte of the answer. */
  readonly exchangeMs?: number
  readonly answerBytesMax?: number
  readonly slots?: Partial<SlotBounds>
  /** Authorities (PEM) to trust instead of those built into Node.js. */
  readonly ca?: string
  /** Called with unexpected failures (`OTHER`). */
  readonly reportFault?: (fault: unknown) => void
}

export interface Deliverer {
  deliver(target: DeliveryTarget): Promise<AttemptResult>
  /** Ends deliveries in progress as `STOPPED` and closes all connections. */
  close(): Promise<void>
}

/** The parts of an answer that have arrived so far. */
interface PartialAnswer {
  status: number | null
  retryAfterMs: number | null
  /** The beginning of the answer's body, as text. */
  answer?: string
  isPrivate?: true
}

const SLOTS: SlotBounds = {
  slots: NOTIFICATION_SLOTS,
  slotsPerOrigin: NOTIFICATION_SLOTS_PER_ORIGIN,
  waiting: NOTIFICATION_WAITING_MAX,
  waitingPerOrigin: NOTIFICATION_WAITING_PER_ORIGIN_MAX,
  slowRemembered: NOTIFICATION_ORIGINS_REMEMBERED_MAX,
}
const SYSTEM_CLOCK: DeliveryClock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

export function createDeliverer(options: DelivererOptions): Deliverer {
  return new HttpDeliverer(options)
}

class HttpDeliverer implements Deliverer {
  readonly #options: DelivererOptions
  readonly #bounds: SlotBounds
  readonly #slots: DeliverySlots
  readonly #clock: DeliveryClock
  readonly #agent: Agent
  /** Has its own connections, because the policy is checked when a connection is opened. */
  readonly #sandboxAgent: Agent
  readonly #running = new Set<AbortController>()
  /** Open connections to addresses that are not public, by origin. */
  readonly #private = new Map<string, number>()
  #connections = 0

  constructor(options: DelivererOptions) {
    this.#options = options
    this.#bounds = { ...SLOTS, ...options.slots }
    this.#slots = new DeliverySlots(this.#bounds)
    this.#clock = options.clock ?? SYSTEM_CLOCK
    const { slotsPerOrigin } = this.#bounds
    const reachedPrivate = (origin: string, socket: Socket) => this.#countPrivate(origin, socket)
    this.#agent = this.#counted(createAgent({ ...options, reachedPrivate }, slotsPerOrigin))
    const policy = () => sandboxPolicy(options.policy())
    this.#sandboxAgent = this.#counted(createAgent({ ...options, policy, reachedPrivate }, slotsPerOrigin))
  }

  #countPrivate(origin: string, socket: Socket): void {
    const add = (count: 1 | -1) => {
      const open = (this.#private.get(origin) ?? 0) + count
      if (open > 0) this.#private.set(origin, open)
      else this.#private.delete(origin)
    }
    add(1)
    socket.once('close', () => add(-1))
  }

  #counted(agent: Agent): Agent {
    return agent
      .on('connect', () => {
        this.#connections += 1
      })
      .on('disconnect', () => {
        this.#connections -= 1
      })
  }

  async deliver(target: DeliveryTarget): Promise<AttemptResult> {
    const startedMs = this.#clock.monotonicMs()
    const policy = this.#options.policy()
    const verdict = checkTargetUrl(target.url, target.isSandbox ? sandboxPolicy(policy) : policy)
    if (!verdict.ok) return this.#failed('REFUSED_TARGET', startedMs)
    const { origin } = verdict.url
    const slot = await this.#slots.acquire(origin)
    if (slot !== 'granted') return this.#failed(slot === 'stopped' ? 'STOPPED' : 'OVERLOADED', startedMs)
    const result = await this.#exchange(verdict.url, target)
    this.#slots.release(origin, result.error === 'TIMEOUT' || result.error === 'CONNECT_TIMEOUT')
    return result
  }

  async close(): Promise<void> {
    this.#slots.stop()
    for (const controller of this.#running) controller.abort(new DeliveryAbort('STOPPED'))
    await Promise.all([this.#agent.destroy(), this.#sandboxAgent.destroy()])
  }

  async #exchange(url: URL, target: DeliveryTarget): Promise<AttemptResult> {
    const startedMs = this.#clock.monotonicMs()
    const arrived: PartialAnswer = { status: null, retryAfterMs: null }
    const controller = new AbortController()
    const exchangeMs = this.#options.exchangeMs ?? NOTIFICATION_ATTEMPT_MS_MAX
    const timer = setTimeout(() => controller.abort(new DeliveryAbort('TIMEOUT')), exchangeMs)
    this.#running.add(controller)
    try {
      await this.#post({ url, target, signal: controller.signal, arrived })
      const durationMs = this.#elapsedMs(startedMs)
      return { outcome: 'response', ...arrived, error: null, durationMs }
    } catch (fault) {
      const error = deliveryErrorOf(fault)
      if (error === 'OTHER') this.#options.reportFault?.(fault)
      return { ...this.#failed(error, startedMs), ...arrived }
    } finally {
      clearTimeout(timer)
      this.#running.delete(controller)
    }
  }

  async #post(request: { url: URL; target: DeliveryTarget; signal: AbortSignal; arrived: PartialAnswer }) {
    const { url, target, signal, arrived } = request
    const agent = target.isSandbox ? this.#sandboxAgent : this.#agent
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: target.method ?? 'POST',
      headers: { ...target.headers, 'user-agent': `roost/${this.#options.version}` },
      body: target.method === 'GET' ? null : target.body,
      signal,
      // Keep no idle connection if there are as many connections as slots.
      reset: this.#connections >= this.#bounds.slots,
    })
    arrived.status = response.statusCode
    if (this.#private.has(url.origin)) arrived.isPrivate = true
    arrived.retryAfterMs = this.#retryAfterMs(response.headers['retry-after'])
    const bytesMax = this.#options.answerBytesMax ?? NOTIFICATION_ANSWER_BYTES_MAX
    await readAnswer(response.body, { arrived, bytesMax })
  }

  #retryAfterMs(header: string | string[] | undefined): number | null {
    const value = Array.isArray(header) ? header[0] : header
    return value === undefined ? null : parseRetryAfter(value, this.#clock.nowMs())
  }

  #failed(error: DeliveryError, startedMs: number): AttemptResult {
    const durationMs = this.#elapsedMs(startedMs)
    return { outcome: 'error', status: null, error, retryAfterMs: null, durationMs }
  }

  #elapsedMs(startedMs: number): number {
    return Math.max(0, Math.round(this.#clock.monotonicMs() - startedMs))
  }
}

function createAgent(
  options: DelivererOptions & Pick<GuardedConnectorOptions, 'reachedPrivate'>,
  connections: number,
): Agent {
  const guard = {
    reachedPrivate: options.reachedPrivate,
    policy: options.policy,
    resolve: shareLookUps(options.resolve ?? resolveBySystem, () =>
      (options.clock ?? SYSTEM_CLOCK).monotonicMs(),
    ),
    timeoutMs: options.connectMs ?? NOTIFICATION_CONNECT_MS_MAX,
    ca: options.ca,
  }
  return new Agent({
    connections,
    pipelining: 1,
    keepAliveTimeout: NOTIFICATION_KEEP_ALIVE_MS,
    keepAliveMaxTimeout: NOTIFICATION_KEEP_ALIVE_MS,
    // The exchange has its own timeout.
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: (origin, poolOptions) =>
      new Pool(new URL(origin), { ...poolOptions, connect: createGuardedConnector(new URL(origin), guard) }),
  })
}

/** Reads an answer, at most `bytesMax` of it. Leaving the loop early closes the connection. */
async function readAnswer(
  body: Dispatcher.ResponseData['body'],
  { arrived, bytesMax }: { readonly arrived: PartialAnswer; readonly bytesMax: number },
): Promise<void> {
  const utf8 = new TextDecoder()
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    const room = Math.max(0, NOTIFICATION_ANSWER_KEPT_BYTES_MAX - bytes)
    arrived.answer = (arrived.answer ?? '') + utf8.decode(chunk.subarray(0, room), { stream: true })
    bytes += chunk.byteLength
    if (bytes > bytesMax) return
  }
}
