import { matchKeyLine } from '#domain/alert/guess/key-lines.ts'
import { isLater, nameOf } from '#domain/alert/guess/name-fields.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { cleanLine, linesOf } from '#domain/alert/text/clean-text.ts'
import { tokensOf } from '#domain/alert/vocabulary/states.ts'

/** Longer texts are read line by line. */
const LINE_LENGTH_MAX = 240
/** Of a longer text the rest says little. */
const LINES_MAX = 40
const FACTS_MAX = 100
/** So many UTF-16 units of all values are read, however large the body is. */
const CHARACTERS_MAX = 16_384

/** One thing that a body says. */
export interface Fact {
  readonly field: ListedField
  /** The words of the name of its field, in English where the name is known. */
  readonly name: readonly string[]
  /** The words of the name of the object above. */
  readonly above: readonly string[]
  /** What it says, cleaned, on one line. */
  readonly value: string
  /** A value of a field, a `Name: value` line, or a line or sentence of a text. */
  readonly kind: 'field' | 'line' | 'text'
  /** Its place among the lines of its text, or among the fields. */
  readonly at: number
  /** Whether it belongs to a further item of a list. */
  readonly isLater: boolean
}

/** All that a body says, each once, the outermost first. */
export function listFacts(fields: readonly ListedField[]): readonly Fact[] {
  const seen = new Set<string>()
  const facts: Fact[] = []
  let read = 0
  for (const [index, field] of fields.entries()) {
    if (facts.length >= FACTS_MAX || read > CHARACTERS_MAX) break
    read += field.value.length
    const named = { field, name: nameOf(field), above: aboveOf(field), isLater: isLater(field) }
    const isText = field.value.includes('\n') || field.value.length > LINE_LENGTH_MAX
    const parts = isText
      ? linesIn(field.value).map((value, at) => ({ ...named, value, kind: 'text' as const, at }))
      : [
          {
            ...named,
            value: cleanLine(field.value),
            kind: field.isLine ? ('line' as const) : ('field' as const),
            at: index,
          },
        ]
    for (const fact of parts) {
      const key = `${fact.name.at(-1) ?? ''} ${fact.value}`
      if (fact.value === '' || seen.has(key)) continue
      seen.add(key)
      facts.push(fact)
    }
  }
  return facts
}

/** The lines of a text that say something and are no fields of their own; of one long line its sentences. */
function linesIn(text: string): readonly string[] {
  const lines = linesOf(text).slice(0, LINES_MAX)
  const told = lines.filter(line => matchKeyLine(line) === null).map(line => line.replace(/^- /, ''))
  const [only = ''] = told
  return told.length === 1 ? only.split(/(?<=[.!?]) +(?=\S)/).slice(0, LINES_MAX) : told
}

function aboveOf({ keys }: ListedField): readonly string[] {
  return tokensOf((keys.filter(key => !/^\d+$/.test(key)).at(-2) ?? '').slice(0, 64))
}
