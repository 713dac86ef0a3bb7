/**
 * Takes mails and triggers webhooks with them, for devices that can only send e-mail. It relays nothing: a
 * mail is for the webhooks whose tokens are in its addresses or its login, or it is refused.
 */

import { readFileSync } from 'node:fs'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import { ALERT_SEVERITIES, type AlertSeverity, type TriggerRequest } from '#contracts/webhook.ts'
import { causeOf, messageOf } from '#domain/cause.ts'
import { GATEWAY } from '#domain/health/health-memory.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'
import { Problem } from '#domain/problem.ts'
import { asWritten } from '#domain/webhook/mail-address.ts'
import { isOverCap } from '#domain/webhook/trigger-gate.ts'
import { clientAt } from '#transport/http/client-address.ts'
import type { Trigger, TriggerHead, Triggers } from '#transport/http/trigger-webhook.ts'
import { MAIL_BYTES_MAX, Mailed, type MailedPorts, mailHashOf } from '#transport/smtp/mailed.ts'
import { isFinal, Reply, reply, replyTo } from '#transport/smtp/reply.ts'
import { answerToTheEnd, tolerate } from '#transport/smtp/tolerate.ts'

/** Enough for the devices of a large home. Each connection may hold one mail in memory. */
const CONNECTIONS_MAX = 16
const CONNECTIONS_PER_ADDRESS_MAX = 8
const CONNECTIONS_OF_ACCOUNT_MAX = ACCOUNT_BOUNDS.mailConnections.most
/** The last connections are for addresses that have none. */
const CONNECTIONS_KEPT = 4
/** Connections that the library takes, those included that are refused with a reason. */
const SOCKETS_MAX = 256
/** Time for each step of a connection: its login, each address, and the mail. */
const STEP_MS_MAX = 30_000
/** Time for a connection that has named no webhook, whatever it says. */
const STRANGER_MS_MAX = 60_000
const RECIPIENTS_MAX = 20
/** Webhooks of a mail that are triggered at the same time. Each needs a copy of the mail. */
const TRIGGERED_AT_ONCE = 3
/** Commands before a login: some thirty mails. */
const COMMANDS_MAX = 120
/** It is said at most this often that an account, or the gateway, turns mails away. */
const TOLD_EVERY_MS = 60_000
/** When the gateway stops, open connections have this long to end. */
const CLOSE_MS_MAX = 3000

export interface MailPorts extends MailedPorts {
  readonly triggers: Pick<Triggers, 'admit'>
  readonly writer: Writer
  readonly log: (entry: LogEntry) => void
  /** Runs something after a time, unless the result is called before. Tests pass the time themselves. */
  readonly after?: (run: () => void, ms: number) => () => void
  /** Called once, with the port that could not be opened; null: it is open. */
  readonly listening: (refused: number | null) => void
}

/** A webhook that the mail of a connection will trigger. */
interface Named {
  readonly trigger: Trigger
  readonly severity: AlertSeverity | null
}

interface Visit {
  /** The address of the client; of IPv6 its /64. */
  readonly from: string
  /** Ends the connection. Each step starts it anew. */
  readonly timer: NodeJS.Timeout
  /** Lets the connection live on, because it has named a webhook. */
  readonly endLife: () => void
  /** Whose webhook it named last; null: none. */
  accountId: string | null
  /** The webhook of the login; null: the addresses name the webhooks. */
  owner: Trigger | null
  /** By token. */
  named: Map<string, Named>
}

const afterReal = (run: () => void, ms: number) => clearTimeout.bind(null, setTimeout(run, ms))

type Done = (fault?: Error | null) => void

