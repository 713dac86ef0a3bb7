/** Reads answers by text. What is not surely an answer stays an ordinary text. */
import { TAKEN_MINUTES_MAX } from '#contracts/incident.ts'
import type { Language } from '#contracts/words.ts'
import {
  type AnswerWords,
  answerWordsOf,
  foldUmlauts,
  type Meaning,
  PHRASE_WORDS_MAX,
} from '#domain/incident/answer-words.ts'
import type { IncidentHead } from '#domain/incident/incident.ts'
import type { AnswerVerb } from '#domain/incident/incident-events.ts'
import { plainDigits } from '#domain/phone-number/parse-phone-number.ts'

/** A longer text is not read as an answer. In UTF-16 code units. */
const READ_LENGTH_MAX = 80
const UNIT = '(m|mins?|minute[sn]?|h|hrs?|hours?|std|stunden?|d|days?|tage?)'
/** `8h`, `90 min`, `for 2 hours`, `an hour` */
const SPAN = new RegExp(`(?:\\bf(?:o|ue)r )?(?<![\\w.,:])(\\d{1,5} ?|(?:an?|one|eine[nr]?) )${UNIT}\\b`)
/** By the first letter of the unit. */
const UNIT_MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, s: 60, d: 1440, t: 1440 }
/** A person who comes later than this does not take it now. */
const ARRIVAL_MINUTES_MAX = 60
/** `in 20 minutes` says when a person comes, not for how long. `done in 20 minutes` is not done. */
const ARRIVAL = new RegExp(`\\bin (?:about |ca |etwa )?(?:${SPAN.source})`, 'g')
/** Ends a part of a text that means something by itself. */
const PART_END = /[,;:!?()"]|\.(?!\d)|\s[-\u2013\u2014]+\s|\b(?:and|but|und|aber|because|weil)\b/
/** `Gruß Heinz`: a greeting and a name at the end of a text. */
const SIGNATURE = /(?<!\p{L})(?:[Gg]r(?:uß|uss|üße|uesse)|mfg|MfG|LG|lg|VG|vg|[Rr]egards),? \p{Lu}\p{L}+\W*$/u
/** `nas:` and `nas - `, before what is done about it. */
const LABEL_END = /:\s*$|\s[-\u2013\u2014]+\s$/
/** `Can someone else take it?` is a question, and yet no other one. */
const ASKS_TO_PASS = /^(?:can|could|kann) /

/** What a text asks for. `number` null: it names no incident. */
export interface Answer {
  readonly verb: AnswerVerb | 'list'
  readonly number: number | null
  /** For how long the sender takes it; null: as the policy says. */
  readonly minutes: number | null
  /** Words of alerts that it has. */
  readonly names: readonly string[]
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

/** Words that may name a thing of these texts of alerts. */
function namesIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap(text => foldUmlauts(text.toLowerCase()).match(/[\p{L}\p{N}]{2,}/gu) ?? []))
}

/**
 * Reads the first line of a received text; null: it is not an answer. The English words always count.
 * `texts`: the alerts that the sender was told of and that are not over.
 */
