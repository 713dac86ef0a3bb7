import type { Body } from '#domain/alert/body.ts'
import type { Report } from '#domain/alert/compose.ts'
import { describeGeneric } from '#domain/alert/guess/describe-generic.ts'
import { isWorthTelling } from '#domain/alert/guess/digest-fields.ts'
import { type Spread, spreadKeyLines } from '#domain/alert/guess/key-lines.ts'
import { isDullName, isMeasure, isPlaceName, isReasonName } from '#domain/alert/guess/line-names.ts'
import { isDispensable } from '#domain/alert/guess/read-card.ts'
import { openScopes } from '#domain/alert/read/find-fields.ts'
import { type Json, objectsOf } from '#domain/alert/read/json-value.ts'
import { cleanLine, mentions, saysNothing, wordsOf } from '#domain/alert/text/clean-text.ts'
import { faultLines } from '#domain/alert/text/fault-line.ts'

/** How many lines of a list of `Key: value` lines are shown if no other text gives a reason. */
const LINES_SHOWN = 4
/** A title of so few words says little without these lines. */
const SHORT_TITLE_WORDS = 3
const FAULTS_SHOWN = 2
/** An item of a list that says something: several words, and no name with a value. */
const ITEM = /^[^:]+ [^:]+$/
/** A reason that is none: `Errors: 0`. */
const NOTHING = /^(?:0|none|no|kein\p{L}*|aucune?|nessun[oa]|ningun[oa]|geen|brak)$/iu
/** A line whose value is a sentence. */
const SENTENCE_FIELD = /^[^:]{2,40}: (?:\S+ ){4,}\S+$/u
/** What only names have: signs or digits within a word, or quotes. */
const NAMED = /[\p{L}\d][._/\\@:-][\p{L}\d]|\p{L}\d|["'][^"']{2,40}["']|\p{Ll}\p{Lu}/u
const SENTENCE = /^(?=.*\p{L}{3})(?:\S+ ){3,}\S+$/u

/**
 * The report of a body that no sender knows, guessed by common field names. `null` if no name fits. `isCard`:
 * the body is a chat message, whose lines were all written for a reader.
 */
export function guessReport({ value, scopes }: Body, isCard = false): Report | null {
  const spread = spreadKeyLines(value, scopes)
  if (spread === null) return withCount(describeGeneric(value, scopes), value)
  const report = describeGeneric(spread.value, openScopes(spread.value))
  if (report === null) return null
  const given = [report.reason].flat()
  const hasNumber = given.some(line => /\d/.test(line))
  if (given.length > 0)
    return hasNumber ? report : { ...report, reason: [...given, ...measuredLines(spread, report)] }
  const places = spread.isTitled ? spread.lines.filter(([key]) => isPlaceName(key)) : []
  const extras = [...(report.extras ?? []), ...places.map(([, value]) => cleanLine(value))]
  return { ...report, reason: tellLines(spread, report, isCard), extras }
}

/** The lines that the report does not tell yet: first the reason, then those without a key. */
function tellLines(spread: Spread, report: Report, isCard: boolean): readonly string[] {
  const { lines, rest, isTitled } = spread
  const told = [report.subject, ...(report.extras ?? [])].join(' ')
  const isNew = (text: string): boolean => !mentions(told, text)
  const useful = lines
    .filter(
      ([key, value]) =>
        !isDispensable([key, value], '') &&
        !isDullName(key) &&
        isWorthTelling(key.replaceAll(' ', '_'), value),
    )
    .map(([key, value]) => ({ isReason: isReasonName(key), key, text: cleanLine(value) }))
    .filter(line => isNew(line.text) && !(line.isReason && NOTHING.test(line.text)))
  const given = useful
    .filter(line => line.isReason)
    // A code alone says nothing.
    .map(({ key, text }) => (/\p{L}{2}/u.test(text) ? text : `${key}: ${text}`))
  const others = rest
    .filter(line => !/:\s*$/.test(line))
    .map(cleanLine)
    .filter(line => isNew(line) && !saysNothing(line))
  const faults = faultLines(others).slice(0, FAULTS_SHOWN)
  const items = others.filter(
    line => ITEM.test(line) && rest.some(raw => /^[-*•] /.test(raw) && raw.endsWith(line)),
  )
  const prose = others.filter(line => SENTENCE.test(line)).slice(0, 1)
  const sentences = faults.length > 0 ? faults : items.length > 0 ? items.slice(0, FAULTS_SHOWN) : prose
  const values = measuredLines(spread, report)
  const further = useful.filter(line => !line.isReason).map(({ key, text }) => `${key}: ${text}`)
  const isVague = sentences.length === 0 && !NAMED.test(told)
  const fields = !isVague ? [] : further.filter(line => SENTENCE_FIELD.test(line)).slice(0, 1)
  const reasons = given.length > 0 ? [...given, ...values] : [...values, ...sentences, ...fields]
  const isShort =
    wordsOf(report.subject.replace(/ on \S+$/, ''))
      .trim()
      .split(' ').length <= SHORT_TITLE_WORDS
  if (!isCard && !isShort && (isTitled || report.state !== null)) {
    const isNamed = [told, ...reasons].some(text => NAMED.test(text))
    const names = isNamed ? [] : further.filter(line => NAMED.test(line))
    const name = names.find(line => !line.includes('/')) ?? names[0]
    return name === undefined ? reasons : [...reasons, name]
  }
  return [...new Set([...reasons, ...(isCard ? others : []), ...further])].slice(0, LINES_SHOWN)
}

/** The line with what was measured, if the title has no number. */
function measuredLines({ lines }: Spread, { subject }: Report): readonly string[] {
  const found = /\d ?%/.test(subject)
    ? undefined
    : lines.find(([key, value]) => isMeasure(key, cleanLine(value)))
  return found === undefined ? [] : [`${found[0]}: ${cleanLine(found[1])}`]
}

/** A body that is a list is described by its first object. The text says how many more there are. */
function withCount(report: Report | null, value: Json): Report | null {
  const more = objectsOf(value).length - 1
  if (report === null || more < 1) return report
  return { ...report, extras: [`+${more} more`, ...(report.extras ?? [])] }
}
