import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import {
  type AlertField,
  type FieldRole,
  MATCH_PATHS_MAX,
  type ReadingResource,
  SETTLED_ROLES,
  type SettledRoles,
  withoutIndexes,
} from '#contracts/alert-reading.ts'
import type { CommandInput } from '#contracts/commands.ts'
import { checkBound, invalid, notFound } from '#domain/problem.ts'
import { describeReading } from '#domain/webhook/describe-webhook.ts'
import { findWebhook } from '#domain/webhook/manage-webhook.ts'
import type { World } from '#domain/world.ts'

/**
 * Settles which fields tell the thing, the state and the reason, for all bodies of a shape. It replaces the
 * earlier reading of the shape. Without any field, the shape is settled as its last body was read.
 *
 * @throws Problem NOT_FOUND; INVALID_REQUEST: a kept body of the shape lacks a field; CONFLICT: too many
 */
export function settleReading(world: World, input: CommandInput<'webhook.settle'>): ReadingResource {
  const { webhooks, seenTriggers, tx, now } = world
  const { id, readings } = findWebhook(world, input)
  const { webhookId, shape, roles } = input
  const fields = seenTriggers.fieldsOf(webhookId, shape)
  if (fields !== undefined) checkPaths(fields, roles)
  if (!Object.hasOwn(readings, shape)) checkBound(ACCOUNT_BOUNDS.readings, Object.keys(readings).length)
  const isAsRead = SETTLED_ROLES.every(role => roles[role] == null)
  // Of a list, the path of its first item.
  const match = [...new Map(fields?.toReversed().map(({ path }) => [withoutIndexes(path), path])).values()]
  const reading = {
    ...roles,
    ...(isAsRead ? rolesIn(fields ?? []) : {}),
    match: match.toReversed().slice(0, MATCH_PATHS_MAX),
    at: now.wallMs,
  }
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

/** Refuses paths that the last kept body of the shape does not have. */
function checkPaths(fields: readonly AlertField[], roles: SettledRoles): void {
  const known = new Set(fields.map(({ path }) => withoutIndexes(path)))
  const wrong = SETTLED_ROLES.filter(role => roles[role] != null && !known.has(withoutIndexes(roles[role])))
  if (wrong.length === 0) return
  const message = 'is not a field of this shape: use a path from the fields of the trigger'
  throw invalid(wrong.map(path => ({ path, message })))
}

/** The fields that told each role. */
function rolesIn(fields: readonly AlertField[]): SettledRoles {
  const pathOf = (role: FieldRole) => fields.find(field => field.role === role)?.path ?? null
  return { thing: pathOf('thing'), state: pathOf('state'), reason: pathOf('reason') }
}
