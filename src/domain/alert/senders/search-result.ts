import type { Body } from '#domain/alert/body.ts'
import { digestPairs } from '#domain/alert/guess/digest-fields.ts'
import { isObject } from '#domain/alert/read/json-value.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { readState, severityOf } from '#domain/alert/vocabulary/states.ts'

/** Splunk: the name of a search and its first result, whose fields the search chose. */
export const splunk: Sender = {
  format: 'generic',
  matches: body => body.has('results_link') && body.has('search_name') && isObject(body.at('result')),
  state: [],
  subject: ['search_name', () => 'Splunk search'],
  reason: ['result.message', 'result._raw', pairsOf],
}

/** Splunk Observability (SignalFx): only the title and the status say that an incident is over. */
export const detector: Sender = {
  format: 'generic',
  matches: body => body.has('detector') && body.has('messageTitle', 'statusExtended'),
  state: [
    body => (/^(?:ok|manually resolved)$/i.test(body.raw('statusExtended')) ? readState('resolved') : null),
    body => {
      const { state } = body.headline('messageTitle')
      return state?.kind === 'good' ? readState('resolved') : null
    },
    'severity',
  ],
  severity: body => severityOf(readState(body.raw('severity'))),
  subject: ['rule', 'detector'],
  reason: ['description', body => body.lines('messageBody'), body => body.headline('messageTitle').text],
}

function pairsOf(body: Body): string {
  return digestPairs(body.at('result') ?? null).join(' ')
}
