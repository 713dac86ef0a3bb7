/** The messages between threads. `app/threads/gateway.ts` connects the threads. */

import type { MessagePort } from 'node:worker_threads'
import type { ClusterState } from '#contracts/cluster.ts'
import type { AcceptMessage, CommandAnswer, CommandCall, CommandName } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { Ringer } from '#contracts/device.ts'
import type { News } from '#contracts/live.ts'
import type { Metric } from '#contracts/metrics.ts'
import type { PhoneOrder } from '#contracts/phone-orders.ts'
import type { ProblemData } from '#contracts/problem.ts'

/** An order for a phone, addressed to the listener that holds the phone's connection. */
export interface SocketEffect {
  readonly socket: number
  readonly order: PhoneOrder
}

/** News for all open pages of an account; the listener passes it on. */
export interface AccountNews {
  readonly accountId: string
  readonly news: News
}

/** From a client of the writer (a listener or the main thread) to the writer. */
export interface CallsFrame {
  readonly calls: readonly (CommandCall | SendRow)[]
}

/**
 * The call `message.accept` as an array, which crosses threads faster than an object (`storage/send-row.ts`):
 * its number and idempotency key, then the fields of the message.
 */
export type SendRow = readonly [id: number, idempotency: AcceptMessage['idempotency'], ...fields: unknown[]]

/** The answer to an accepted `SendRow`. A refusal comes as a `CommandAnswer`. */
export type SendAnswerRow = readonly [id: number, answer: string, replayed: boolean]

/**
 * Commands that only report that a socket closed. The writer accepts them even when its queue is full,
 * because their sender does not repeat them. Their number is bounded by the number of sockets.
 */
export const NEVER_REFUSED: ReadonlySet<CommandName> = new Set<CommandName>(['phone.closed', 'live.leave'])

/** From the writer to a client, always after the commit. */
export interface AnswersFrame {
  readonly answers: readonly (CommandAnswer | SendAnswerRow)[]
  readonly effects: readonly SocketEffect[]
  readonly news?: readonly AccountNews[]
}

export interface WriterData {
  readonly config: Config
  readonly publicUrl: string
  /** A counter that grows when a credential or a plan changes (`rate-limit/generation.ts`). */
  readonly credentials: SharedArrayBuffer
  /** A counter that grows with each commit that wrote something. */
  readonly commits: SharedArrayBuffer
  /** Null: the gateway is in no cluster. */
  readonly cluster: WriterCluster | null
}

/** From the main thread to the writer. Client 0 is the main thread; listeners count from 1. */
export type WriterControl =
  /** A client sends its commands on this port. */
  | { readonly kind: 'attach'; readonly client: number; readonly port: MessagePort }
  /** The thread of this client has died. */
  | { readonly kind: 'forget'; readonly client: number }
  | { readonly kind: 'metrics'; readonly id: number }
  | { readonly kind: 'reconfigure'; readonly id: number; readonly config: Config }
  /** The gateway stops: phones get no new messages. */
  | { readonly kind: 'drain' }
  /** Close the database and end. */
  | { readonly kind: 'stop' }

/** Commits that were missing when the database was opened, found by its commit counter (COMMITS_LOST). */
export interface CommitLoss {
  /** When the loss was found, milliseconds since 1970. */
  readonly at: number
  readonly commits: number
  /** Number of open messages that ended as OUTCOME_UNKNOWN. */
  readonly messages: number
}

/** What the writer found when it opened the database. */
export interface DatabaseOpened {
  /** Null: no commit was lost. */
  readonly lost: CommitLoss | null
  /** Number of open messages that were ended because the database is a copy; null: it is not a copy. */
  readonly copied: number | null
}

/** Asks for a copy of the database (`copy` null), or for a piece of one. */
export interface CopyQuestion {
  readonly token: string
  readonly copy: string | null
  readonly offset: number
}

export interface CopyPiece {
  readonly copy: string
  /** Bytes of the whole copy; null: it is not made yet. */
  readonly bytes: number | null
  readonly piece: Uint8Array
}

/** What a listener asks the main thread about the cluster. */
export type ClusterQuestion = 'state' | 'share-secrets' | CopyQuestion

/** Refused: with this problem. `shared`: etcd has the secrets as they were when this was asked. */
export type ClusterAnswer =
  | { readonly problem: ProblemData }
  | ClusterState
  | { readonly shared: true }
  | CopyPiece

/** What the writer of a cluster's leader needs. */
export interface WriterCluster {
  /** Takes the entries (`LogFrame`) to the main thread. */
  readonly port: MessagePort
  /** Of all threads (`rate-limit/leadership.ts`). */
  readonly leadership: SharedArrayBuffer
  /** The salt of the term's key. */
  readonly salt: Uint8Array
}

/** One entry that the writer wants in the log. */
export interface LogFrame {
  readonly number: number
  readonly value: Uint8Array
}

/** The task of an upkeep thread, which ends when the task is done. */
export type UpkeepTask =
  | NightlyBackupTask
  | { readonly kind: 'check'; readonly database: string }
  /** A copy for another member of the cluster. */
  | { readonly kind: 'copy'; readonly dataDir: string; readonly file: string }

/** Paths are absolute. */
export interface NightlyBackupTask {
  readonly kind: 'backup'
  readonly dataDir: string
  readonly dir: string
  /** Folder of a second copy; empty: no second copy. */
  readonly secondDir: string
  /** File name of the backup, the same in both folders. */
  readonly name: string
  /** How many daily and weekly backups are kept. */
  readonly kept: { readonly days: number; readonly weeks: number }
}

