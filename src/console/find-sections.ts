/** A page of the handbook, as the search's index has it. */
export type Section = readonly [slug: string, title: string, text: string]

export interface FoundSection {
  readonly slug: string
  readonly title: string
  /** The text around the first word that was found. */
  readonly excerpt: string
}

const BEFORE = 40
const AFTER = 120

/** The sections that contain all words of a query; those with a word in their title first. */
export function findSections(sections: readonly Section[], query: string): FoundSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return []
  const found = sections.flatMap(([slug, title, text]) => {
    const lower = { title: title.toLowerCase(), text: text.toLowerCase() }
    if (!words.every(word => lower.title.includes(word) || lower.text.includes(word))) return []
    const inTitle = words.filter(word => lower.title.includes(word)).length
    return [{ slug, title, inTitle, excerpt: excerptAt(text, lower.text.indexOf(first)) }]
  })
  return found.sort((a, b) => b.inTitle - a.inTitle)
}

function excerptAt(text: string, at: number): string {
  const from = Math.max(0, at - BEFORE)
  const to = Math.max(at, 0) + AFTER
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`
}
