import type { SyncSaid } from '#agent/session/sync-frames.ts'
import type {
  BeginFrame,
  HelloFrame,
  ReceivedFrame,
  ReportFrame,
  TelemetryFrame,
} from '#contracts/device-frames.ts'

export type SaidFrame = HelloFrame | SyncSaid | BeginFrame | ReportFrame | TelemetryFrame | ReceivedFrame

/**
 * One connection after `synced`. Each connection has its own link: requests on this one end with it.
 */
export interface Link {
  readonly session: string
  say(frame: SaidFrame): void
}