/** A phone that the gateway reaches, with all that the thread of its hosted agent needs. */
export interface HostedPhone {
  readonly deviceId: string
  readonly name: string
  /** The gateway's own device socket, to which the agent connects. */
  readonly socketUrl: string
  /** The device token with which the agent connects. */
  readonly token: string
  readonly access:
    | {
        readonly url: string
        readonly username: string
        readonly password: string
        /** The app's own id of the phone. */
        readonly phoneId: string
        /** The app CallGate on the same phone. */
        readonly ringer?: Ringer | undefined
      }
    | { readonly imei: string; readonly pin: string | null; readonly sim: string | null }
  readonly dataDir: string
  /** The configuration key `devices.allowed_hosts`. */
  readonly allowedHosts: readonly string[]
  /** Services beside the gateway, which are no phones. */
  readonly neighbours: readonly { readonly hostname: string; readonly port: number }[]
  /** Whether this gateway leads its cluster; null: it is in none. */
  readonly leadership?: SharedArrayBuffer | null
}

/** From the thread of a hosted agent to the main thread. */
export type HostedPhoneNews =
  | { readonly kind: 'log'; readonly entry: LogEntry }
  /** The agent of this phone has ended, by itself or after the order `end`. */
  | { readonly kind: 'ended'; readonly deviceId: string }

/** From the main thread to a thread that hosts phones. */
export type HostOrder =
  | { readonly kind: 'host'; readonly phone: HostedPhone }
  | { readonly kind: 'end'; readonly deviceId: string }

/** The thread has applied a new configuration. `fault`: what it could not apply; null: nothing. */
interface Reconfigured {
  readonly kind: 'reconfigured'
  readonly id: number
  readonly fault: string | null
}

/** Progress of a database migration, before `ready`. Steps count from 1; `percent` is of the current step. */
export interface Migrating {
  readonly kind: 'migrating'
  readonly step: number
  readonly steps: number
  readonly percent: number
}

/** From the writer to the main thread. */
export type WriterNews =
  | Migrating
  | ({ readonly kind: 'ready' } & DatabaseOpened)
  | { readonly kind: 'log'; readonly entry: LogEntry }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: readonly Metric[] }
  | Reconfigured
  /** A notification may be due: wake the notification sender. */
  | { readonly kind: 'notifications' }
  /** A phone that the gateway reaches was added, changed or removed. */
  | { readonly kind: 'reached-phones' }
  /** The owner has changed the configuration at the API. */
  | { readonly kind: 'configuration' }
  /** Whether the disk is full has changed. */
  | { readonly kind: 'disk'; readonly isFull: boolean }
  /** SQLite cannot continue, and the process must end. `held`: because another process writes as well. */
  | { readonly kind: 'database-failed'; readonly held: boolean }
  /** The gateway no longer leads its cluster, and the process must end at once. */
  | { readonly kind: 'leadership-lost' }
  | { readonly kind: 'stopped' }

export interface ListenerData {
  readonly listener: number
  /** One listener takes the mails, because there are few. */
  readonly takesMail: boolean
  readonly config: Config
  readonly publicUrl: string
  /** Start of the gateway, ISO 8601. */
  readonly startedAt: string
  readonly limiter: SharedArrayBuffer
  readonly credentials: SharedArrayBuffer
  /** Whether this gateway leads its cluster; null: it is in none. */
  readonly leadership: SharedArrayBuffer | null
  readonly writer: MessagePort
  /** Port to the pool (`pool/pool-client.ts`). */
  readonly pool: MessagePort
}

/** From the main thread to a listener. */
export type ListenerControl =
  /** The first message to a listener: the database is open, start to listen. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'metrics'; readonly id: number }
  | { readonly kind: 'reconfigure'; readonly id: number; readonly config: Config }
  /** The answer to the listener's `all-metrics`: all metrics in Prometheus' text format. */
  | { readonly kind: 'all-metrics'; readonly id: number; readonly text: string }
  /** The answer to the listener's `ask-cluster`. */
  | { readonly kind: 'cluster'; readonly id: number; readonly answer: ClusterAnswer }
  /** The gateway stops: close the port and refuse new requests. */
  | { readonly kind: 'drain' }
  /** Close all connections and end. */
  | { readonly kind: 'stop' }

/** From a listener to the main thread. */
export type ListenerNews =
  | { readonly kind: 'listening' }
  /** This port could not be opened. */
  | { readonly kind: 'refused'; readonly port: number }
  | { readonly kind: 'log'; readonly entry: LogEntry }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: readonly Metric[] }
  | Reconfigured
  /** A client asked this listener for the metrics of all threads. */
  | { readonly kind: 'all-metrics'; readonly id: number }
  | { readonly kind: 'ask-cluster'; readonly id: number; readonly question: ClusterQuestion }
  | { readonly kind: 'stopped' }
  /** The listener cannot continue. It has closed its connections, and the main thread may end it. */
  | { readonly kind: 'died'; readonly cause: string }

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** One line of the log. It never holds a key, token, code or message text; phone numbers are masked. */
export interface LogEntry {
  readonly level: LogLevel
  readonly event: string
  readonly fields: Readonly<Record<string, string | number | boolean | null>>
}
