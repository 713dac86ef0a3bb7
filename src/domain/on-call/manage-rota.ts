import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { RotaFields, RotaResource } from '#contracts/on-call.ts'
import { newOwned } from '#domain/account/plan-of.ts'
import { checkPeople } from '#domain/on-call/check-people.ts'
import { describeRota } from '#domain/on-call/describe-on-call.ts'
import type { Rota } from '#domain/on-call/on-call-store.ts'
import { anchorFor } from '#domain/on-call/turns.ts'
import { checkBound, existing, invalid, notFound, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/**
 * The turn of the first person begins with the last handover.
 *
 * @throws Problem INVALID_REQUEST (unknown people), and as `newOwned`
 */
export function createRota(world: World, input: CommandInput<'rota.create'>): RotaResource {
  const { onCall, now, settings } = world
  const held = onCall.rota.list(input.accountId).length
  const rota = newOwned(world, input, { kind: 'rota', bound: ACCOUNT_BOUNDS.rotas, held })
  checkPeople(world, input.accountId, rota.people)
  const anchorAt = anchorFor(rota, now.wallMs, settings.timeZone())
  return save(world, { ...rota, anchorAt, overrides: [] })
}

/**
 * Changes the given fields and keeps the rest. Whoever is on call stays on call, unless the person leaves.
 *
 * @throws Problem NOT_FOUND; INVALID_REQUEST (unknown people); CONFLICT: a policy tells who is next, and only
 * one person would be left
 */
export function updateRota(world: World, input: CommandInput<'rota.update'>): RotaResource {
  const { now, settings } = world
  const before = existing(world.onCall.rota, input, 'rota')
  const fields: RotaFields = { ...before, people: [...before.people], ...input.change }
  checkPeople(world, input.accountId, fields.people)
  if (fields.people.length === 1) checkNobodyIsNext(world, before)
  const anchorAt = anchorFor({ ...fields, before }, now.wallMs, settings.timeZone())
  return save(world, { ...before, ...fields, anchorAt })
}

/**
 * Puts a person in the place of whoever's turn it is. Where overrides overlap, the newest counts.
 *
 * @throws Problem NOT_FOUND; INVALID_REQUEST (it is over, or an unknown person); CONFLICT (too many)
 */
export function addOverride(world: World, input: CommandInput<'rota.override'>): RotaResource {
  const { source, now, onCall } = world
  const rota = existing(world.onCall.rota, input, 'rota')
  const { personId, until } = input.fields
  if (until <= now.wallMs) throw invalid([{ path: 'until', message: 'must be later than now' }])
  if (onCall.person.find(input.accountId, personId) === undefined)
    throw invalid([{ path: 'personId', message: 'must be the id of a person, from the list of people' }])
  const overrides = rota.overrides.filter(one => one.until > now.wallMs)
  checkBound(ACCOUNT_BOUNDS.overrides, overrides.length)
  const override = { ...input.fields, id: source.id('ovr_', now.wallMs) }
  return save(world, { ...rota, overrides: [...overrides, override] })
}

/** @throws Problem NOT_FOUND (rota or override) */
export function endOverride(world: World, input: CommandInput<'rota.end-override'>): RotaResource {
  const rota = existing(world.onCall.rota, input, 'rota')
  const overrides = rota.overrides.filter(({ id }) => id !== input.overrideId)
  if (overrides.length === rota.overrides.length) throw notFound('override')
  return save(world, { ...rota, overrides })
}

function save({ onCall, tx, now, settings }: World, rota: Rota): RotaResource {
  onCall.rota.save(tx, rota)
  return describeRota(rota, { wallMs: now.wallMs, machineZone: settings.timeZone() })
}

function checkNobodyIsNext({ onCall }: World, { accountId, id, name }: Rota): void {
  const policy = onCall.policy
    .list(accountId)
    .find(({ steps }) => steps.some(({ tell }) => tell.includes(`${id}+1`)))
  if (policy === undefined) return
  const message = `the policy ${policy.name} tells who is next in ${name}: keep two people in it`
  throw new Problem('CONFLICT', message)
}
