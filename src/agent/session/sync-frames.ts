import type { Entry } from '#agent/journal-record.ts'
import { SYNC_MESSAGES_MAX } from '#contracts/bounds.ts'

/** Bytes of messages in one `sync` frame; the rest of `FRAME_BYTES_MAX` is for the other fields. */
const AGENT_SYNC_BYTES_MAX = 14_000

type SyncEntry = Pick<Entry, 'messageId' | 'attempt' | 'state' | 'code'>

export interface SyncPage {
  readonly type: 'sync'
  readonly messages: readonly SyncEntry[]
  readonly more: boolean
}

/**
 * Splits the journal into `sync` frames that are small enough for the socket. Returns at least one frame.
 * `more` is true in all but the last.
 */
export function syncFrames(entries: Iterable<Entry>): SyncPage[] {
  const pages: SyncEntry[][] = []
  let page: SyncEntry[] = []
  let pageBytes = 0
  for (const { messageId, attempt, state, code } of entries) {
    const line = { messageId, attempt, state, code }
    const lineBytes = Buffer.byteLength(JSON.stringify(line)) + 1
    if (pageBytes + lineBytes > AGENT_SYNC_BYTES_MAX || page.length === SYNC_MESSAGES_MAX) {
      pages.push(page)
      page = []
      pageBytes = 0
    }
    page.push(line)
    pageBytes += lineBytes
  }
  pages.push(page)
  return pages.map((messages, index) => ({ type: 'sync', messages, more: index < pages.length - 1 }))
}
