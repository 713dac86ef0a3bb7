import type { Report } from '#domain/alert/compose.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import { isLater, isTelling, nameOf } from '#domain/alert/guess/name-fields.ts'
import { stateOfField } from '#domain/alert/guess/role-state.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { cleanLine, mentions } from '#domain/alert/text/clean-text.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const STATE_NAME = /^(?:(?:current|new|alarm|alert|device|site)? ?)(?:state|status)(?: name| text)?$/
/** A state in words that Roost does not know: `OUT_OF_ORDER`, `Störung`. */
const STATE_WORDS = /^\p{L}{3,16}(?:[ _-]\p{L}{2,12}){0,2}$/u
/** Words that say how far something has come, or nothing. */
const NO_STATE = new RegExp(
  '^(?:completed?|finished|done|running|sent|delivered|ready|live|enabled|disabled|active|success\\w*' +
    '|normal|true|false|yes|on|off|null|default|published|processed|accepted|processing|queued)$',
  'i',
)
/** States after which a severity is only that of the problem that was. */
const ENDED = /^(?:reset|ended|normal)$/i
const STATE_PHRASE_NAME = /(?:state|status)(?: name| text| detail)?$/
const STATE_PHRASE = /^\p{L}{3,16}(?:[ _-]\p{L}{2,12}){1,3}$/u
const CODE_NAME = /(?:^|[ ])(?:status|response|http) ?code$|^http (?:status|response)$/
const VALUE_NAME = /(?:^|[ ])(?:value|reading|measured|measurement)$/
const LIMIT_NAME = /^(?:threshold|limit|threshold value|limit value)$/
/** Fields with what was measured, beside its value. */
const METRIC_NAME = /^(?:metric(?:_?name)?|measurement|quantity|field|type|sensor_?type)$/i
const REASON_WORD = /^(?!.*(?:Succeeded|Completed|Finished|Ready)$)[A-Z][a-z]+(?:[A-Z][a-z]+){1,4}$/
const NUMBER = /^-?\d{1,9}(?:\.\d+)?$/
const UNIT = /^[^\s\d]{1,4}$/

/** Shows the sender's own word for a state, if the report has none and the text does not say it. */
export function withOwnState(report: Report, fields: readonly ListedField[]): Report {
  const { state, saysState = false } = report
  const found = fields.find(
    field =>
      STATE_NAME.test(nameOf(field).join(' ')) &&
      STATE_WORDS.test(field.value) &&
      !isLater(field) &&
      readState(field.value) === null &&
      !NO_STATE.test(field.value),
  )
  if (found === undefined || saysState || (state !== null && !ENDED.test(found.value))) return report
  const word = cleanLine(found.value.replace(/[_-]/g, ' ')).toUpperCase()
  // The text says it, so that no severity is put before it.
  if (mentions(textOf(report), word)) return { ...report, state: null }
  return { ...report, state: { word, kind: 'other' } }
}

/** Says a problem without a reason in the words of its state, or with the code of an answer: `HTTP 521`. */
export function withStateWords(report: Report, fields: readonly ListedField[]): Report {
  const isBare = report.state?.kind === 'bad' && [report.reason].flat().join('') === ''
  if (!isBare || report.subject === '') return report
  const present = fields.filter(field => !isLater(field) && isTelling(field))
  const named = (name: RegExp, value: RegExp) =>
    present.find(field => name.test(nameOf(field).join(' ')) && value.test(field.value))
  const words = named(STATE_PHRASE_NAME, STATE_PHRASE)
  const code = named(CODE_NAME, /^[45]\d\d$/)
  const told = [
    words !== undefined && stateOfField(words.value)?.kind === 'bad' ? words.value.replaceAll('_', ' ') : '',
    code === undefined ? '' : `HTTP ${code.value}`,
  ]
  const reason = told.filter(text => text !== '' && !mentions(textOf(report), text)).join(', ')
  return { ...report, reason: cleanLine(reason) }
}

/** Adds what was measured to a text without that number: `104.2 °C, limit 95`. */
export function withValue(report: Report, fields: readonly ListedField[]): Report {
  const reason = [report.reason].flat().join('')
  const isEnd = report.state?.kind === 'good'
  if (reason + report.subject === '' || (isEnd && reason !== '')) return report
  const present = fields.filter(field => !isLater(field) && NUMBER.test(field.value) && isTelling(field))
  const isLimit = (field: ListedField) => LIMIT_NAME.test(nameOf(field).join(' '))
  const found = present.find(field => VALUE_NAME.test(nameOf(field).join(' ')) && !isLimit(field))
  if (found === undefined) return report
  const isBeside = ({ keys }: ListedField) =>
    keys.slice(0, -1).join('.') === found.keys.slice(0, -1).join('.')
  const unit = fields.find(field => /^unit/i.test(field.keys.at(-1) ?? '') && isBeside(field))?.value ?? ''
  const limit = present.find(isLimit)?.value ?? ''
  // A bare 0 or 1 is a flag.
  if (unit === '' && limit === '' && /^[01]$/.test(found.value)) return report
  const value = shortNumber(found.value)
  if (mentions(textOf(report), value)) return report
  const measured = UNIT.test(unit) ? `${value} ${cleanLine(unit)}` : `${unit === '' ? 'value ' : ''}${value}`
  const told = limit === '' || mentions(textOf(report), limit) ? measured : `${measured}, limit ${limit}`
  const metric =
    fields.find(field => METRIC_NAME.test(field.keys.at(-1) ?? '') && isBeside(field))?.value ?? ''
  const isWord = /^\p{L}[\p{L}_ -]{2,30}$/u.test(metric) && readState(metric) === null
  const text = isWord ? `${cleanLine(metric)} ${told.replace(/^value /, '')}` : told
  return reason === '' ? { ...report, reason: text } : { ...report, extras: [text, ...(report.extras ?? [])] }
}

/** Adds the reason that is one word in a program's form: `CrashLoopBackOff`. */
export function withReasonWord(report: Report, fields: readonly ListedField[]): Report {
  const found = fields.find(
    field => /^reason$/i.test(field.keys.at(-1) ?? '') && REASON_WORD.test(field.value) && !isLater(field),
  )
  if (found === undefined || report.state?.kind === 'good' || isEcho(found.value, textOf(report)))
    return report
  return { ...report, reason: [found.value, ...[report.reason].flat().filter(text => text !== '')] }
}

/** Whether a text has the same letters: `Health check failed` for `HealthCheckFailed`. */
function isEcho(word: string, text: string): boolean {
  return text
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .includes(word.toLowerCase())
}

function textOf({ subject, reason, place = '', extras = [] }: Report): string {
  return [subject, ...[reason].flat(), place, ...extras].join(' ')
}
