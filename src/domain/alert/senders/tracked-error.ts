import { type Body, oncePerBody } from '#domain/alert/body.ts'
import { isObject, type Json, type JsonObject } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

const ERRORS = ['event', 'error', 'issue', 'metric_alert', 'issue_alert', 'item']
/** Fields that mark an object as an error from a tracker. */
const MARKS = ['culprit', 'metadata', 'shortId', 'last_occurrence', 'last_occurrence_id']
/** Rollbar's numbers for levels. */
const LEVELS = wordTable({ 50: 'critical', 40: 'error', 30: 'warning', 20: 'info', 10: 'debug' })

/**
 * An error tracker (Sentry, GlitchTip, Bugsnag, Rollbar): an error at the top level or in `data`. An action
 * such as `resolved` counts more than the level.
 */
export const trackedError: Sender = {
  format: 'generic',
  matches: body => titleOf(body) !== '',
  state: [
    body => (stateInSentence(titleOf(body))?.kind === 'test' ? readState('test') : null),
    body => (readState(body.raw('action'))?.kind === 'good' ? readState(body.raw('action')) : null),
    // Rollbar: `resolved_item`.
    body => (/^resolved_/.test(body.raw('event_name')) ? readState('resolved') : null),
    body => readState(LEVELS[textOf(body, 'level')] ?? (textOf(body, 'level') || 'error')),
  ],
  reason: [titleOf],
  extras: [
    body => textOf(body, 'environment') || cleanLine(tagOf(errorOf(body)?.['tags'], 'environment')),
    body => textOf(body, 'location', 'culprit'),
    body => projectOf(errorOf(body)),
    body => textOf(body, 'shortId'),
  ],
}

const errorOf = oncePerBody((body: Body): JsonObject | undefined => {
  const holder = isObject(body.at('data')) ? body.at('data') : body.value
  const found = ERRORS.map(key => (isObject(holder) ? holder[key] : null)).filter(isObject)
  return found.find(error => MARKS.some(name => Object.hasOwn(error, name)))
})

function titleOf(body: Body): string {
  return textOf(body, 'title', 'message')
}

function textOf(body: Body, ...names: readonly string[]): string {
  const error = errorOf(body)
  return cleanLine(names.map(name => scalarOf(error?.[name])).find(text => text !== '') ?? '')
}

function projectOf(error: JsonObject | undefined): string {
  const project = error?.['project']
  return isObject(project) ? cleanLine(scalarOf(project['slug'])) : ''
}

/** The value of a tag. Tags are an array of pairs or an object. */
function tagOf(tags: Json | undefined, name: string): string {
  if (isObject(tags)) return scalarOf(tags[name])
  if (!Array.isArray(tags)) return ''
  const tag = tags.find(pair => Array.isArray(pair) && pair[0] === name)
  return Array.isArray(tag) ? scalarOf(tag[1]) : ''
}
