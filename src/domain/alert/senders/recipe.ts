import { type Body, oncePerBody } from '#domain/alert/body.ts'
import { isObject } from '#domain/alert/read/json-value.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { NOTICES } from '#domain/alert/senders/nagios.ts'
import { readUpsCode } from '#domain/alert/senders/ups.ts'
import { mentions } from '#domain/alert/text/clean-text.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'
import { joinWords } from '#domain/alert/text/join-words.ts'
import { alertStateOf, readState, type State, tokensOf } from '#domain/alert/vocabulary/states.ts'

const FIELDS = ['host', 'service', 'state', 'message']
/** The last words of a state that is over, and of one that is not, as collectd and Monit write them. */
const OVER = /(?:^| )(?:exists|okay|ok|succeeded|recovery|not changed|doesn t match|up)$/
const BAD = /(?:^| )(?:does not exist|failed|exceeded|matched|match|changed|timeout|error|down)$/
const UPS = /^UPS\b/i
const EXIT = /^\d{1,3}$/
const OK: State = { word: 'OK', kind: 'good' }
const FAILED: State = { word: 'FAILED', kind: 'bad' }

interface Stated {
  readonly state: State
  /** Which of the checks of the service it is about, in words that its end repeats. */
  readonly check: string
}

/** The fields that the recipes of GUIDE send. The sender's own word for the state decides. */
export const recipe: Sender = {
  format: 'generic',
  matches: body =>
    isObject(body.value) &&
    Object.keys(body.value).length === FIELDS.length &&
    FIELDS.every(name => body.has(name)) &&
    body.line('state') !== '' &&
    body.line('service', 'host') !== '' &&
    (EXIT.test(body.line('state')) || !isDenied(body)),
  state: [body => statedOf(body).state],
  subject: [
    body => {
      const [service, host] = [body.line('service'), body.line('host')]
      return mentions(service, host) ? service : joinWords(service, service && 'on', host)
    },
  ],
  thing: [body => joinWords(body.line('service'), body.line('host'), statedOf(body).check).toLowerCase()],
  reason: [
    body => {
      const [first = '', ...more] = body.lines('message')
      const { state, text } = readHeadline(first)
      const status = Number(body.line('state'))
      return [status > 0 ? `exit ${status}` : '', state === null ? first : text, ...more]
    },
  ],
}

/** Whether the message says that there is a problem, and the state that all is well. */
function isDenied(body: Body): boolean {
  const [first = ''] = body.lines('message')
  return alertStateOf(statedOf(body).state) === 'recovered' && readHeadline(first).state?.kind === 'bad'
}

const statedOf = oncePerBody((body: Body): Stated => {
  const phrase = body.line('state')
  const ups = UPS.test(body.line('service')) ? readUpsCode(phrase) : null
  if (ups !== null) return { state: { ...ups.state, isSure: true }, check: ups.problem }
  const tokens = tokensOf(phrase)
  // Monit's `Invalid type` ends with `Type succeeded`.
  const said = tokens.join(' ').replace(/^invalid (\S+)$/, '$1 failed')
  const words = EXIT.test(phrase) ? (Number(phrase) === 0 ? 'ok' : 'failed') : said
  const notice = tokens.map(token => NOTICES[token]).find(known => known !== undefined)
  const known = notice ?? readState(phrase) ?? readState(words.split(' ').at(-1) ?? '')
  const read = known ?? (OVER.test(words) ? OK : BAD.test(words) ? FAILED : null)
  const state = read ?? { word: phrase.toUpperCase(), kind: 'other' }
  const check = words.replace(state.kind === 'good' ? OVER : BAD, '')
  const isCheck = check !== words && readState(check) === null
  return { state: { ...state, isSure: true }, check: isCheck ? check : '' }
})
