import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { isContrary } from '#domain/alert/filter-facts.ts'
import { type Evidence, gatherEvidence } from '#domain/alert/read/gather-evidence.ts'
import { isObject, type Json, recordOf } from '#domain/alert/read/json-value.ts'
import { hasRelapse } from '#domain/alert/text/fault-words.ts'
import { OVER } from '#domain/alert/vocabulary/states.ts'

/** Items of a long list that are looked at together with the rest of the body. */
const ITEMS_TOGETHER = 8
/** More are not the things of one incident, and to look at each would take long. */
const ITEMS_MAX = ACCOUNT_BOUNDS.incidentThings.most

/**
 * What a body says about the present. Of a list that is too long to look at as a whole, such as 300 resolved
 * alerts, those behind the first are looked at one by one, and left out if each says that it is over.
 */
export function evidenceOf(value: Json): Evidence {
  const evidence = gatherEvidence(value)
  if (evidence.isWhole) return evidence
  const shorter = withoutEnded(value)
  return shorter === value ? evidence : gatherEvidence(shorter)
}

function withoutEnded(value: Json): Json {
  if (Array.isArray(value)) return areEnded(value) ? value.slice(0, ITEMS_TOGETHER) : value
  if (!isObject(value)) return value
  const fields = Object.entries(value)
  if (!fields.some(([, field]) => Array.isArray(field) && areEnded(field))) return value
  return recordOf(fields.map(([name, field]) => [name, Array.isArray(field) ? withoutEnded(field) : field]))
}

function areEnded(items: readonly Json[]): boolean {
  const isLong = items.length > ITEMS_TOGETHER && items.length <= ITEMS_MAX
  return isLong && items.slice(ITEMS_TOGETHER).every(isEnded)
}

function isEnded(item: Json): boolean {
  const { states, lines, isFlagged, isWhole } = gatherEvidence(item)
  const own = states.filter(({ isLabel }) => !isLabel)
  const isSure = own.some(({ state, isEvent }) => !isEvent && OVER.has(state?.word ?? ''))
  return isWhole && !isFlagged && isSure && !own.some(isContrary) && !lines.some(hasRelapse)
}
