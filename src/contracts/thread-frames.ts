/** What threads say to one another. The ports between them are made in `app/gateway.ts`. */
import type { MessagePort } from 'node:worker_threads'
import type { AcceptMessage, CommandAnswer, CommandCall, CommandName } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { ConsoleFile } from '#contracts/console-files.ts'
import type { News } from '#contracts/live.ts'
import type { Metric } from '#contracts/metrics.ts'
import type { PhoneOrder } from '#contracts/phone-orders.ts'

/** An order for a phone, as the listener that holds its connection gets it. */
export interface SocketEffect {
  readonly socket: number
  readonly order: PhoneOrder
}

/** Something that happened, for every page of the account that the listener holds. */
export interface AccountNews {
  readonly accountId: string
  readonly news: News
}

/** Asker → writer. */
export interface CallsFrame {
  readonly calls: readonly (CommandCall | SendRow)[]
}

/** The call `message.accept`: its values in this order (`storage/send-row.ts`). */
export type SendRow = readonly [
  id: number,
  accountId: string,
  test: boolean,
  kind: AcceptMessage['kind'],
  phoneNumber: string,
  country: string | null,
  text: string,
  segments: number,
  encoding: AcceptMessage['encoding'],
  deviceId: string | null,
  ttlMs: number | null,
  priority: AcceptMessage['priority'],
  simSlot: number | null,
  queueIfOffline: boolean,
  notificationUrl: string | null,
  idempotency: AcceptMessage['idempotency'],
]

/** The answer to a `SendRow` that was accepted; a refusal is a `CommandAnswer`. */
export type SendAnswerRow = readonly [id: number, answer: string, replayed: boolean]

/**
 * What tells that something happened, and asks nothing: refused, it would be lost. So it is taken however
 * much waits; there are no more of them than sockets.
 */
export const TOLD: ReadonlySet<CommandName> = new Set<CommandName>(['phone.closed', 'live.leave'])

/** Writer → asker: after a commit, never before. */
export interface AnswersFrame {
  readonly answers: readonly (CommandAnswer | SendAnswerRow)[]
  readonly effects: readonly SocketEffect[]
  readonly news?: readonly AccountNews[]
}

export interface WriterData {
  readonly config: Config
  readonly publicUrl: string
  /** Advances whenever a credential or a plan changed (limits/generation.ts). */
  readonly credentials: SharedArrayBuffer
  /** Advances with each commit that wrote something. */
  readonly commits: SharedArrayBuffer
}

/** Main → writer thread. Asker 0 is the main thread, listeners count from 1. */
export type WriterControl =
  | { readonly kind: 'attach'; readonly asker: number; readonly port: MessagePort }
  | { readonly kind: 'forget'; readonly asker: number }
  | { readonly kind: 'metrics'; readonly id: number }
  | { readonly kind: 'reconfigure'; readonly id: number; readonly config: Config }
  | { readonly kind: 'drain' }
  | { readonly kind: 'stop' }

/** What a database had lost that was found behind the count of its commits (COMMITS_LOST). */
export interface CommitLoss {
  /** Wall clock: when it was found. */
  readonly at: number
  readonly commits: number
  /** Open messages that ended as OUTCOME_UNKNOWN. */
  readonly messages: number
}

/** What the writer found when it opened the database. */
export interface DatabaseOpened {
  /** What was lost; null: nothing. */
  readonly lost: CommitLoss | null
  /** Open messages that were ended because the database is a copy; null: it is none. */
  readonly copied: number | null
}

/** What the thread of the nightly backup is to do. Paths are absolute. */
export interface NightlyBackupTask {
  readonly dataDir: string
  readonly dir: string
  /** Empty: none. */
  readonly secondDir: string
  /** Of the file, in both. */
  readonly name: string
  /** Days and weeks of which a backup is kept. */
  readonly kept: { readonly days: number; readonly weeks: number }
}

/** A phone that the gateway reaches, as the thread that hosts its agent gets it. */
export interface HostedPhone {
  readonly deviceId: string
  readonly name: string
  /** Of the gateway's own device socket. */
  readonly socketUrl: string
  /** With which the agent connects to it. */
  readonly token: string
  readonly access: {
    readonly url: string
    readonly username: string
    readonly password: string
    /** The app's own id of the phone. */
    readonly phoneId: string
  }
  readonly dataDir: string
  /** `devices.allowed_hosts` */
  readonly allowedHosts: readonly string[]
}

/** Thread of a hosted agent → main. */
export interface HostedPhoneNews {
  readonly kind: 'log'
  readonly entry: LogEntry
}

/** A configuration is in force; `fault` says what of it is not. */
interface Reconfigured {
  readonly kind: 'reconfigured'
  readonly id: number
  readonly fault: string | null
}

/** The schema is brought up to date: so much of a step is done. Steps count from 1; only before `ready`. */
export interface Migrating {
  readonly kind: 'migrating'
  readonly step: number
  readonly steps: number
  readonly percent: number
}

/** Writer thread → main. */
export type WriterNews =
  | Migrating
  | ({ readonly kind: 'ready' } & DatabaseOpened)
  | { readonly kind: 'log'; readonly entry: LogEntry }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: readonly Metric[] }
  | Reconfigured
  /** Something may be due for the sender of notifications. */
  | { readonly kind: 'notifications' }
  /** A phone that the gateway reaches came, changed or went. */
  | { readonly kind: 'reached-phones' }
  /** The disk failed; the process must end. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'stopped' }

export interface ListenerData {
  readonly listener: number
  readonly config: Config
  readonly publicUrl: string
  /** When the gateway started, ISO 8601. */
  readonly startedAt: string
  readonly limiter: SharedArrayBuffer
  readonly credentials: SharedArrayBuffer
  readonly writer: MessagePort
  /** The agent as one file; null when it was not built. */
  readonly agentFile: Uint8Array | null
  /** The console; null when it was not built. */
  readonly consoleFiles: readonly ConsoleFile[] | null
  /** To the pool (`pool/pool-client.ts`). */
  readonly pool: MessagePort
}

/** Main → listener thread. */
export type ListenerControl =
  /** The first frame to a listener: the database is open, start to listen. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'metrics'; readonly id: number }
  | { readonly kind: 'reconfigure'; readonly id: number; readonly config: Config }
  /** What it asked for with `all-metrics`. */
  | { readonly kind: 'all-metrics'; readonly id: number; readonly text: string }
  | { readonly kind: 'drain' }
  | { readonly kind: 'stop' }

/** Listener thread → main. */
export type ListenerNews =
  | { readonly kind: 'listening' }
  /** This port could not be opened. */
  | { readonly kind: 'refused'; readonly port: number }
  | { readonly kind: 'log'; readonly entry: LogEntry }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: readonly Metric[] }
  | Reconfigured
  /** Somebody asked this listener for the metrics of all threads. */
  | { readonly kind: 'all-metrics'; readonly id: number }
  | { readonly kind: 'stopped' }
  /** It cannot go on, has closed what it had open, and may be ended. */
  | { readonly kind: 'died'; readonly cause: string }

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** One line of the log; never a key, token, code or message text, numbers masked. */
export interface LogEntry {
  readonly level: LogLevel
  readonly event: string
  readonly fields: Readonly<Record<string, string | number | boolean | null>>
}
