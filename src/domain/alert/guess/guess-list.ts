import type { Body } from '#domain/alert/body.ts'
import { compose, type Report } from '#domain/alert/compose.ts'
import { describeGeneric } from '#domain/alert/guess/describe-generic.ts'
import { namesOfThings, namesThing } from '#domain/alert/guess/name-fields.ts'
import { findLabel, openScopes } from '#domain/alert/read/find-fields.ts'
import { isObject, type Json, type JsonObject, objectsOf } from '#domain/alert/read/json-value.ts'
import { listFields } from '#domain/alert/read/list-fields.ts'
import { HOSTS, THINGS } from '#domain/alert/vocabulary/field-names.ts'
import { chooseState } from '#domain/alert/vocabulary/states.ts'

const ITEMS_READ_MAX = 16
const FIELDS_READ_MAX = 64

/**
 * The report of a body that says nothing itself and has a list of results, each with its state: the bad ones,
 * and how many of all they are. `null` for any other body.
 */
export function guessList({ value, scopes }: Body): Report | null {
  const outer = isObject(value) ? valuesOf(value) : []
  const inner = outer.filter(isObject).flatMap(valuesOf)
  const list = [...outer, ...inner].find(field => objectsOf(field).length > 0)
  const total = objectsOf(list).length
  const items = objectsOf(list).slice(0, ITEMS_READ_MAX)
  const reports = items.flatMap(item => {
    const report = describeGeneric(item, openScopes(item))
    return report === null ? [] : [named(report, item)]
  })
  if (reports.length === 0 || reports.length < items.length || !reports.every(isTelling)) return null
  const bad = reports.filter(({ state }) => state?.kind === 'bad' || state?.word === 'FIRING')
  const shown = bad.length > 0 ? bad : reports
  const words = new Set(shown.map(report => report.state?.word))
  const state =
    bad.length > 0 || words.size === 1 ? chooseState(shown.flatMap(report => report.state ?? [])) : null
  return {
    format: 'generic',
    state,
    subject: findLabel(scopes, HOSTS) || findLabel(scopes, THINGS, namesThing),
    reason: shown.map(report => compose({ ...report, state: state === null ? report.state : null })),
    about: bad.map(({ subject }) => subject).join(' '),
    extras: bad.length > 0 && total > bad.length ? [`${bad.length} of ${total}`] : [],
  }
}

/** The report of an item. If it names no thing, the item's fields do. */
function named(report: Report, item: Json): Report {
  if (report.subject !== '') return report
  const [subject = ''] = namesOfThings(listFields(item))
  return { ...report, subject }
}

/** The first values of an object: one with thousands of fields is no list of results. */
function valuesOf(value: JsonObject): readonly Json[] {
  return Object.keys(value)
    .slice(0, FIELDS_READ_MAX)
    .map(name => value[name] ?? null)
}

/** Whether the report has more than a state and a number. */
function isTelling({ subject, reason }: Report): boolean {
  return /\p{L}/u.test(`${subject} ${typeof reason === 'string' ? reason : reason.join(' ')}`)
}
