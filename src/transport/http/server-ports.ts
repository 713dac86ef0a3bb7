import type { LogEntry } from '#contracts/thread-frames.ts'
import type { Plan } from '#domain/account/plan.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import type { Credentials } from '#transport/http/authenticate.ts'
import type { ProxyRules } from '#transport/http/client-address.ts'
import type { EndedExchange } from '#transport/http/http-metrics.ts'
import type { LargeBodies } from '#transport/http/large-bodies.ts'

/** The settings of a listener that a reload can change. Read them at each use. */
export interface ListenerSettings extends ProxyRules {
  readonly anonymousCallsPerMinute: number
  readonly bodyBytesMax: number
  readonly offlineAfterMs: number
}

export interface ServerPorts {
  readonly credentials: Credentials
  readonly limiter: RateLimiter
  /** Shared with the server for mails of the same thread. */
  readonly large: LargeBodies
  readonly plan: (name: string) => Plan
  readonly settings: () => ListenerSettings
  /** Time limit of a request, which is then answered 503. */
  readonly requestMsMax: number
  readonly log: (entry: LogEntry) => void
  /** Called when an exchange begins. */
  readonly opened: () => void
  /** Called when an exchange has ended. */
  readonly answered: (answered: EndedExchange) => void
  /** True while the gateway stops and refuses new work. */
  readonly draining: () => boolean
  /** False: another gateway leads the cluster now. Absent: the gateway is in none. */
  readonly leads?: (() => boolean) | undefined
}
