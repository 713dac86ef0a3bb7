/**
 * Takes mails and triggers webhooks with them, for devices that can only send e-mail. It relays nothing: a
 * mail is for the webhooks whose tokens are in its addresses or its login, or it is refused.
 */

import { readFileSync } from 'node:fs'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Config } from '#contracts/config.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import { ALERT_SEVERITIES, type AlertSeverity, type TriggerRequest } from '#contracts/webhook.ts'
import { causeOf, messageOf } from '#domain/cause.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'
import { Problem } from '#domain/problem.ts'
import { isOverCap } from '#domain/webhook/trigger-gate.ts'
import { clientAt } from '#transport/http/client-address.ts'
import type { Trigger, TriggerHead, Triggers } from '#transport/http/trigger-webhook.ts'

/** Enough for the devices of a large home. Each connection may hold one mail in memory. */
const CONNECTIONS_MAX = 16
const CONNECTIONS_PER_ADDRESS_MAX = 8
/** Time for each step of a connection: its login, each address, and the mail. */
const STEP_MS_MAX = 30_000
const RECIPIENTS_MAX = 100
/** Commands before a login. A mail to all allowed recipients needs this many. */
const COMMANDS_MAX = RECIPIENTS_MAX + 20
const MAIL_BYTES_MAX = 2_097_152
/** When the gateway stops, open connections have this long to end. */
const CLOSE_MS_MAX = 3000

export interface MailPorts {
  readonly triggers: Pick<Triggers, 'admit'>
  readonly log: (entry: LogEntry) => void
  /** Called once, with the port that could not be opened; null: it is open. */
  readonly listening: (refused: number | null) => void
}

/** A webhook that the mail of a connection will trigger. */
interface Named {
  readonly trigger: Trigger
  readonly severity: AlertSeverity | null
}

interface Visit {
  readonly address: string
  /** Ends the connection. Each step starts it anew. */
  readonly timer: NodeJS.Timeout
  /** The webhook of the login; null: the addresses name the webhooks. */
  owner: Trigger | null
  /** By token. */
  named: Map<string, Named>
}

type Done = (fault?: Error | null) => void

export class MailServer {
  readonly #server: SMTPServer
  readonly #ports: MailPorts
  /** By the id of the connection. */
  readonly #visits = new Map<string, Visit>()

