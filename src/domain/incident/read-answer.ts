/** Reads answers by text. What is not surely an answer stays an ordinary text. */
import { TAKEN_MINUTES_MAX } from '#contracts/incident.ts'
import { type Language, say } from '#contracts/words.ts'
import type { IncidentHead } from '#domain/incident/incident.ts'
import type { AnswerVerb } from '#domain/incident/incident-events.ts'
import { plainDigits } from '#domain/phone-number/parse-phone-number.ts'

/** `2`, `2 ok`, `#2: I take it`; a time needs a space in front of it, because `28h` can mean two things. */
const NUMBER_FIRST = /^#?(\d{1,2})(?:[):,]*(?: (\d{1,5}) ?(\p{L}+)|(?: ?(\D+))?))$/u
/** `ok 2` */
const NUMBER_LAST = /^(\D+?)[:,]* #?(\d{1,2})$/u
/** A longer text is not read as an answer, and gets no reply. In UTF-16 code units. */
export const ANSWER_LENGTH_MAX = 40
const UNIT_MINUTES = new Map(Object.entries({ m: 1, min: 1, h: 60, d: 1440 }))
/** The words of English. Those of other languages stand in their files. */
const WORDS: Readonly<Record<AnswerVerb, readonly string[]>> = {
  take: ['ok', 'okay', 'yes', 'ack', 'i take it', '\u{1f44d}'],
  no: ['no', 'pass'],
  done: ['done', 'fixed', 'over'],
}

/** What a text asks for. `number` null: it names no incident. */
export interface Answer {
  readonly verb: AnswerVerb | 'list'
  readonly number: number | null
  /** For how long the sender takes it; null: as the policy says. */
  readonly minutes: number | null
}

export type ChosenIncident =
  /** The answer goes to this incident. */
  | {
      readonly type: 'answered'
      readonly incident: IncidentHead
      readonly verb: AnswerVerb
      readonly minutes: number | null
    }
  /** Reply with `whichText` or `listText` of these incidents; nothing changes. */
  | { readonly type: 'which' | 'list'; readonly incidents: readonly IncidentHead[] }

/** Reads the first line of a received text; null: it is not an answer. The English words always count. */
export function readAnswer(text: string, language: Language): Answer | null {
  const [line = ''] = text.trim().split(/\r?\n/, 1)
  if (line.length > ANSWER_LENGTH_MAX) return null
  const words = plainDigits(line)
    .replace(/\p{Emoji_Modifier}|\ufe0f/gu, '')
    .toLowerCase()
    .replace(/[ .!]+$/, '')
    .trim()
  if (words === '?') return { verb: 'list', number: null, minutes: null }
  const [, first, span, unit, after = 'ok'] = NUMBER_FIRST.exec(words) ?? []
  const [, before, last] = NUMBER_LAST.exec(words) ?? []
  const number = first ?? last
  const verb =
    span === undefined ? verbOf(number === undefined ? words : (before ?? after), language) : 'take'
  // Only with a number, because it ends the alert.
  if (verb === null || (number === undefined && verb === 'done')) return null
  const minutes = span === undefined ? null : Number(span) * (UNIT_MINUTES.get(unit ?? '') ?? 0)
  if (minutes !== null && (minutes < 1 || minutes > TAKEN_MINUTES_MAX)) return null
  return { verb, number: number === undefined ? null : Number(number), minutes }
}

function verbOf(words: string, language: Language): AnswerVerb | null {
  const said = words.trim()
  const isOne = (verb: AnswerVerb, own: string) =>
    WORDS[verb].includes(said) || own.split(', ').includes(said)
  if (isOne('take', say(language, 'ok'))) return 'take'
  if (isOne('no', say(language, 'no'))) return 'no'
  return isOne('done', say(language, 'done')) ? 'done' : null
}

/**
 * Finds what an answer of this person is about, among the incidents of the account. Null: nothing, so the
 * text is an ordinary one and gets no reply. Nothing is guessed between several incidents.
 */
export function chooseIncident(
  { verb, number, minutes }: Answer,
  personId: string,
  incidents: Iterable<IncidentHead>,
): ChosenIncident | null {
  const all = [...incidents]
  const known = all.filter(({ state, told }) => state !== 'closed' && told.includes(personId))
  const waiting = all.filter(isWaitingFor(personId))
  if (verb === 'list') return known.length === 0 ? null : { type: 'list', incidents: known }
  const meant =
    number === null
      ? // Somebody may have been quicker: then the answer is about what is taken.
        waiting.length > 0
        ? waiting
        : known
      : known.filter(one => one.number === number)
  const [incident] = meant
  if (incident !== undefined && meant.length === 1) return { type: 'answered', incident, verb, minutes }
  const choice = meant.length > 0 ? meant : waiting
  return choice.length === 0 ? null : { type: 'which', incidents: choice }
}

/** Whether an incident that this person was told of is neither taken nor closed. */
export function isWaitingFor(personId: string): (incident: IncidentHead) => boolean {
  return ({ state, told }) => state !== 'closed' && state !== 'taken' && told.includes(personId)
}
