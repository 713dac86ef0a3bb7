/** Which received texts the reader has seen. This browser keeps the time of the newest of each sender. */
import { signal } from '@preact/signals'
import { readStorage, writeStorage } from '#console/browser-storage.ts'
import { type SeenTexts, withSeen } from '#console/talk.ts'

const KEY = `roost seen ${new URL('.', document.baseURI).pathname}`
const seen = signal(readSeen())

/** Whether a text is newer than what the reader has seen of its sender. */
export function isNew(from: string, receivedAt: string): boolean {
  const { since, bySender } = seen.value
  return receivedAt > (bySender[from] ?? since)
}

/** Remembers that the reader has seen the texts of a sender up to this time. */
export function markSeen(from: string, at: string): void {
  if (!isNew(from, at)) return
  seen.value = withSeen(seen.peek(), from, at)
  writeStorage(KEY, JSON.stringify(seen.value))
}

/** In a browser that never showed received texts, all that came before count as seen. */
function readSeen(): SeenTexts {
  try {
    const { since, bySender } = JSON.parse(readStorage(KEY) ?? '') as SeenTexts
    if (typeof since === 'string' && typeof bySender === 'object') return { since, bySender }
  } catch {
    // Nothing was kept, or something else under this name.
  }
  const first = { since: new Date().toISOString(), bySender: {} }
  writeStorage(KEY, JSON.stringify(first))
  return first
}
