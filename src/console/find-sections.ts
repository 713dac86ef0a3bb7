import { saidIn, termsOf, wordsOf } from '#console/search-words.ts'

/** A page of the handbook, as the search's index has it. */
export type Section = readonly [slug: string, title: string, text: string, names: string]

export interface FoundSection {
  readonly slug: string
  readonly title: string
  /** The text around the first word that was found. */
  readonly excerpt: string
}

const BEFORE = 40
const AFTER = 120
/** How much a word counts in a title, in the other names of a page, and beside the word before it. */
const IN_TITLE = 2
const IN_NAMES = 1.5
const IN_PAIR = 1
/** How much a word counts that only means the same as the one that was typed. */
const MEANT = 0.7
/** A page with a word ten times is not ten times as much about it, and a long page has each word sooner. */
const SATED = 1.2
const LONG = 0.6

interface Counted {
  readonly section: Section
  readonly title: readonly string[]
  readonly names: ReadonlySet<string>
  readonly counts: ReadonlyMap<string, number>
  /** All words of title, names and text in their order. */
  readonly line: string
  readonly length: number
}

/** The words of the pages, counted once. */
const counted = new WeakMap<readonly Section[], readonly Counted[]>()

/** The sections that a query means, the best first: each word counts by how rare it is, a title most. */
export function findSections(sections: readonly Section[], query: string): FoundSection[] {
  const pages = counted.get(sections) ?? sections.map(countWords)
  counted.set(sections, pages)
  const terms = termsOf(query).map(words => knownWords(pages, words))
  const pairs = terms.slice(1).map((words, at) => ` ${terms[at]?.[0]} ${words[0]} `)
  const found = pages.flatMap(page => {
    const scores = terms.map(words => scoreOf(pages, page, words))
    const hits = scores.filter(score => score > 0).length
    // A page without half of what was asked is about something else.
    if (hits * 2 < terms.length || hits === 0) return []
    const together = pairs.filter(pair => page.line.includes(pair)).length * IN_PAIR
    const score = (scores.reduce((sum, one) => sum + one, 0) + together) * (hits / terms.length) ** 2
    return [{ page, score }]
  })
  const best = found.sort((a, b) => b.score - a.score)
  return best.map(({ page: { section } }) => {
    const [slug, title, text] = section
    return { slug, title, excerpt: excerptOf(text, terms.flat()) }
  })
}

function countWords(section: Section): Counted {
  const [, title, text, names] = section
  const counts = new Map<string, number>()
  const words = wordsOf(`${title}. ${names}. ${text}`)
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return {
    section,
    title: saidIn(title),
    names: new Set(wordsOf(names)),
    counts,
    line: ` ${words.join(' ')} `,
    length: words.length,
  }
}

/** The words, and for one that no page has those that begin with it: it may not be typed to its end. */
function knownWords(pages: readonly Counted[], words: readonly string[]): readonly string[] {
  const [typed = ''] = words
  if (words.length > 1 || typed.length < 3 || pages.some(({ counts }) => counts.has(typed))) return words
  const all = pages.flatMap(({ counts }) => [...counts.keys()])
  return [typed, ...new Set(all.filter(word => word.startsWith(typed)))]
}

/** How much a page is about one of the words. */
function scoreOf(pages: readonly Counted[], page: Counted, words: readonly string[]): number {
  const mean = pages.reduce((sum, { length }) => sum + length, 0) / pages.length
  const scores = words.map((word, at) => {
    const count = page.counts.get(word) ?? 0
    if (count === 0) return 0
    const rarity = Math.log((1 + pages.length) / pages.filter(({ counts }) => counts.has(word)).length)
    const inText = count / (count + SATED * (1 - LONG + (LONG * page.length) / mean))
    const inTitle = page.title.includes(word) ? IN_TITLE / Math.sqrt(page.title.length) : 0
    return rarity * (at === 0 ? 1 : MEANT) * (inText + inTitle + (page.names.has(word) ? IN_NAMES : 0))
  })
  return Math.max(0, ...scores)
}

/** The text around the first of the words. */
function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map(word => text.toLowerCase().search(new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'u')))
  const at = Math.min(...places.filter(place => place >= 0), text.length)
  return excerptAt(text, at === text.length ? -1 : at)
}

function excerptAt(text: string, at: number): string {
  const from = Math.max(0, at - BEFORE)
  const to = Math.max(at, 0) + AFTER
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`
}
