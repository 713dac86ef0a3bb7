import type { Fact } from '#domain/alert/facts/list-facts.ts'
import { isEventName, isOfPerson, isTelling, namesOfThings } from '#domain/alert/guess/name-fields.ts'
import { featuresOf } from '#domain/alert/guess/role-features.ts'
import { stateOfField } from '#domain/alert/guess/role-state.ts'
import { wordsOf } from '#domain/alert/text/clean-text.ts'

/** Values of at least so many others repeat a common word. */
const ECHOED_MIN = 3
const OTHER_LENGTH_MAX = 200
const BAD_WORD =
  /fail|error|down|critical|denied|refus|timeout|expired|full|lost|unreach|exceed|alarm|warn|above|below/i

/** What is known of each fact without knowing its sender, as short names. */
export function factFeatures(facts: readonly Fact[]): readonly (readonly string[])[] {
  const words = facts.map(({ value }) => (value.length > OTHER_LENGTH_MAX ? '' : wordsOf(value)))
  const joined = words.join('|')
  const counts = new Map<string, number>()
  for (const text of words)
    for (const word of new Set(text.trim().split(' '))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const things = namesOfThings(facts.filter(({ kind }) => kind !== 'text').map(({ field }) => field))
  return facts.map((fact, index) => {
    const { field, value, kind, at, name, above } = fact
    const own = words[index] ?? ''
    const isInOther = own.trim() !== '' && joined.indexOf(own) !== joined.lastIndexOf(own)
    const echoes = own
      .trim()
      .split(' ')
      .reduce((most, word) => Math.max(most, counts.get(word) ?? 0), 0)
    const looks = kind === 'text' ? [`v:${value.split(' ').length > 3 ? 'sentence' : 'words'}`] : []
    const base = featuresOf({ ...field, value })
    const look = base.find(one => one.startsWith('v:')) ?? 'v:'
    const length = value.length
    return [
      ...base,
      ...looks,
      `kind:${kind}`,
      ...name.slice(0, -1).map(word => `w:${word}`),
      `e:${name.join('')}`,
      `${look}&${name.at(-1) ?? ''}`,
      `len:${length < 4 ? 0 : length < 12 ? 1 : length < 30 ? 2 : length < 80 ? 3 : 4}`,
      ...(/\d/.test(value) ? ['digit'] : []),
      ...(/\d\s?(?:%|°|[a-zA-Z]{1,3}\b)/.test(value) ? ['unit'] : []),
      ...(/\p{L}{3}/u.test(value) ? ['letters'] : []),
      kind === 'text'
        ? `lineno:${Math.min(at, 5)}`
        : `pos:${Math.min(4, Math.floor((at * 5) / Math.max(1, facts.length)))}`,
      ...(facts.length < 8 ? ['small'] : facts.length > 40 ? ['big'] : []),
      ...(BAD_WORD.test(value) ? ['badword'] : []),
      ...(things[0] === value ? ['thing:0'] : things.includes(value) ? ['thing:1'] : []),
      ...(kind === 'text' || isTelling({ ...field, value }) ? ['telling'] : []),
      ...(isOfPerson(field) ? ['person'] : []),
      ...(kind !== 'text' && isEventName(field) ? ['event'] : []),
      ...(stateOfField(value) === null ? [] : ['state']),
      ...(kind !== 'text' && /^-?[\d.,]+$/.test(value) ? [`num&${above.at(-1) ?? ''}`] : []),
      ...(isInOther ? ['inother'] : []),
      ...(echoes > ECHOED_MIN ? ['echoed'] : []),
    ]
  })
}
