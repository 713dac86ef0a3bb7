import type { Report } from '#domain/alert/compose-report.ts'
import { isIdentifier, scalarOf } from '#domain/alert/guess/find-fields.ts'
import { isObject, type Json, type JsonObject, objectsOf } from '#domain/alert/read/json-value.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const TOTALS = ['total', 'total_price', 'amount_total', 'grand_total'] as const
const NUMBERS = ['order_number', 'number', 'increment_id', 'name', 'id'] as const
const STATES = ['status', 'financial_status', 'payment_status', 'state'] as const
const ITEMS = ['line_items', 'items'] as const

/**
 * An order of a shop (WooCommerce, Shopify and their like): a total in a currency with a list of items.
 * Number, sum and the first thing bought; a state only where it went wrong.
 */
export function describeOrder(value: Json): Report | null {
  if (!isObject(value)) return null
  const total = firstOf(value, TOTALS)
  const items = ITEMS.map(key => objectsOf(value[key])).find(list => list.length > 0)
  if (!/^-?\d+(?:[.,]\d+)?$/.test(total) || scalarOf(value['currency']) === '' || items === undefined)
    return null
  const number = NUMBERS.map(key => scalarOf(value[key])).find(text => text !== '' && text.length <= 20) ?? ''
  const status = firstOf(value, STATES)
  const state = value['test'] === true ? readState('test') : readState(status)
  const isBad = state?.kind === 'bad' || state?.kind === 'test'
  return {
    state: isBad ? state : null,
    what: `Order ${isIdentifier(number) ? '#' : ''}${number}${isBad ? '' : ` ${cleanLine(status)}`}`,
    summary: [`${total} ${cleanLine(scalarOf(value['currency']))}`, nameItems(items)].join(', '),
  }
}

function firstOf(value: JsonObject, names: readonly string[]): string {
  return names.map(key => scalarOf(value[key])).find(text => text !== '') ?? ''
}

/** `2 x Mug +1 more` */
function nameItems(items: readonly JsonObject[]): string {
  const [item = {}] = items
  const name = cleanLine(scalarOf(item['title']) || scalarOf(item['name'])).slice(0, 60)
  const more = items.length > 1 ? ` +${items.length - 1} more` : ''
  return `${scalarOf(item['quantity']) || '1'} x ${name}${more}`
}
