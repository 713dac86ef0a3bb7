/**
 * Sends notifications from the main thread. It asks the writer for deliveries that are due, has them signed
 * in batches, posts them, and reports the results with its next request. It holds a limited number of
 * deliveries and leaves all decisions to the writer. If the process is killed, the deliveries that it holds
 * are still pending in the database. They are sent again with the same id.
 */
import type { Writer } from '#contracts/commands.ts'
import type { ForwardRequest } from '#contracts/forward.ts'
import type { AttemptResult } from '#contracts/notification-attempt.ts'
import type { DueDelivery, ReportedAttempt } from '#contracts/notification-delivery.ts'
import type { NotificationSignatures, UnsignedNotification } from '#contracts/pool-tasks.ts'
import { notificationHeaders } from '#domain/notification/notification-headers.ts'
import type { Deliverer } from '#transport/notification/deliver.ts'
import type { Mailer } from '#transport/notification/send-mail.ts'

// Outbox of notifications. A lane is the queue of one target: an account's URL, or an origin (scheme, host,
// port) that messages of the account name in their own URLs.

/** Deliveries that the sender holds at once: a few MB, because each body has at most some kB. */
export const NOTIFICATIONS_HELD_MAX = 512
/** How long a stopping gateway waits for deliveries in progress; the others stay pending. */
const NOTIFICATION_STOP_MS_MAX = 3_000
/** Pause of the sender after the writer refused an exchange. */
const NOTIFICATION_WRITER_RETRY_MS = 1_000

/** A Node timer accepts at most 2^31 - 1 ms, so the sender wakes up at least once an hour. */
const TIMER_MS_MAX = 3_600_000
/** The result of a delivery that was not tried, which is no failure of its receiver. */
const UNTRIED: AttemptResult = {
  outcome: 'error',
  status: null,
  error: 'OVERLOADED',
  retryAfterMs: null,
  durationMs: 0,
}

export interface SenderPorts {
  readonly writer: Writer
  readonly deliverer: Deliverer
  readonly mailer: Mailer
  /** Signs a batch; returns the signatures in the same order. */
  readonly signBatch: (batch: readonly UnsignedNotification[]) => Promise<readonly NotificationSignatures[]>
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  /** A random number from 0 to 1. */
  readonly random: () => number
  /** Called when the writer refused or signing failed. The sender then tries again. */
  readonly faulted: (error: unknown) => void
  /** False: this gateway no longer leads its cluster, so nothing may leave. Default: always. */
  readonly mayLeave?: (() => boolean) | undefined
}

export class NotificationSender {
  readonly #ports: SenderPorts
  /** Ids of deliveries that the writer handed out and whose results it has not committed yet. */
  readonly #held = new Set<string>()
  readonly #attempts = new Set<Promise<void>>()
  #results: ReportedAttempt[] = []
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | null = null
  #isWoken = false
  #stopping = false

  constructor(ports: SenderPorts) {
    this.#ports = ports
  }

