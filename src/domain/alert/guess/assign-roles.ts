import { FIELD_ROLES, type FieldRole } from '#contracts/alert-reading.ts'
import { isOfPerson, namesThing } from '#domain/alert/guess/name-fields.ts'
import { featuresOf } from '#domain/alert/guess/role-features.ts'
import { ROLE_WEIGHTS } from '#domain/alert/guess/role-weights.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { saysNoFault } from '#domain/alert/text/fault-line.ts'

/** A field needs at least this probability for a role. */
const PROBABILITY_MIN = 0.4
/** How many fields with one role are worth comparing. */
const FIELDS_MAX = 4

/** A field that may have a role, and how probable that is. */
export interface Candidate {
  readonly field: ListedField
  readonly probability: number
}

/** The fields that may have each role, the most probable first. */
export type Roles = Readonly<Record<FieldRole, readonly Candidate[]>>
export type Weights = Readonly<Record<FieldRole, ReadonlyMap<string, number>>>

/** Guesses which fields say what. A role that no field fits stays empty. */
export function assignRoles(fields: readonly ListedField[]): Roles {
  const looks = fields.map(field => ({ field, features: featuresOf(field) }))
  const found = FIELD_ROLES.map(role => {
    const candidates = looks
      .filter(({ field }) => mayHave(role, field))
      .map(({ field, features }) => ({ field, probability: probabilityOf(features, ROLE_WEIGHTS[role]) }))
      .filter(({ field, probability }) => probability >= PROBABILITY_MIN && field.value.trim() !== '')
      .sort((one, other) => other.probability - one.probability)
    return [role, candidates.slice(0, FIELDS_MAX)] as const
  })
  return Object.fromEntries(found) as unknown as Roles
}

/** Objects whose name is a state or a kind: `priority: {name: Highest}`. */
const OF_STATE = /^(?:issue)?(?:priority|severity|status|state|type|category)$/i
/** The path of a request, which is no thing. */
const REQUEST = /^(?:path|uri|route|request ?path)$/i
/** Values that give no reason: flags, codes of success and paths of a program's own pages. */
const NO_REASON = /^(?:true|false|yes|no|notified|e?0+|\/\S*)$/i
/** Fields with what was so when the problem began: `metricsAtStart`. */
const AT_START = /(?:A|_a)t_?[Ss]tart$/
/** Fields with codes, which name nothing. */
const CODED = /^(?:key|hash|token|secret|signature)$/i

const isName = (key: string) => !/^\d+$/.test(key)

function mayHave(role: FieldRole, field: ListedField): boolean {
  if (role === 'reason')
    return (
      !AT_START.test(field.keys.at(-1) ?? '') &&
      !NO_REASON.test(field.value.slice(0, 200).trim()) &&
      !saysNoFault(field.value)
    )
  // Who found it is unknown, too: `credit: Unknown`.
  if (role === 'state' && /^unknown$/i.test(field.value))
    return /(?:state|status|health|result|condition)$/i.test(field.keys.findLast(isName) ?? '')
  const above = field.keys.at(-2) ?? ''
  if (role === 'thing' && CODED.test(field.keys.at(-1) ?? '') && /^(?=.*\d)\w+$/.test(field.value))
    return false
  if (role === 'thing' && REQUEST.test(field.keys.at(-1) ?? '') && field.value.startsWith('/')) return false
  return role !== 'thing' || (namesThing(field.value.trim()) && !isOfPerson(field) && !OF_STATE.test(above))
}

/** The logistic function of the sum of the weights. */
export function probabilityOf(features: readonly string[], weights: ReadonlyMap<string, number>): number {
  const sum = features.reduce(
    (total, feature) => total + (weights.get(feature) ?? 0),
    weights.get('base') ?? 0,
  )
  return 1 / (1 + Math.exp(-sum))
}
