import type { Body } from '#domain/alert/body.ts'
import { isIdentifier } from '#domain/alert/read/find-fields.ts'
import type { JsonObject } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const TOTALS = ['total', 'total_price', 'amount_total', 'grand_total']
const NUMBERS = ['order_number', 'number', 'increment_id', 'name', 'id']
const STATES = ['status', 'financial_status', 'payment_status', 'state']
const ITEMS = ['line_items', 'items']

/**
 * An order from a shop (WooCommerce, Shopify and similar): a total, a currency and a list of items. The text
 * begins with a state only if the order failed or is a test.
 */
export const shopOrder: Sender = {
  format: 'generic',
  matches: body =>
    /^-?\d+(?:[.,]\d+)?$/.test(firstOf(body, TOTALS)) &&
    body.raw('currency') !== '' &&
    itemsOf(body).length > 0,
  state: [faultOf],
  subject: [
    body => `Order ${numberOf(body)}${faultOf(body) === null ? ` ${cleanLine(firstOf(body, STATES))}` : ''}`,
  ],
  reason: [body => `${firstOf(body, TOTALS)} ${body.line('currency')}, ${nameItems(itemsOf(body))}`],
}

function faultOf(body: Body): State | null {
  const state = body.at('test') === true ? readState('test') : readState(firstOf(body, STATES))
  return state?.kind === 'bad' || state?.kind === 'test' ? state : null
}

function numberOf(body: Body): string {
  const number = NUMBERS.map(key => body.raw(key)).find(text => text !== '' && text.length <= 20) ?? ''
  return isIdentifier(number) ? `#${number}` : number
}

function itemsOf(body: Body): readonly JsonObject[] {
  return ITEMS.map(key => body.objects(key)).find(list => list.length > 0) ?? []
}

function firstOf(body: Body, names: readonly string[]): string {
  return names.map(name => body.raw(name)).find(text => text !== '') ?? ''
}

/** `2 x Mug +1 more` */
function nameItems(items: readonly JsonObject[]): string {
  const [item = {}] = items
  const name = cleanLine(scalarOf(item['title']) || scalarOf(item['name'])).slice(0, 60)
  const more = items.length > 1 ? ` +${items.length - 1} more` : ''
  return `${scalarOf(item['quantity']) || '1'} x ${name}${more}`
}
