import type { Log } from '#app/log.ts'
import type { SystemdConnection } from '#app/service/connect-systemd.ts'
import type { ReloadSource } from '#app/service/reloader.ts'
import type { EarlyThreads } from '#app/threads/early-threads.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'

export interface FirstStart {
  readonly sandboxKey: string
  readonly setupUrl: string
}

export interface GatewayOptions {
  readonly config: Config
  readonly log: Log
  /** Aborted by SIGTERM and SIGINT, and outside a service also by SIGHUP. */
  readonly stop: AbortSignal
  /** Prints a text for people at the start. `data`: the secrets in it, for programs. */
  readonly say: (text: string, data: Partial<FirstStart>) => void
  /** The connection to systemd; null: none. */
  readonly service?: SystemdConnection | null
  /** Source of reloads; absent: the configuration is never reloaded. */
  readonly reload?: ReloadSource
  /** Start with an empty database even if commits were made in this directory before. */
  readonly acceptDataLoss?: boolean
  readonly onReady?: (url: string, writer: Writer) => void
  /** Threads that the program has started already. */
  readonly early?: EarlyThreads | undefined
  /** Other entry files for the threads, for tests. */
  readonly entries?: {
    readonly listener?: string
    readonly writer?: string
    readonly pool?: string
    readonly phone?: string
  }
}
