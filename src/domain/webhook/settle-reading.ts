import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { type ReadingResource, SETTLED_ROLES } from '#contracts/alert-reading.ts'
import type { CommandInput } from '#contracts/commands.ts'
import { checkBound, invalid, notFound } from '#domain/problem.ts'
import { describeReading } from '#domain/webhook/describe-webhook.ts'
import { findWebhook } from '#domain/webhook/manage-webhook.ts'
import type { World } from '#domain/world.ts'

/**
 * Settles which fields tell the thing, the state and the reason, for all bodies of a shape. It replaces the
 * earlier reading of the shape.
 *
 * @throws Problem NOT_FOUND; INVALID_REQUEST: a kept body of the shape lacks a field; CONFLICT: too many
 */
export function settleReading(world: World, input: CommandInput<'webhook.settle'>): ReadingResource {
  const { webhooks, tx, now } = world
  const { id, readings } = findWebhook(world, input)
  const { shape, roles } = input
  checkPaths(world, input)
  if (!Object.hasOwn(readings, shape)) checkBound(ACCOUNT_BOUNDS.readings, Object.keys(readings).length)
  const reading = { ...roles, at: now.wallMs }
  webhooks.saveReadings(tx, id, { ...readings, [shape]: reading })
  return describeReading(shape, reading)
}

/** Roost reads bodies of the shape by itself again. @throws Problem NOT_FOUND */
export function forgetReading(world: World, input: CommandInput<'webhook.forget'>) {
  const { id, readings } = findWebhook(world, input)
  const { shape } = input
  if (!Object.hasOwn(readings, shape)) throw notFound('reading')
  const { [shape]: _, ...others } = readings
  world.webhooks.saveReadings(world.tx, id, others)
  return { shape }
}

/** Refuses paths that the last kept body of the shape does not have. Without such a body, all are taken. */
function checkPaths({ seenTriggers }: World, { webhookId, shape, roles }: CommandInput<'webhook.settle'>) {
  const fields = seenTriggers.fieldsOf(webhookId, shape)
  if (fields === undefined) return
  const known = new Set(fields.map(({ path }) => withoutIndexes(path)))
  const wrong = SETTLED_ROLES.filter(role => roles[role] != null && !known.has(withoutIndexes(roles[role])))
  if (wrong.length === 0) return
  const message = 'is not a field of this shape: use a path from the fields of the trigger'
  throw invalid(wrong.map(path => ({ path, message })))
}

/** Bodies of one shape differ in the lengths of their lists. */
function withoutIndexes(path: string): string {
  return path.replace(/(?<=^|\.)\d+(?=\.|$)/g, '*')
}
