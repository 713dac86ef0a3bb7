import type { AlertFormat, AlertSeverity } from '#contracts/webhook.ts'
import type { Body } from '#domain/alert/body.ts'
import type { Report } from '#domain/alert/compose.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

/** Where a part of the text comes from: the path of a field, or what no path can say. */
export type Part<T = string> = string | ((body: Body) => T)

/**
 * One kind of body. Of the parts of a list, the first that says something is taken; of `extras`, each.
 * ARCHITECTURE.md shows how to add one.
 */
export interface Sender {
  readonly format: AlertFormat
  /** By names and kinds of fields or by the sender's own fixed words, never by what one installation has. */
  readonly matches: (body: Body) => boolean
  readonly state: readonly Part<State | null>[]
  /** Where the state does not say how bad the sender holds it to be. */
  readonly severity?: (body: Body) => AlertSeverity | null
  readonly subject?: readonly Part[]
  readonly reason: readonly Part<string | readonly string[]>[]
  readonly extras?: readonly Part[]
  /** For an alert that is over: milliseconds, or the sender's own words. */
  readonly lasted?: (body: Body) => number | string
}

/** What a sender of this kind tells with a body. */
export function readReport(sender: Sender, body: Body): Report {
  const { format, severity, lasted, extras = [] } = sender
  const state = first(sender.state, path => readState(body.line(path)), body)
  const line = (path: string): string => body.line(path)
  const rank = severity?.(body) ?? null
  return {
    format,
    state,
    subject: first<string>(sender.subject ?? [], line, body) ?? '',
    reason: first<string | readonly string[]>(sender.reason, line, body) ?? '',
    extras: extras.map(part => (typeof part === 'string' ? line(part) : part(body))),
    ...(rank === null ? {} : { severity: rank }),
    ...(lasted !== undefined && state?.kind === 'good' ? { lasted: lasted(body) } : {}),
  }
}

function first<T>(parts: readonly Part<T | null>[], read: (path: string) => T | null, body: Body): T | null {
  for (const part of parts) {
    const value = typeof part === 'string' ? read(part) : part(body)
    if (value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)) return value
  }
  return null
}
