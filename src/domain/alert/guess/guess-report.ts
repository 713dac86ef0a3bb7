import type { Body } from '#domain/alert/body.ts'
import type { Report } from '#domain/alert/compose.ts'
import { describeGeneric } from '#domain/alert/guess/describe-generic.ts'
import { digestPairs } from '#domain/alert/guess/digest-fields.ts'
import { spreadKeyLines } from '#domain/alert/guess/key-lines.ts'
import { openScopes } from '#domain/alert/read/find-fields.ts'
import { isObject, type Json, objectsOf } from '#domain/alert/read/json-value.ts'

/** How many pairs of a list of `Key: value` lines are shown if none of them is a reason. */
const PAIRS_SHOWN = 4

/** The report of a body that no sender knows, guessed by common field names. `null` if no name fits. */
export function guessReport({ value, scopes }: Body): Report | null {
  const spread = spreadKeyLines(value, scopes)
  const report = withCount(describeGeneric(spread, spread === value ? scopes : openScopes(spread)), value)
  const isOnlyHeadline = isObject(spread) && Object.hasOwn(spread, 'headline') && report?.reason.length === 0
  if (!isOnlyHeadline || report.state !== null) return report
  return { ...report, reason: digestPairs(spread, [report.subject]).slice(0, PAIRS_SHOWN).join(' ') }
}

/** A body that is a list is described by its first object. The text says how many more there are. */
function withCount(report: Report | null, value: Json): Report | null {
  const more = objectsOf(value).length - 1
  if (report === null || more < 1) return report
  return { ...report, extras: [`+${more} more`, ...(report.extras ?? [])] }
}
