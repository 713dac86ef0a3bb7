import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { words } from '#domain/alert/vocabulary/field-names.ts'
import { readState, tokensOf } from '#domain/alert/vocabulary/states.ts'

const AMOUNTS = words('amount_due amount_total amount')
/** Currencies without a smaller unit, whose amounts Stripe sends as they are. */
const WHOLE_CURRENCIES = words('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf')

/** Stripe: what happened to an object (an invoice, a dispute), with its amount, number and customer. */
export const stripe: Sender = {
  format: 'generic',
  matches: body => body.raw('object') === 'event' && body.raw('data.object.object') !== '',
  state: ['type'],
  subject: [eventOf],
  reason: [
    body =>
      body.line(
        'data.object.reason',
        'data.object.last_payment_error.message',
        'data.object.failure_message',
      ),
    amountOf,
  ],
  extras: [amountOf, 'data.object.number', 'data.object.customer_email'],
}

/** `invoice payment` for `invoice.payment_failed`: the name of the event without its state. */
function eventOf(body: Body): string {
  const type = body.raw('type')
  const tokens = tokensOf(type)
  return [...new Set(readState(type) === null ? tokens : tokens.slice(0, -1))].join(' ')
}

/** `49.00 EUR` for 4900 cents. Empty if there is no amount. */
function amountOf(body: Body): string {
  const amount = AMOUNTS.map(name => body.at(`data.object.${name}`)).find(value => typeof value === 'number')
  const currency = body.line('data.object.currency')
  if (amount === undefined || currency === '') return ''
  const value = WHOLE_CURRENCIES.includes(currency) ? String(amount) : (amount / 100).toFixed(2)
  return `${value} ${currency.toUpperCase()}`
}
