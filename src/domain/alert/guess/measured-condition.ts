import type { Scopes } from '#domain/alert/read/find-fields.ts'
import { isObject, type Json } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'

const METRICS = ['metricname', 'metric', 'datapoint'] as const
const MEASURED = ['metricvalue', 'observedvalue', 'currentvalue', 'value'] as const
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['greaterthan', '>'],
  ['greaterthanorequal', '>='],
  ['lessthan', '<'],
  ['lessthanorequal', '<='],
  ['above', '>'],
  ['below', '<'],
])

/**
 * What a rule measured, from an object with a metric, a value and a threshold: `Percentage CPU 97.1 > 90`.
 */
export function measuredCondition(scopes: Scopes): string {
  for (const scope of scopes) {
    const metric = METRICS.map(key => cleanLine(scalarOf(scope.get(key)))).find(text => text !== '')
    const value = MEASURED.map(key => numberOf(scope.get(key))).find(text => NUMBER.test(text))
    if (metric === undefined || value === undefined) continue
    // The operator may stand before the limit: `> 50`.
    const [, sign = '', limit = ''] = /^([<>=]{1,2}|) ?(\S+)$/.exec(scalarOf(scope.get('threshold'))) ?? []
    if (!NUMBER.test(limit)) return `${metric} ${shortNumber(value)}`
    const operator = sign || scalarOf(scope.get('operator'))
    return `${metric} ${shortNumber(value)} ${signOf(operator)} ${shortNumber(limit)}`
  }
  return ''
}

/** A number, or that of an object with a unit. */
function numberOf(value: Json | undefined): string {
  return scalarOf(isObject(value) ? (value['number'] ?? value['value']) : value)
}

/** `>` for `GreaterThan`. `/` for an operator that is missing or unknown: value / threshold. */
function signOf(operator: string): string {
  const isSign = /^[<>=]{1,2}$/.test(operator)
  return OPERATORS.get(operator.toLowerCase()) ?? (isSign ? operator : '/')
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?$/i

/** Rounds a number to three digits behind the point. Any other text stays unchanged. */
export function shortNumber(text: string): string {
  return NUMBER.test(text) && /\.\d{4}|e/i.test(text) ? String(Number(Number(text).toFixed(3))) : text
}