  /** Makes the sender ask the writer for due deliveries. Several calls cause one request. */
  wake(): void {
    this.#isWoken = true
    this.#running ??= this.#run().finally(() => {
      this.#running = null
      if (this.#isWoken) this.wake()
    })
  }

  /** Waits some time for deliveries in progress and reports them. The others stay pending. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#timer)
    await within(NOTIFICATION_STOP_MS_MAX, this.#settled())
    await Promise.all([this.#ports.deliverer.close(), this.#ports.mailer.close()])
    // Wait a limited time, because a writer that has failed never answers.
    await within(
      NOTIFICATION_STOP_MS_MAX,
      this.#settled().then(() => this.#report()),
    )
  }

  async #run(): Promise<void> {
    while (this.#isWoken) {
      this.#isWoken = false
      try {
        await this.#exchange()
      } catch (error) {
        this.#isWoken = false
        if (this.#stopping) return
        this.#ports.faulted(error)
        this.#wakeIn(NOTIFICATION_WRITER_RETRY_MS)
      }
    }
  }

  async #exchange(): Promise<void> {
    const results = this.#results
    this.#results = []
    const room = this.#stopping ? 0 : NOTIFICATIONS_HELD_MAX - this.#held.size
    const orders = await this.#ask(results, room)
    for (const { id } of results) this.#held.delete(id)
    // After a failed transaction the writer may not know what this sender still holds.
    const added = orders.deliveries.filter(({ id }) => !this.#held.has(id))
    if (orders.nextInMs !== null) this.#wakeIn(orders.nextInMs)
    if (added.length === 0) return
    for (const { id } of added) this.#held.add(id)
    await this.#send(added)
  }

  async #ask(results: ReportedAttempt[], room: number) {
    try {
      return await this.#ports.writer.ask('notification.exchange', { results, room: Math.max(0, room) })
    } catch (error) {
      this.#results.unshift(...results)
      throw error
    }
  }

  async #send(deliveries: readonly DueDelivery[]): Promise<void> {
    const timestampS = Math.floor(this.#ports.nowMs() / 1000)
    const events: DueDelivery[] = []
    if (this.#ports.mayLeave?.() === false) return
    for (const due of deliveries) {
      if (due.request === undefined) events.push(due)
      else this.#attempt(due, this.#passOn(due, due.request))
    }
    if (events.length === 0) return
    const signatures = await this.#sign(events.map(due => ({ ...due, timestampS })))
    for (const [index, due] of events.entries()) {
      const signed = signatures[index]
      if (signed === undefined) this.#done(due, UNTRIED)
      else this.#post(due, notificationHeaders({ ...due, ...signed, timestampS }))
    }
  }

  /** Passes a received text on. Never rejects. */
  #passOn({ id }: DueDelivery, request: ForwardRequest): Promise<AttemptResult> {
    const { deliverer, mailer, writer } = this.#ports
    switch (request.via) {
      case 'http':
        return deliverer.deliver(request)
      case 'mail':
        return mailer.deliver(request)
      case 'sms':
        // The writer refuses while it stops or the disk is full. That is no failure of the person.
        return writer.ask('forward.text', { id }).catch(() => UNTRIED)
    }
  }

  async #sign(batch: readonly UnsignedNotification[]): Promise<readonly NotificationSignatures[]> {
    try {
      return await this.#ports.signBatch(batch)
    } catch (error) {
      this.#ports.faulted(error)
      return []
    }
  }

  #post(due: DueDelivery, headers: Record<string, string>): void {
    if (this.#ports.mayLeave?.() === false) return
    const { url, isSandbox, form } = due
    const body = form === undefined ? due.body : new URLSearchParams(form).toString()
    this.#attempt(due, this.#ports.deliverer.deliver({ url, isSandbox, headers, body }))
  }

  #attempt(due: DueDelivery, made: Promise<AttemptResult>): void {
    const attempt = made.then(result => {
      this.#attempts.delete(attempt)
      this.#done(due, result)
    })
    this.#attempts.add(attempt)
  }

  #done({ id, url }: DueDelivery, result: AttemptResult): void {
    this.#results.push({ id, url, result, random: this.#ports.random() })
    // Results of one turn of the event loop are reported together.
    setImmediate(() => this.wake())
  }

  async #settled(): Promise<void> {
    await this.#running
    await Promise.all(this.#attempts)
  }

  async #report(): Promise<void> {
    await this.#running
    if (this.#results.length > 0) await this.#exchange()
  }

  #wakeIn(ms: number): void {
    if (this.#stopping) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), Math.min(Math.max(ms, 1), TIMER_MS_MAX))
  }
}

/** Waits for the promise, at most this long. Its failure is handled elsewhere. */
function within(ms: number, promise: Promise<unknown>): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    const settle = () => {
      clearTimeout(timer)
      resolve()
    }
    promise.then(settle, settle)
  })
}