export class MailServer {
  readonly #server: SMTPServer
  readonly #ports: MailPorts
  /** By the id of the connection. */
  readonly #visits = new Map<string, Visit>()
  /** When it was last said that mails are turned away, by account, or `GATEWAY`. */
  readonly #told = new Map<string, number>()

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
      allowHalfOpen: true,
      // Many devices know no TLS. The token then travels as openly as in an http address.
      allowInsecureAuth: true,
      maxClients: SOCKETS_MAX,
      maxRecipients: RECIPIENTS_MAX,
      maxAllowedUnauthenticatedCommands: COMMANDS_MAX,
      size: MAIL_BYTES_MAX,
      socketTimeout: STEP_MS_MAX,
      closeTimeout: CLOSE_MS_MAX,
      onConnect: (session, done) => answer(done, () => this.#enter(session)),
      onSecure: (socket, session, done) => {
        for (const connection of this.#connectionOf(session)) answerToTheEnd(connection, socket)
        done()
      },
      onClose: session => this.#leave(session),
      onAuth: ({ password }, session, done) => {
        answer(
          fault => done(fault, { user: session.id }),
          () => {
            this.#visit(session).owner = this.#admit(session, password ?? '')
          },
        )
      },
      onMailFrom: (_, session, done) => answer(done, () => this.#visit(session).named.clear()),
      onRcptTo: ({ address }, session, done) => answer(done, () => this.#address(session, address)),
      onData: (stream, session, done) => {
        this.#take(stream, session).then(
          said => done(null, said),
          fault => {
            done(this.#refusalOf(fault))
            if (stream.sizeExceeded) this.#disconnect(session)
          },
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

  /** The connection of a session; none: it is closed. */
  #connectionOf({ id }: SMTPServerSession) {
    return [...this.#server.connections].filter(connection => connection.session.id === id)
  }

  #enter(session: SMTPServerSession): void {
    for (const connection of this.#connectionOf(session)) tolerate(connection)
    const from = clientAt(session.remoteAddress).bucketKey
    const open = [...this.#visits.values()].map(visit => visit.from)
    const own = open.filter(one => one === from).length
    if (own >= CONNECTIONS_PER_ADDRESS_MAX)
      throw reply(421, `more than ${CONNECTIONS_PER_ADDRESS_MAX} connections from ${from}: close one first`)
    if (open.length >= CONNECTIONS_MAX - (own === 0 ? 0 : CONNECTIONS_KEPT)) {
      this.#turnAway(GATEWAY, { from, open: [...new Set(open)].join(' ') })
      throw reply(421, 'all connections are in use: try again in a minute')
    }
    const end = () => this.#disconnect(session)
    const timer = setTimeout(end, STEP_MS_MAX)
    const endLife = (this.#ports.after ?? afterReal)(end, STRANGER_MS_MAX)
    this.#visits.set(session.id, { from, timer, endLife, accountId: null, owner: null, named: new Map() })
  }

  /** Tells now and then that mails are turned away: in the log, and as a problem. */
  #turnAway(owner: string, fields: LogEntry['fields']): void {
    const now = performance.now()
    if (now < (this.#told.get(owner) ?? Number.NEGATIVE_INFINITY) + TOLD_EVERY_MS) return
    this.#told.set(owner, now)
    this.#ports.log({ level: 'warn', event: 'smtp.turned_away', fields })
    // A writer that refuses has worse problems.
    this.#ports.writer.ask('mail.note-refusal', { owner }).catch(() => undefined)
  }

  #disconnect(session: SMTPServerSession): void {
    this.#leave(session)
    for (const connection of this.#connectionOf(session)) connection.close()
  }

  #leave({ id }: SMTPServerSession): void {
    const visit = this.#visits.get(id)
    clearTimeout(visit?.timer)
    visit?.endLife()
    this.#visits.delete(id)
  }

  #admit(session: SMTPServerSession, token: string): Trigger {
    const trigger = this.#ports.triggers.admit(headOf(session), token)
    const visit = this.#visit(session)
    const others = [...this.#visits.values()].filter(one => one.accountId === trigger.accountId)
    if (others.length >= CONNECTIONS_OF_ACCOUNT_MAX && !others.includes(visit))
      throw reply(451, `more than ${CONNECTIONS_OF_ACCOUNT_MAX} connections of one account: try again later`)
    visit.accountId = trigger.accountId
    visit.endLife()
    return trigger
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
    const [written = '', tag] = address.slice(0, address.lastIndexOf('@')).split('+', 2)
    const token = asWritten(written)
    const severity = ALERT_SEVERITIES.find(one => one === tag?.toLowerCase()) ?? null
    if (tag !== undefined && visit.owner === null && severity === null)
      throw reply(550, `+${tag} is no severity: use +${ALERT_SEVERITIES.join(', +')}, or nothing`)
    const trigger = visit.owner ?? this.#admit(session, token)
    visit.named.set(visit.owner === null ? token : '', { trigger, severity })
  }

  /** Reads the mail and triggers its webhooks. Returns the words of the answer. */
  async #take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const named = [...this.#visit(session).named.values()]
    const mailed = new Mailed(
      named.map(({ trigger }) => trigger.accountId),
      this.#ports,
    )
    const mail = await mailed.read(stream)
    for (const owner of mailed.refused) this.#turnAway(owner, { accountId: owner })
    this.#visit(session)
    const faults: unknown[] = []
    const waiting = [...named]
    const plan = { sendAt: null, written: '', mailHash: mailHashOf(mail) }
    const work = async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const { trigger, severity } = one
        if (mailed.refused.has(trigger.accountId)) faults.push(tooMany())
        else await trigger(requestOf(mail, severity), plan).catch(fault => faults.push(fault))
        this.#visits.get(session.id)?.timer.refresh()
      }
    }
    await Promise.all(Array.from({ length: TRIGGERED_AT_ONCE }, work))
    const unheard = faults.filter(fault => !(fault instanceof Problem && isOverCap(fault)))
    // The sender may come again with the whole mail. A webhook that has it answers that it is a repetition.
    const toRepeat = unheard.find(fault => !isFinal(fault))
    if (toRepeat !== undefined) throw toRepeat
    if (unheard.length === named.length) throw unheard[0]
    return 'accepted'
  }

  #refusalOf(fault: unknown): Error {
    if (!(fault instanceof Problem || fault instanceof Reply))
      this.#ports.log({ level: 'error', event: 'smtp.failed', fields: { cause: causeOf(fault) } })
    return replyTo(fault)
  }
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

function tooMany(): Reply {
  const { most } = ACCOUNT_BOUNDS.mailsPerMinute
  return reply(451, `more than ${most} mails a minute, or too many large ones at once: try again later`)
}

function headOf({ remoteAddress }: SMTPServerSession): TriggerHead {
  const nothing = () => undefined
  const shown = { showRate: nothing, limitBody: nothing, header: nothing }
  return { ...shown, method: 'post', rawQuery: '', client: () => clientAt(remoteAddress) }
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
