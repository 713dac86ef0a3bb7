import { decideState, errorState, type FieldStates, fieldStates } from '#domain/alert/guess/decide-state.ts'
import { eventPhrase } from '#domain/alert/guess/event-phrase.ts'
import { namesThing } from '#domain/alert/guess/name-fields.ts'
import { readTexts } from '#domain/alert/guess/read-texts.ts'
import { findLabel, findRaw, type Scopes } from '#domain/alert/read/find-fields.ts'
import { type Headline, readHeadline, stateOfEmoji } from '#domain/alert/text/headline.ts'
import { HOSTS, TITLES } from '#domain/alert/vocabulary/field-names.ts'
import { chooseState, readState, type State } from '#domain/alert/vocabulary/states.ts'

/** The parts of a body that no file in `senders/` knows. `describeGeneric` makes the report from them. */
export interface Findings {
  readonly title: Headline
  /** Whether the title is a sentence or the alert's own name, rather than the name of a thing. */
  readonly isTitled: boolean
  /** Whether the only title is the name of a thing. */
  readonly isThing: boolean
  readonly lines: readonly string[]
  /** The first line of the message. */
  readonly lead: Headline
  readonly state: State | null
  readonly host: string
  /** How bad the alert is, according to the sender's fields. */
  readonly ranks: readonly State[]
  /**
   * The state that the text of a plain message of one line shows. Such a message is sent unchanged, so no
   * state is put in front of it.
   * Null: the message has no state, or the body is not a plain message.
   */
  readonly stateInText: State | null
}

/** Finds the title, the message, the state and the host of a body by common field names. */
export function findParts(scopes: Scopes): Findings {
  const host = findLabel(scopes, HOSTS, namesThing)
  const fields = fieldStates(scopes)
  const texts = readTexts(scopes)
  const { ownTitle, thing, lines, rawText } = texts
  const phrase = ownTitle || thing ? '' : phraseAsName(fields, scopes)
  const name = ownTitle || thing || phrase || (fields.status.length > 0 ? host : '')
  const title = readHeadline(name)
  const lead = readHeadline(lines[0] ?? '')
  // Three words or more name an alarm ("Person at door"); fewer only say where ("garage").
  const isTitled = ownTitle !== '' || thing.split(' ').length >= 3
  const found = {
    title,
    isTitled,
    isThing: ownTitle === '' && phrase === '' && name !== '',
    lines,
    host,
    ranks: fields.rank,
  }
  // Unchanged texts, because an emoji in the title may show the state.
  const raw = [ownTitle === '' ? thing : findRaw(scopes, TITLES), rawText]
  const isStateless = fields.status.length + fields.rank.length === 0 && errorState(scopes) === null
  // A plain message is one line without a title, or a title without a message.
  const onlyLine = name === '' ? lead : title
  const hasOneText = name === '' ? lines.length === 1 : lines.length === 0 && title.state?.kind !== 'test'
  if (isStateless && hasOneText && isVerbatim(raw.join(''), onlyLine)) {
    return {
      ...found,
      title: verbatim(title, name),
      lead: verbatim(lead, lead.text),
      state: null,
      stateInText: decideState(fields, [title, lead], raw),
    }
  }
  const state = decideState(fields, [title, lead], raw) ?? errorState(scopes)
  return { ...found, stateInText: null, lead, state }
}

/** The name of the event without its state, used as a title if there is no other. */
function phraseAsName(fields: FieldStates, scopes: Scopes): string {
  const state = chooseState(fields.status)
  if (state === null || state.kind === 'test') return ''
  const phrase = eventPhrase(scopes, state)
  const end = phrase.slice(phrase.lastIndexOf(' ') + 1)
  return phrase !== '' && readState(end)?.word === state.word ? phrase.slice(0, -end.length - 1) : phrase
}

/** Whether there is one plain line, as a person or a script writes it. It is sent unchanged. */
function isVerbatim(raw: string, headline: Headline): boolean {
  const isOneLine = !raw.trim().includes('\n')
  const beginsWithState = headline.stated && raw.startsWith('[')
  return isOneLine && !beginsWithState && stateOfEmoji(raw) === null
}

/** The headline with its whole text, from which no state was removed. */
function verbatim(headline: Headline, text: string): Headline {
  return { ...headline, state: null, stated: false, text }
}