  /** Opens the port of `[smtp]`. */
  constructor(config: Config, ports: MailPorts) {
    this.#ports = ports
    const { host, port } = config.smtp
    this.#server = new SMTPServer({
      ...certificateOf(config),
      name: 'roost',
      logger: false,
      disableReverseLookup: true,
      authOptional: true,
      // Many devices know no TLS. The token then travels as openly as in an http address.
      allowInsecureAuth: true,
      maxClients: CONNECTIONS_MAX,
      maxRecipients: RECIPIENTS_MAX,
      maxAllowedUnauthenticatedCommands: COMMANDS_MAX,
      size: MAIL_BYTES_MAX,
      socketTimeout: STEP_MS_MAX,
      closeTimeout: CLOSE_MS_MAX,
      onConnect: (session, done) => answer(done, () => this.#enter(session)),
      onClose: session => this.#leave(session),
      onAuth: ({ password }, session, done) => {
        answer(
          fault => done(fault, { user: session.id }),
          () => {
            this.#visit(session).owner = ports.triggers.admit(headOf(session), password ?? '')
          },
        )
      },
      onMailFrom: (_, session, done) => answer(done, () => this.#visit(session).named.clear()),
      onRcptTo: ({ address }, session, done) => answer(done, () => this.#address(session, address)),
      onData: (stream, session, done) => {
        this.#take(stream, session).then(
          said => done(null, said),
          fault => done(this.#refusalOf(fault)),
        )
      },
    })
    this.#server.on('error', fault => {
      if ('syscall' in fault && fault.syscall === 'listen') ports.listening(port)
      else ports.log({ level: 'debug', event: 'smtp.connection_failed', fields: { cause: causeOf(fault) } })
    })
    this.#server.listen(port, host, () => ports.listening(null))
  }

  /** Uses the certificate files for new connections. Returns what went wrong, or null. */
  renewCertificate(config: Config): string | null {
    try {
      this.#server.updateSecureContext(certificateOf(config))
      return null
    } catch (error) {
      return `the new certificate is not in use for mail: ${messageOf(error)}`
    }
  }

  /** Accepts no new connections, and resolves when the open ones have ended. */
  stop(): Promise<void> {
    return new Promise(resolve => this.#server.close(resolve))
  }

  #enter(session: SMTPServerSession): void {
    const { id, remoteAddress: address } = session
    const fromThere = [...this.#visits.values()].filter(visit => visit.address === address)
    if (fromThere.length >= CONNECTIONS_PER_ADDRESS_MAX)
      throw reply(
        421,
        `more than ${CONNECTIONS_PER_ADDRESS_MAX} connections from ${address}: close one first`,
      )
    const timer = setTimeout(() => this.#disconnect(session), STEP_MS_MAX)
    this.#visits.set(id, { address, timer, owner: null, named: new Map() })
  }

  #disconnect({ id }: SMTPServerSession): void {
    for (const connection of this.#server.connections) if (connection.session.id === id) connection.close()
  }

  #leave({ id }: SMTPServerSession): void {
    clearTimeout(this.#visits.get(id)?.timer)
    this.#visits.delete(id)
  }

  /** The connection at its next step. */
  #visit({ id }: SMTPServerSession): Visit {
    const visit = this.#visits.get(id)
    if (visit === undefined) throw reply(421, 'the connection is closed')
    visit.timer.refresh()
    return visit
  }

  /** Notes the webhook of `TOKEN@anything` or `TOKEN+critical@anything`; after a login, of the login. */
  #address(session: SMTPServerSession, address: string): void {
    const visit = this.#visit(session)
    const [token = '', tag] = address.slice(0, address.lastIndexOf('@')).split('+', 2)
    const severity = ALERT_SEVERITIES.find(one => one === tag?.toLowerCase()) ?? null
    const isTagged = tag !== undefined && visit.owner === null
    if (isTagged && severity === null)
      throw reply(550, `+${tag} is no severity: use +${ALERT_SEVERITIES.join(', +')}, or nothing`)
    const trigger = visit.owner ?? this.#ports.triggers.admit(headOf(session), token)
    visit.named.set(visit.owner === null ? token : '', { trigger, severity })
  }

  /** Reads the mail and triggers its webhooks. Returns the words of the answer. */
  async #take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const { named } = this.#visit(session)
    const chunks: Buffer[] = []
    for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer)
    this.#visit(session)
    if (stream.sizeExceeded) throw reply(552, `the mail is longer than ${MAIL_BYTES_MAX} bytes`)
    const mail = Buffer.concat(chunks)
    const results = await Promise.allSettled(
      [...named.values()].map(({ trigger, severity }) => trigger(requestOf(mail, severity))),
    )
    const faults = results.flatMap(one =>
      one.status === 'rejected' && !(one.reason instanceof Problem && isOverCap(one.reason))
        ? [one.reason]
        : [],
    )
    // The sender may come again with the whole mail. A webhook that has it answers that it is a repetition.
    const toRepeat = faults.find(fault => !isFinal(fault))
    if (toRepeat !== undefined) throw toRepeat
    if (faults.length === results.length) throw faults[0]
    return 'accepted'
  }

  #refusalOf(fault: unknown): Error {
    const isExpected = fault instanceof Problem || fault instanceof Reply
    if (!isExpected)
      this.#ports.log({ level: 'error', event: 'smtp.failed', fields: { cause: causeOf(fault) } })
    return replyTo(fault)
  }
}

class Reply extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

function reply(code: number, message: string): Reply {
  return new Reply(code, message)
}

/** Answers a step: with what went wrong, or that all is well. */
function answer(done: Done, step: () => unknown): void {
  try {
    step()
  } catch (fault) {
    return done(replyTo(fault))
  }
  done()
}

function replyTo(fault: unknown): Error {
  if (fault instanceof Reply) return fault
  if (!(fault instanceof Problem)) return reply(451, 'the gateway failed: try again later')
  return reply(isFinal(fault) ? 550 : 451, fault.message)
}

/** Whether a repetition would be refused as well. */
function isFinal(fault: unknown): boolean {
  return fault instanceof Problem && (fault.code === 'NOT_FOUND' || fault.code === 'FORBIDDEN')
}

function headOf({ remoteAddress }: SMTPServerSession): TriggerHead {
  const client = clientAt(remoteAddress)
  const nothing = () => undefined
  const shown = { showRate: nothing, limitBody: nothing, header: nothing }
  return { ...shown, method: 'post', rawQuery: '', client: () => client }
}

function requestOf(mail: Buffer, severity: AlertSeverity | null): TriggerRequest {
  const query = severity === null ? '' : `severity=${severity}`
  // A copy with its own memory, because a transfer to another thread moves the whole buffer.
  return { method: 'POST', query, contentType: 'message/rfc822', headers: {}, body: new Uint8Array(mail) }
}

/** The gateway's certificate for STARTTLS; without one, or if it is switched off, STARTTLS is not offered. */
function certificateOf({ http, smtp }: Config) {
  if (!smtp.starttls || endpointsOf(http).https === null) return { disabledCommands: ['STARTTLS'] }
  return { cert: readFileSync(http.tls_cert_file), key: readFileSync(http.tls_key_file) }
}
