import type { Report } from '#domain/alert/compose-report.ts'
import { scalarOf } from '#domain/alert/guess/find-fields.ts'
import { isObject, type Json, type JsonObject } from '#domain/alert/read/json-value.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { stateTold } from '#domain/alert/text/headline.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/**
 * An error of an error tracker (Sentry, GlitchTip, Bugsnag's like): `event`, `error` or `issue`, at the top
 * or in `data`, with a `title` and a `culprit`, `level` or `metadata`. State from `action` when it ends
 * something, else from `level`; in brackets environment and place.
 */
export function describeIssue(value: Json): Report | null {
  if (!isObject(value)) return null
  const data = isObject(value['data']) ? value['data'] : value
  for (const key of ['event', 'error', 'issue', 'metric_alert', 'issue_alert']) {
    const subject = data[key]
    if (isObject(subject) && ['culprit', 'metadata', 'shortId'].some(name => Object.hasOwn(subject, name))) {
      return describe(value, subject)
    }
  }
  return null
}

function describe(value: JsonObject, subject: JsonObject): Report | null {
  const title = cleanLine(scalarOf(subject['title']) || scalarOf(subject['message']))
  if (title === '') return null
  const action = readState(scalarOf(value['action']))
  const level = readState(scalarOf(subject['level']) || 'error')
  const isTest = stateTold(title)?.kind === 'test'
  const state = isTest ? readState('test') : action?.kind === 'good' ? action : level
  const place = cleanLine(scalarOf(subject['location']) || scalarOf(subject['culprit']))
  const environment = cleanLine(scalarOf(subject['environment']) || tagOf(subject['tags'], 'environment'))
  const project = isObject(subject['project']) ? cleanLine(scalarOf(subject['project']['slug'])) : ''
  return {
    state,
    what: '',
    summary: title,
    detail: [environment, place, project, cleanLine(scalarOf(subject['shortId']))],
  }
}

/** Tags are pairs in an array, or a record. */
function tagOf(tags: Json | undefined, name: string): string {
  if (isObject(tags)) return scalarOf(tags[name])
  if (!Array.isArray(tags)) return ''
  const tag = tags.find(pair => Array.isArray(pair) && pair[0] === name)
  return Array.isArray(tag) ? scalarOf(tag[1]) : ''
}
