/** Reads answers by text. What is not surely an answer stays an ordinary text. */
import { TAKEN_MINUTES_MAX } from '#contracts/incident.ts'
import { type Language, say } from '#contracts/words.ts'
import type { IncidentHead } from '#domain/incident/incident.ts'
import type { AnswerVerb } from '#domain/incident/incident-events.ts'
import { plainDigits } from '#domain/phone-number/parse-phone-number.ts'

/** A longer text is not read as an answer, and gets no reply. In UTF-16 code units. */
export const ANSWER_LENGTH_MAX = 40
/** `8h`, `90 min`, `for 2 hours` */
const SPAN =
  /(?:\bf(?:o|ue)r )?(?<![\d.,:])(\d{1,5}) ?(m|mins?|minute[sn]?|h|hrs?|hours?|std|stunden?|d|days?|tage?)\b/
/** By the first letter of the unit. */
const UNIT_MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, s: 60, d: 1440, t: 1440 }
/** What people write, without its punctuation. The phrases of other languages stand in their files. */
const PHRASES = {
  take:
    'i take it, i am taking it, im taking it, taking it, i will take it, ' +
    'ill take it, i can take it, take it, ' +
    'i have it, i have got it, ive got it, i got it, got it, i got this, ' +
    'ive got this, mine, it is mine, its mine, ' +
    'on it, i am on it, im on it, on my way, i am on my way, im on my way, ' +
    'omw, i am coming, im coming, ' +
    'will do, i will do it, ill do it, i do it, i will look, ill look, ' +
    'i am looking, im looking, looking into it, ' +
    'ill have a look, i will have a look, ill check, i will check, ' +
    'checking, i am checking, im checking, ' +
    'i will handle it, ill handle it, ill go, i will go, i will fix it, ' +
    'ill fix it, acknowledged, yes i do',
  no:
    'pass, i pass, pass it on, pass on, not me, cant, cannot, i cant, ' +
    'i cannot, can not, i can not, next, ' +
    'next one, next person, skip, skip me, not now, i am busy, im busy, ' +
    'busy, no time, i am away, im away, ' +
    'not available, unavailable, i am not available, im not available, somebody else, someone else, ' +
    'ask somebody else, ask someone else, not today, i am off, im off, sorry no, ' +
    'no sorry, sorry cant, sorry i cant, ' +
    'sorry not me',
  done:
    'done, all done, fixed, is fixed, it is fixed, its fixed, over, it is over, ' +
    'its over, solved, resolved, repaired, ' +
    'close it, works again, it works again, ok again, it is ok again, its ok again, ' +
    'back up, it is back, its back, up again, it is up again, its up again, all good',
  list: 'list, what is open, whats open, what is still open, whats still open, what else is open',
} as const
const SHORT = {
  take: 'ok, okay, k, yes, yep, yeah, yup, sure, ack, \u{1f44d}, \u{1f44c}',
  no: 'no, nope, nah',
}
const POLITE = 'thanks, thank you, thx, please, pls, hi, hey, hello, now, right now, reply, answer'
const PHRASE_WORDS_MAX = 5

/** `weight` 0: only polite; 1: a short word; 2: a phrase. The heaviest words of a text count. */
interface Meaning {
  readonly verb: Answer['verb']
  readonly weight: number
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
  const plain = foldUmlauts(plainDigits(line).trim().toLowerCase())
  if (plain === '?') return { verb: 'list', number: null, minutes: null }
  const span = SPAN.exec(plain)
  const isQuestion = plain.endsWith('?')
  const words = plain
    .replace(/\?$/, '')
    .replace(span?.[0] ?? '', ' ')
    .replace(/\p{Emoji_Modifier}|\ufe0f|['\u2019]/gu, '')
    .replace(/(\p{Extended_Pictographic})\1*/gu, ' $1 ')
    .replace(/[,;:!()"]|\.(?!\d)|#(?=\d)/g, ' ')
    .replace(/(?<!\S)(\d{1,2})(?!\d)/g, ' $1 ')
    .split(' ')
    .filter(word => word !== '')
  const numbers = words.filter(word => /^\d{1,2}$/.test(word))
  const number = numbers[0] === undefined ? null : Number(numbers[0])
  const verb = verbOf(words, language)
  if (verb === null || numbers.length > 1 || (isQuestion && verb !== 'list')) return null
  if (span !== null && verb !== 'take') return null
  // Only with a number, because it ends the alert.
  if (number === null && verb === 'done') return null
  const minutes = span && Number(span[1]) * (UNIT_MINUTES[span[2]?.[0] ?? ''] ?? 0)
  if (minutes !== null && (minutes < 1 || minutes > TAKEN_MINUTES_MAX)) return null
  return { verb, number, minutes }
}

function foldUmlauts(text: string): string {
  return text.replace(/[äöüß]/g, letter => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? 'ss')
}

/** What these words ask for. Null: not surely one thing. */
function verbOf(words: readonly string[], language: Language): Answer['verb'] | null {
  const meanings = meaningsIn(language)
  const found: Meaning[] = []
  let hasNumber = false
  for (let at = 0; at < words.length; ) {
    if (/^\d{1,2}$/.test(words[at] ?? '')) {
      hasNumber = true
      at += 1
      continue
    }
    let end = Math.min(words.length, at + PHRASE_WORDS_MAX)
    while (end > at && !meanings.has(words.slice(at, end).join(' '))) end -= 1
    const meaning = meanings.get(words.slice(at, end).join(' '))
    if (meaning === undefined) return null
    found.push(meaning)
    at = end
  }
  const weight = Math.max(0, ...found.map(one => one.weight))
  // A number says enough. Without it a short word beside polite ones may be meant for a person.
  if (weight === 0) return hasNumber ? 'take' : null
  if (weight === 1 && !hasNumber && found.some(one => one.weight === 0)) return null
  const [verb = 'take', ...others] = new Set(found.filter(one => one.weight === weight).map(one => one.verb))
  const isDenied = verb !== 'no' && found.some(one => one.verb === 'no')
  return others.length === 0 && !isDenied ? verb : null
}

/** Made once for each language. */
const meaningsOf = new Map<string, ReadonlyMap<string, Meaning>>()

function meaningsIn(language: Language): ReadonlyMap<string, Meaning> {
  const known = meaningsOf.get(language.tag)
  if (known !== undefined) return known
  const groups: readonly (readonly [Answer['verb'], number, string])[] = [
    ['take', 0, `${POLITE}, ${say(language, 'please')}`],
    ['list', 2, `${PHRASES.list}, ${say(language, 'what is open')}`],
    ['done', 2, `${PHRASES.done}, ${say(language, 'done')}`],
    ['no', 2, `${PHRASES.no}, ${say(language, 'pass')}`],
    ['no', 1, `${SHORT.no}, ${say(language, 'no')}`],
    ['take', 2, `${PHRASES.take}, ${say(language, 'taking it')}`],
    ['take', 1, `${SHORT.take}, ${say(language, 'ok')}`],
  ]
  const meanings = new Map(
    groups.flatMap(([verb, weight, phrases]) =>
      foldUmlauts(phrases)
        .split(', ')
        .map(phrase => [phrase, { verb, weight }] as const),
    ),
  )
  meaningsOf.set(language.tag, meanings)
  return meanings
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
