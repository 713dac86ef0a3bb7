import { readFileSync } from 'node:fs'
import { CONNECTIONS_MAX, DESCRIPTORS_KEPT } from '#contracts/bounds.ts'

/**
 * How many connections one listener may hold: at the limit of file descriptors, which all of them share,
 * uWebSockets.js would spin at full processor time. `limits`: the text of `/proc/self/limits`.
 */
export function connectionsMaxOf(limits: string, listeners: number): number {
  const found = /^Max open files\s+(\d+)/m.exec(limits)
  const descriptors = found === null ? Number.POSITIVE_INFINITY : Number(found[1])
  const room = Math.floor((descriptors - DESCRIPTORS_KEPT) / listeners)
  return Math.max(1, Math.min(CONNECTIONS_MAX, room))
}

/** The limits of this process, where the system tells them; otherwise an empty text. */
export function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}
