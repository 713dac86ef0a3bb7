import type { AlertFormat, AlertSeverity } from '#contracts/webhook.ts'
import type { Body } from '#domain/alert/body.ts'
import type { Report } from '#domain/alert/compose.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

/** Where a part of the text comes from: the path of a field, or a function for anything more. */
export type Part<T = string> = string | ((body: Body) => T)

/**
 * How to read one kind of body. In each list of parts the first that is not empty is used; in `extras`, all.
 * `senders/README.md` says how to add a sender.
 */
export interface Sender {
  readonly format: AlertFormat
  /** Decides by field names, field types or the sender's fixed words, never by one installation's values. */
  readonly matches: (body: Body) => boolean
  readonly state: readonly Part<State | null>[]
  /** How bad the alert is according to the sender, if the state does not say so. */
  readonly severity?: (body: Body) => AlertSeverity | null
  readonly subject?: readonly Part[]
  /** Which of the problems of the subject it is, in words that its end repeats. The text does not show it. */
  readonly about?: readonly Part[]
  /** What its end repeats word by word, which is all of the key. */
  readonly thing?: readonly Part[]
  readonly reason: readonly Part<string | readonly string[]>[]
  readonly extras?: readonly Part[]
  /** For an alert that is over, how long it lasted: milliseconds, or the sender's own words. */
  readonly lasted?: (body: Body) => number | string
}

/** Reads a body by the rules of its sender. */
export function readReport(sender: Sender, body: Body): Report {
  const { format, severity, lasted, about = [], thing = [], extras = [] } = sender
  const state = first(sender.state, path => readState(body.line(path)), body)
  const line = (path: string): string => body.line(path)
  const rank = severity?.(body) ?? null
  return {
    format,
    state,
    subject: first<string>(sender.subject ?? [], line, body) ?? '',
    about: first<string>(about, line, body) ?? '',
    thing: first<string>(thing, line, body) ?? '',
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
