import { type Body, oncePerBody } from '#domain/alert/body.ts'
import { type JsonObject, objectsOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { LABEL_LENGTH_READ } from '#domain/alert/senders/alert-labels.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { joinWords, withPlace } from '#domain/alert/text/join-words.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** From the worst to the best. */
const STATUSES = ['critical', 'warning', 'passing']
/** The check of a node itself, which belongs to no service. */
const NODE_CHECK = 'serfHealth'
const NAMED_MAX = 3

/** Consul's watch of checks: when one check changes, it posts all checks that it watches. */
export const consul: Sender = {
  format: 'generic',
  matches: body => checksOf(body).length > 0,
  state: [
    body => {
      const [worst] = checksOf(body)
      return worst === undefined ? null : readState(statusOf(worst))
    },
  ],
  subject: [
    body => {
      const [only, ...more] = shownChecks(body)
      return only === undefined || more.length > 0 ? '' : nameOf(only)
    },
  ],
  reason: [
    body => {
      const [first, ...more] = shownChecks(body)
      return more.length === 0 && first !== undefined ? field(first, 'Output') : listOf(body)
    },
  ],
  extras: [
    body => {
      const [only, ...more] = shownChecks(body)
      return only === undefined || more.length > 0 ? '' : field(only, 'Node')
    },
  ],
}

/** The checks, the worst first. Empty if any entry of the list is not a check. */
const checksOf = oncePerBody((body: Body): readonly JsonObject[] => {
  const checks = objectsOf(body.value)
  const isWatch = checks.every(check => 'CheckID' in check && STATUSES.includes(statusOf(check)))
  return isWatch ? checks.toSorted((one, other) => rankOf(one) - rankOf(other)) : []
})

/** The checks that fail, or all checks if none does. */
function shownChecks(body: Body): readonly JsonObject[] {
  const failing = checksOf(body).filter(check => statusOf(check) !== 'passing')
  return failing.length > 0 ? failing : checksOf(body)
}

/** `2 of 5 checks fail: redis on nas, web-1`, or `5 checks pass`. */
function listOf(body: Body): string {
  const checks = shownChecks(body)
  if (checks.every(check => statusOf(check) === 'passing')) return `${checks.length} checks pass`
  const names = checks.slice(0, NAMED_MAX).map(check => {
    const name = nameOf(check)
    return joinWords(name, name === field(check, 'Node') ? '' : withPlace('on', field(check, 'Node')))
  })
  const rest = checks.length > NAMED_MAX ? ` +${checks.length - NAMED_MAX} more` : ''
  return `${checks.length} of ${checksOf(body).length} checks fail: ${names.join(', ')}${rest}`
}

function nameOf(check: JsonObject): string {
  if (field(check, 'CheckID') === NODE_CHECK) return field(check, 'Node')
  return field(check, 'ServiceName') || field(check, 'Name')
}

function statusOf(check: JsonObject): string {
  return field(check, 'Status')
}

function rankOf(check: JsonObject): number {
  return STATUSES.indexOf(statusOf(check))
}

function field(check: JsonObject, name: string): string {
  const text = scalarOf(check[name]).slice(0, LABEL_LENGTH_READ)
  // These are compared and not shown, for each of thousands of checks.
  return name === 'Status' || name === 'CheckID' ? text : cleanLine(text)
}
