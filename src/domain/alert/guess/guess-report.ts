import type { Body } from '#domain/alert/body.ts'
import type { Report } from '#domain/alert/compose.ts'
import { describeGeneric } from '#domain/alert/guess/describe-generic.ts'
import { isWorthTelling } from '#domain/alert/guess/digest-fields.ts'
import { REASON_KEY, type Spread, spreadKeyLines } from '#domain/alert/guess/key-lines.ts'
import { isDispensable } from '#domain/alert/guess/read-card.ts'
import { openScopes } from '#domain/alert/read/find-fields.ts'
import { type Json, objectsOf } from '#domain/alert/read/json-value.ts'
import { cleanLine, mentions } from '#domain/alert/text/clean-text.ts'
import { faultLines } from '#domain/alert/text/fault-line.ts'

/** How many lines of a list of `Key: value` lines are shown if no other text gives a reason. */
const LINES_SHOWN = 4
/** A title of so few words says little without these lines. */
const SHORT_TITLE_WORDS = 3
const FAULTS_SHOWN = 2

/**
 * The report of a body that no sender knows, guessed by common field names. `null` if no name fits. `isCard`:
 * the body is a chat message, whose lines were all written for a reader.
 */
export function guessReport({ value, scopes }: Body, isCard = false): Report | null {
  const spread = spreadKeyLines(value, scopes)
  if (spread === null) return withCount(describeGeneric(value, scopes), value)
  const report = describeGeneric(spread.value, openScopes(spread.value))
  if (report === null || report.reason.length > 0) return report
  return { ...report, reason: tellLines(spread, report, isCard) }
}

/** The lines that the report does not tell yet: first the reason, then those without a key. */
function tellLines({ lines, rest, isTitled }: Spread, report: Report, isCard: boolean): readonly string[] {
  const told = [report.subject, ...(report.extras ?? [])].join(' ')
  const isNew = (text: string): boolean => !mentions(told, text)
  const useful = lines
    .filter(
      ([key, value]) => !isDispensable([key, value], '') && isWorthTelling(key.replaceAll(' ', '_'), value),
    )
    .map(([key, value]) => ({ isReason: REASON_KEY.test(key), key, text: cleanLine(value) }))
    .filter(line => isNew(line.text))
  const given = useful.filter(line => line.isReason).map(line => line.text)
  const reasons =
    given.length > 0 ? given : faultLines(rest.map(cleanLine)).filter(isNew).slice(0, FAULTS_SHOWN)
  const isShort = report.subject.replace(/ on \S+$/, '').split(' ').length <= SHORT_TITLE_WORDS
  if (!isCard && !isShort && (isTitled || report.state !== null)) return reasons
  const others = useful.filter(line => !line.isReason).map(({ key, text }) => `${key}: ${text}`)
  return [...reasons, ...(isCard ? rest.map(cleanLine).filter(isNew) : []), ...others].slice(0, LINES_SHOWN)
}

/** A body that is a list is described by its first object. The text says how many more there are. */
function withCount(report: Report | null, value: Json): Report | null {
  const more = objectsOf(value).length - 1
  if (report === null || more < 1) return report
  return { ...report, extras: [`+${more} more`, ...(report.extras ?? [])] }
}
