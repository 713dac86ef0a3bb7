/** Reads answers by text. What is not surely an answer stays an ordinary text. */
import { TAKEN_MINUTES_MAX } from '#contracts/incident.ts'
import { type Language, say } from '#contracts/words.ts'
import type { IncidentHead } from '#domain/incident/incident.ts'
import type { AnswerVerb } from '#domain/incident/incident-events.ts'

/** A time needs a space in front of it, because `28h` can mean two things. */
const ANSWER = /^(?:(\d{1,2})(?: ?(\p{Ll}+)| (\d{1,5}) ?([hm]))?|(\p{Ll}+))[.!]?$/u

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

/** Reads a received text; null: it is not an answer. The English words always count. */
export function readAnswer(text: string, language: Language): Answer | null {
  const words = text.trim().toLowerCase()
  if (words === '?') return { verb: 'list', number: null, minutes: null }
  const match = ANSWER.exec(words)
  if (match === null) return null
  const [, number, word, span, unit, alone] = match
  const verb = verbOf(word ?? alone ?? 'ok', language)
  // Only with a number, because it ends the alert.
  if (verb === null || (alone !== undefined && verb === 'done')) return null
  const minutes = span === undefined ? null : Number(span) * (unit === 'h' ? 60 : 1)
  if (minutes !== null && (minutes < 1 || minutes > TAKEN_MINUTES_MAX)) return null
  return {
    verb,
    number: number === undefined ? null : Number(number),
    minutes,
  }
}

function verbOf(word: string, language: Language): AnswerVerb | null {
  const isOne = (english: string, words: string) => word === english || words.split(', ').includes(word)
  if (isOne('ok', say(language, 'ok'))) return 'take'
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
  const known = [...incidents].filter(({ state, told }) => state !== 'closed' && told.includes(personId))
  const waiting = known.filter(({ state }) => state !== 'taken')
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
