import { createTransport } from 'nodemailer'
import { NOTIFICATION_ATTEMPT_MS_MAX } from '#contracts/bounds.ts'
import type { Config } from '#contracts/config.ts'
import type { ForwardRequest } from '#contracts/forward.ts'
import type { AttemptResult, DeliveryError } from '#contracts/notification-attempt.ts'
import { deliveryErrorOf } from '#transport/notification/delivery-error.ts'
import { DeliverySlots } from '#transport/notification/delivery-slots.ts'

/** Time for the connection and for the server's greeting, and for each of its answers. */
const STEP_MS_MAX = 5_000
/** Connections at the same time: many servers allow few. Further mails wait. */
const CONNECTIONS_MAX = 2
const WAITING_MAX = 256
const SLOTS = {
  slots: CONNECTIONS_MAX,
  slotsPerOrigin: CONNECTIONS_MAX,
  waiting: WAITING_MAX,
  waitingPerOrigin: WAITING_MAX,
  slowRemembered: 1,
}
const OWN_CODES: Readonly<Record<string, DeliveryError>> = {
  EDNS: 'DNS',
  ETLS: 'TLS',
  ECONNECTION: 'RESET',
  EPROTOCOL: 'PROTOCOL',
}

export type Mail = Extract<ForwardRequest, { via: 'mail' }>

export interface MailerOptions {
  /** The server and the sender that are set now. A reload of the configuration changes them. */
  readonly mail: () => Config['mail']
  /** Called with unexpected failures (`OTHER`). */
  readonly reportFault?: (fault: unknown) => void
}

/** Sends mails. Each call makes one attempt, never rejects and ends in time. */
export interface Mailer {
  deliver(mail: Mail): Promise<AttemptResult>
  /** Mails that wait for a connection end as `STOPPED`. */
  close(): Promise<void>
}

/** Sends mails through the server of `[mail]`, a connection for each. */
export function createMailer(options: MailerOptions): Mailer {
  const slots = new DeliverySlots(SLOTS)
  return {
    async deliver(mail) {
      const startedMs = performance.now()
      const { smtp_url: server, from } = options.mail()
      const failed = (error: DeliveryError) => failedAfter(startedMs, error)
      if (server === '') return failed('REFUSED_TARGET')
      const slot = await slots.acquire(server)
      if (slot !== 'granted') return failed(slot === 'stopped' ? 'STOPPED' : 'OVERLOADED')
      const result = await within(NOTIFICATION_ATTEMPT_MS_MAX, send({ server, from, mail })).catch(fault => {
        const attempt = attemptOf(fault, startedMs)
        if (attempt.error === 'OTHER') options.reportFault?.(fault)
        return attempt
      })
      slots.release(server, result.error === 'TIMEOUT')
      return { ...result, durationMs: elapsedMs(startedMs) }
    },
    async close() {
      slots.stop()
    },
  }
}

async function send(given: { server: string; from: string; mail: Mail }): Promise<AttemptResult> {
  const { server, from, mail } = given
  const transport = createTransport({
    url: server,
    connectionTimeout: STEP_MS_MAX,
    greetingTimeout: STEP_MS_MAX,
    dnsTimeout: STEP_MS_MAX,
    socketTimeout: STEP_MS_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const { to, subject, text, id } = mail
  // A machine wrote it: mailboxes must not answer it (RFC 3834).
  const headers = { 'auto-submitted': 'auto-generated' }
  const { response } = await transport.sendMail({ from, to, subject, text, messageId: `<${id}>`, headers })
  return {
    ...failedAfter(0, 'OTHER'),
    outcome: 'response',
    status: statusOf(response),
    error: null,
    answer: response,
  }
}

/** What a fault means. A refusal of the server counts as its answer. */
function attemptOf(fault: unknown, startedMs: number): AttemptResult {
  const { responseCode, response, code } = Object(fault)
  if (typeof responseCode === 'number' && typeof response === 'string')
    return {
      ...failedAfter(startedMs, 'OTHER'),
      outcome: 'response',
      status: responseCode,
      error: null,
      answer: response,
    }
  const error = OWN_CODES[String(code)] ?? deliveryErrorOf(fault)
  return failedAfter(startedMs, error === 'CONNECT_TIMEOUT' ? 'TIMEOUT' : error)
}

/** The code at the beginning of a reply, such as 250. */
function statusOf(reply: string): number {
  return Number.parseInt(reply, 10) || 0
}

function failedAfter(startedMs: number, error: DeliveryError): AttemptResult {
  return { outcome: 'error', status: null, error, retryAfterMs: null, durationMs: elapsedMs(startedMs) }
}

function elapsedMs(startedMs: number): number {
  return Math.max(0, Math.round(performance.now() - startedMs))
}

/** @throws an error with the code ETIMEDOUT when the time is over */
async function within<T>(ms: number, made: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), ms)
  })
  return Promise.race([made, late]).finally(() => clearTimeout(timer))
}
