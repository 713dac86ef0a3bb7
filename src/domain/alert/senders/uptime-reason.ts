import { type Body, oncePerBody } from '#domain/alert/body.ts'
import { isIdentifier } from '#domain/alert/read/find-fields.ts'
import { isObject } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine, mentions } from '#domain/alert/text/clean-text.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'
import { words } from '#domain/alert/vocabulary/field-names.ts'

const REASONS = words(
  'alertdetails cause msg incidentreason downreason reason error errors errormessage ' +
    'monitorerrors lasterror message description summary details longdescription output text ' +
    'checkerrormessage statuscode httpstatuscode',
)

/** The first reason that an uptime monitor gives, split into its state and the rest. */
export const headlineOf = oncePerBody((body: Body) =>
  readHeadline(cleanLine(body.find(...REASONS) || listErrors(body))),
)

/** Why a monitor is down, in its own words. */
export function uptimeReason(body: Body): string {
  const { text } = headlineOf(body)
  return withSecondReason(body, isIdentifier(text) ? httpCode(text) : text)
}

/** `HTTP 503` for 503. Any other bare number is not a reason. */
function httpCode(text: string): string {
  return /^[1-5]\d\d$/.test(text) ? `HTTP ${text}` : ''
}

/** The errors of each location: `London: timeout`. */
function listErrors({ scopes }: Body): string {
  const errors = scopes.map(scope => scope.get('monitorerrors') ?? scope.get('errors')).find(isObject) ?? {}
  return Object.entries(errors)
    .slice(0, 3)
    .map(([place, error]) => `${place}: ${scalarOf(error)}`)
    .join(', ')
}

/** Adds the second reason of a monitor that has two fields: `HTTP Error 503` and `Service Unavailable`. */
function withSecondReason(body: Body, first: string): string {
  const second = cleanLine(body.find('longdescription', 'errormessage'))
  if (mentions(first, second) || second.length > 100) return first
  return mentions(second, first) ? second : `${first} - ${second}`
}
