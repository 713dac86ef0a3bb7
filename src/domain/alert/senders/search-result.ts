import type { Body } from '#domain/alert/body.ts'
import { digestPairs } from '#domain/alert/guess/digest-fields.ts'
import { isObject } from '#domain/alert/read/json-value.ts'
import type { Sender } from '#domain/alert/sender.ts'

/** Splunk: the name of a search and its first result, whose fields the search chose. */
export const splunk: Sender = {
  format: 'generic',
  matches: body => body.has('results_link') && body.has('search_name') && isObject(body.at('result')),
  state: [],
  subject: ['search_name', () => 'Splunk search'],
  reason: ['result.message', 'result._raw', pairsOf],
}

function pairsOf(body: Body): string {
  return digestPairs(body.at('result') ?? null).join(' ')
}
