import type { SyncPage } from '#agent/session/sync-frames.ts'
import type {
  BeginFrame,
  HelloFrame,
  RangFrame,
  ReceivedFrame,
  ReportFrame,
  TelemetryFrame,
} from '#contracts/device-frames.ts'

export type AgentFrame =
  | HelloFrame
  | SyncPage
  | BeginFrame
  | ReportFrame
  | TelemetryFrame
  | ReceivedFrame
  | RangFrame

/**
 * A connection after its `synced` frame. Each connection has a link of its own. A `begin` and its `go` must
 * use the same link.
 */
export interface Link {
  readonly session: string
  send(frame: AgentFrame): void
}
