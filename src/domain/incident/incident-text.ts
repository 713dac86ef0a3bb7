/** The texts about incidents. The alert's own text is cut to make room for the words around it. */
import { type Language, type Sentence, say, sentence } from '#contracts/words.ts'
import { cutText } from '#domain/alert/text/cut-text.ts'
import type { IncidentHead } from '#domain/incident/incident.ts'
import type { IncidentFacts } from '#domain/incident/incident-events.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { MINUTE_MS } from '#domain/time.ts'

/** Incidents that one reply names. */
const LISTED_MAX = 8
/** Segments of a reply that names several incidents. */
const LIST_SEGMENTS_MAX = 2
/** UTF-16 units of each text in such a reply, as many as fit. */
const LISTED_LENGTH_MAX = 60
const LISTED_LENGTH_MIN = 8

export interface IncidentWords {
  /** Stands before the text, with a colon: `Ada has it`. */
  readonly before?: Sentence
  /** Stands before all else: that no more texts come. */
  readonly bound?: Sentence | null
  /** Instead of the text of the incident. */
  readonly text?: string
  /** Whether Roost worded `text` by a guess. */
  readonly guess?: boolean
  /** Whether a second line says how to take it. */
  readonly asks?: boolean
}

/** A text about an incident. It needs no more segments than the alert's text alone. */
export function incidentText(
  { text: own, number, isRehearsal }: IncidentHead,
  words: IncidentWords,
  language: Language,
): string {
  const { before, bound = null, text = own, asks = false } = words
  const line = asks && number !== null ? askLine(language, number) : ''
  const head = [
    isRehearsal ? 'TEST ' : '',
    bound === null ? '' : `${say(language, bound)} `,
    before === undefined ? '' : `${say(language, before)}: `,
  ].join('')
  const textOf = (cut: string) => `${head}${cut}${line}`
  const { segments } = segmentsOf(text)
  const fits = (whole: string) => segmentsOf(whole).segments <= segments
  if (fits(textOf(text))) return textOf(text)
  for (let length = text.length - 1; length > 0; length--) {
    const whole = textOf(`${cutText(text, length)}...`)
    if (fits(whole)) return whole
  }
  return textOf(text)
}

/** The line that asks. Without a number as long as it can be. */
export function askLine(language: Language, number = 99): string {
  return `\n${say(language, 'Reply {number}: I take it', { number })}`
}

/** `Bob has it since 5 min`, in front of the text. */
export function holderWords(
  incident: IncidentHead,
  facts: Pick<IncidentFacts, 'nameOf' | 'wallMs'>,
): Sentence {
  const minutes = Math.max(1, Math.floor((facts.wallMs - (incident.takenAt ?? facts.wallMs)) / MINUTE_MS))
  const span = minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
  return sentence('{name} has it since {span}', { name: nameOfHolder(incident.takenBy, facts), span })
}

export function doneBy(who: string, facts: Pick<IncidentFacts, 'nameOf'>): Sentence {
  return sentence('Done ({name})', { name: nameOfHolder(who, facts) })
}

/** The name of a person, or of the owner. `id`: as `takenBy` has it. */
export function nameOfHolder(
  id: string | null,
  { nameOf }: Pick<IncidentFacts, 'nameOf'>,
): string | Sentence {
  if (id === null || id === 'owner') return sentence('Owner')
  return nameOf(id) ?? sentence('Somebody')
}

/** The reply to what is not understood. `number`: of an incident that the person can take. */
export function hintText({ number }: Pick<IncidentHead, 'number'>, language: Language): string {
  return say(language, 'Not understood. {number}: I take it, no: pass on, ?: list', {
    number: number ?? 'ok',
  })
}

/** The reply to an answer that is older than the first text about the incident. */
export function earlyText(incident: IncidentHead, language: Language): string {
  const number = incident.number ?? '-'
  return say(language, 'Written before {number} came. Still {number}: I take it?', { number })
}

/** The reply to an answer to one that was closed: `2 is over since 15:20: NAS down`. */
export function endedText(incident: IncidentHead, time: string, language: Language): string {
  const before = sentence('{number} is over since {time}', { number: incident.number, time })
  return incidentText(incident, { before }, language)
}

/** The reply to an answer that could mean several incidents: `Which? 2: …; 3: …`. */
export function whichText(incidents: readonly IncidentHead[], language: Language): string {
  return list(`${say(language, 'Which?')} `, incidents, () => '')
}

/** The reply to `?`: the incidents with number and owner. */
export function listText(
  incidents: readonly IncidentHead[],
  facts: Pick<IncidentFacts, 'nameOf' | 'language'>,
): string {
  const nobody = say(facts.language, 'nobody has it')
  const holder = (id: string | null) =>
    say(facts.language, '{name} has it', { name: nameOfHolder(id, facts) })
  return list('', incidents, ({ state, takenBy }) => ` (${state === 'taken' ? holder(takenBy) : nobody})`)
}

/** As much of each text as fits. */
function list(
  head: string,
  incidents: readonly IncidentHead[],
  tailOf: (one: IncidentHead) => string,
): string {
  const named = incidents.slice(0, LISTED_MAX)
  const more = incidents.length > named.length ? `; +${incidents.length - named.length}` : ''
  for (let length = LISTED_LENGTH_MAX; ; length -= 4) {
    const items = named.map(one => `${one.number ?? '-'}: ${shorten(one, length)}${tailOf(one)}`)
    const text = `${head}${items.join('; ')}${more}`
    if (length <= LISTED_LENGTH_MIN || segmentsOf(text).segments <= LIST_SEGMENTS_MAX) return text
  }
}

function shorten({ text, isRehearsal }: IncidentHead, length: number): string {
  const whole = isRehearsal ? `TEST ${text}` : text
  return whole.length <= length ? whole : `${cutText(whole, length - 3)}...`
}
