import type { AlertSeverity } from '#contracts/webhook.ts'
import { isObject, type Json } from '#domain/alert/read/json-value.ts'
import type { Payload } from '#domain/alert/read/read-payload.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'

/** The priorities of ntfy, by number and by name. The default priority gives no severity. */
const PRIORITIES: ReadonlyMap<string, AlertSeverity> = new Map([
  ['1', 'info'],
  ['min', 'info'],
  ['2', 'info'],
  ['low', 'info'],
  ['4', 'warning'],
  ['high', 'warning'],
  ['5', 'critical'],
  ['max', 'critical'],
  ['urgent', 'critical'],
])
const TAGS: ReadonlyMap<string, AlertSeverity> = new Map([
  ['rotating_light', 'critical'],
  ['skull', 'critical'],
  ['sos', 'critical'],
  ['warning', 'warning'],
])

/**
 * Reads how urgent a message is from ntfy's headers, or from `priority` and `tags` of ntfy's JSON, which has
 * a `topic`. The result is used only if the alert itself has no severity.
 */
export function readUrgency({ value, headers }: Payload): AlertSeverity | null {
  const own = isObject(value) && Object.hasOwn(value, 'topic') ? value : {}
  const header = (names: readonly string[]): string =>
    names.map(name => headers[name] ?? '').find(text => text !== '') ?? ''
  const priority = header(['priority', 'x-priority', 'prio', 'p']) || scalarOf(own['priority'])
  const tags = header(['tags', 'x-tags', 'tag', 'ta']) || listOf(own['tags'])
  const named = tags.split(',').flatMap(tag => TAGS.get(tag.trim().toLowerCase()) ?? [])
  return PRIORITIES.get(priority.trim().toLowerCase()) ?? named[0] ?? null
}

function listOf(tags: Json | undefined): string {
  return Array.isArray(tags) ? tags.slice(0, 16).join(',') : scalarOf(tags)
}