export function readAnswer(text: string, language: Language, texts: readonly string[] = []): Answer | null {
  const [line = ''] = text.trim().split(/\r?\n/, 1)
  if (line.length > READ_LENGTH_MAX) return null
  const words = answerWordsOf(language)
  const plain = foldUmlauts(plainDigits(line).replace(SIGNATURE, '').trim().toLowerCase())
    .replace(/\p{Emoji_Modifier}|\ufe0f|['\u2019]/gu, '')
    .replace(/[\u2753\u2754]/g, '?')
    .replace(/(\p{Extended_Pictographic})\1*/gu, (_, sign) => (words.meanings.has(sign) ? ` ${sign} ` : ' '))
    .replace(/\p{L}+/gu, word => words.numbers.get(word) ?? word)
  if (plain === '?') return { verb: 'list', number: null, minutes: null, names: [] }
  const arrivals = [...plain.matchAll(ARRIVAL)].map(minutesOf)
  const stated = plain.replace(ARRIVAL, ' ')
  const span = SPAN.exec(stated)
  const names = namesIn(texts)
  const parts = stated
    .replace(span?.[0] ?? '', ' ')
    .split(new RegExp(`(?<=${PART_END.source})`))
    .map(part => readPart(part, words, names))
  const verb = verbOf(parts)
  const numbers = parts.flatMap(part => part.numbers)
  const [number = null] = numbers
  if (verb === null || numbers.length > 1) return null
  if ((span !== null || arrivals.length > 0) && verb !== 'take') return null
  if (arrivals.some(late => late > ARRIVAL_MINUTES_MAX)) return null
  // `db1 works, nas smokes`: what another part names may be down.
  if (verb === 'done' && parts.some(isOfAnother)) return null
  const named = parts.flatMap(part => part.names)
  // `nas geht nicht` tells how it is.
  if (verb === 'no' && number === null && named.length > 0) return null
  const minutes = span && minutesOf(span)
  if (minutes !== null && (minutes < 1 || minutes > TAKEN_MINUTES_MAX)) return null
  return { verb, number, minutes, names: named }
}

function minutesOf([, count = '', unit = '']: RegExpExecArray): number {
  return (/^\d/.test(count) ? Number(count) : 1) * (UNIT_MINUTES[unit[0] ?? ''] ?? 0)
}

/** A part of a text, up to a comma for example. */
interface Part {
  readonly found: readonly Meaning[]
  readonly numbers: readonly number[]
  /** Names of things of alerts. */
  readonly names: readonly string[]
  /** Whether all of its words are known, and none asks or makes a condition. */
  readonly isClear: boolean
  /** Whether it ends as one that only names what the next part is about. */
  readonly isLabel: boolean
}

function readPart(text: string, { meanings, loose }: AnswerWords, known: ReadonlySet<string>): Part {
  const words = text
    .replace(new RegExp(PART_END, 'g'), ' ')
    .replace(/#(?=\d)/g, ' ')
    .replace(/(?<!\S)(\d{1,2})(?!\d)/g, ' $1 ')
    .split(' ')
    .filter(word => word !== '' && !loose.has(word))
  const found: Meaning[] = []
  const numbers: number[] = []
  const names: string[] = []
  let isKnown = true
  let isAsked = false
  for (let at = 0, end = 0; at < words.length; at = end) {
    end = Math.min(words.length, at + PHRASE_WORDS_MAX)
    while (end > at && !meanings.has(words.slice(at, end).join(' '))) end -= 1
    const meaning = meanings.get(words.slice(at, end).join(' '))
    // `is it fixed`
    if (found.at(-1)?.sense === 'be' && meaning?.weight !== 2) isAsked = true
    if (meaning !== undefined) {
      found.push(meaning)
      continue
    }
    const word = words[at] ?? ''
    end = at + 1
    if (/^\d{1,2}$/.test(word)) numbers.push(Number(word))
    else if (known.has(word) && found.at(-1)?.sense !== 'done') names.push(word)
    else isKnown = false
  }
  if (names.length > 0) found.push({ sense: 'it', weight: 0 })
  const asks = isAsked || (text.includes('?') && !ASKS_TO_PASS.test(text.trim()))
  const isUnsure = found.some(({ sense }) => sense === 'unsure' || sense === 'bad')
  const isClear = isKnown && !isUnsure && (!asks || found.some(({ sense }) => sense === 'list'))
  return { found, numbers, names, isClear, isLabel: LABEL_END.test(text) }
}

/** Whether a part names a thing, but not what is done. `nas: done` may begin with it. */
function isOfAnother({ names, found, isLabel }: Part, at: number): boolean {
  return names.length > 0 && !found.some(({ sense }) => sense === 'done') && (at > 0 || !isLabel)
}

/** What the parts of a text ask for. Null: not surely one thing. */
function verbOf(parts: readonly Part[]): Answer['verb'] | null {
  const clear = parts.filter(part => part.isClear)
  const unclear = parts.filter(part => !part.isClear)
  const found = clear.flatMap(part => part.found)
  const has = (sense: Meaning['sense']) => found.some(one => one.sense === sense)
  const hasNumber = clear.some(({ numbers }) => numbers.length > 0)
  const weight = Math.max(0, ...found.map(one => one.weight))
  // A number says enough.
  if (weight === 0) return hasNumber && unclear.length === 0 && found.every(isPolite) ? 'take' : null
  const [sense, ...others] = new Set(found.filter(one => one.weight === weight).map(one => one.sense))
  const verb = sense === 'not' && hasNumber ? 'no' : sense
  if (others.length > 0 || !isVerb(verb) || (verb !== 'no' && (has('no') || has('not')))) return null
  if (verb === 'take' && has('please')) return null
  // Without a number a short word beside others may be meant for a person.
  const isShort = weight === 1 && !hasNumber
  if (isShort && (verb === 'done' || found.some(one => one.weight === 0))) return null
  if (unclear.length > 0 && weight === 1 && (isShort || verb !== 'no')) return null
  // Of what is closed in error no person hears, so each word must be known.
  if (verb === 'done' && (has('me') || unclear.length > 0)) return null
  return unclear.every(part => agrees(part, verb)) ? verb : null
}

function isPolite({ sense, weight }: Meaning): boolean {
  return sense === 'please' || (sense === 'take' && weight === 0)
}

function isVerb(sense: Meaning['sense'] | undefined): sense is Answer['verb'] {
  return sense === 'take' || sense === 'no' || sense === 'done' || sense === 'list'
}

/** Whether a part that is not clear leaves it at this. */
function agrees({ found, numbers }: Part, verb: Answer['verb']): boolean {
  if (numbers.length > 0 || verb === 'list') return false
  return found.every(({ sense, weight }) =>
    verb === 'no' ? weight === 0 || sense === 'no' || sense === 'not' : weight === 0 && sense !== 'unsure',
  )
}

/**
 * Finds what an answer of this person is about, among the incidents of the account. Null: nothing, so the
 * text is an ordinary one and gets no reply. Nothing is guessed between several incidents.
 */
export function chooseIncident(
  { verb, number, minutes, names }: Answer,
  personId: string,
  incidents: Iterable<IncidentHead>,
): ChosenIncident | null {
  const all = [...incidents]
  const known = all.filter(isToldTo(personId))
  const waiting = all.filter(isWaitingFor(personId))
  if (verb === 'list') return known.length === 0 ? null : { type: 'list', incidents: known }
  const meant = number === null ? meantBy() : known.filter(one => one.number === number)
  const [incident] = meant
  if (incident !== undefined && meant.length === 1) return { type: 'answered', incident, verb, minutes }
  const choice = meant.length > 0 ? meant : waiting.length > 0 ? waiting : known
  return choice.length === 0 ? null : { type: 'which', incidents: choice }

  /** Without a number. */
  function meantBy(): readonly IncidentHead[] {
    const near =
      verb === 'done'
        ? known.filter(({ state, takenBy }) => state !== 'taken' || takenBy === personId)
        : // Somebody may have been quicker: then the answer is about what is taken.
          waiting.length > 0
          ? waiting
          : known
    const named = near.filter(({ text }) => names.every(name => namesIn([text]).has(name)))
    return named.length > 0 ? named : near
  }
}

/** Whether this person was told of an incident that is not closed. */
export function isToldTo(personId: string): (incident: IncidentHead) => boolean {
  return ({ state, told }) => state !== 'closed' && told.includes(personId)
}

/** Whether it is also not taken. */
export function isWaitingFor(personId: string): (incident: IncidentHead) => boolean {
  return incident => incident.state !== 'taken' && isToldTo(personId)(incident)
}
