import type { AlertSeverity } from '#contracts/webhook.ts'
import { isObject } from '#domain/alert/read/json-value.ts'
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
export function readUrgency(payload: Payload): AlertSeverity | null {
  const priority = firstOf(payload, ['priority', 'x-priority', 'prio', 'p'])
  return PRIORITIES.get(priority.trim().toLowerCase()) ?? severityOfTags(payload)
}

/** Whether a tag gives a severity. A priority says less: some programs have one for all they send. */
export function isTagged(payload: Payload): boolean {
  return severityOfTags(payload) !== null
}

function severityOfTags(payload: Payload): AlertSeverity | null {
  const tags = firstOf(payload, ['tags', 'x-tags', 'tag', 'ta'])
  return tags.split(',').flatMap(tag => TAGS.get(tag.trim().toLowerCase()) ?? [])[0] ?? null
}

/** The first of these headers, or else the field of ntfy's JSON that has the first name. */
function firstOf({ value, headers }: Payload, names: readonly string[]): string {
  const header = names.map(name => headers[name] ?? '').find(text => text !== '') ?? ''
  const own = isObject(value) && Object.hasOwn(value, 'topic') ? value[names[0] ?? ''] : undefined
  return header || (Array.isArray(own) ? own.slice(0, 16).join(',') : scalarOf(own))
}
