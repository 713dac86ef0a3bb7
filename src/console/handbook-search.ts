/** The search of the handbook's pages. Without this script they have no search, and work otherwise. */
import { findSections, type Section } from '#console/find-sections.ts'

const SHOWN_MAX = 12
/** What most people look for who do not find it by its words. */
const FIRST_PAGES: readonly string[] = ['start-here', 'troubleshooting', 'the-command-line']
const { index = '', base = '' } = document.body.dataset
const field = document.querySelector<HTMLInputElement>('#search')
const list = document.querySelector<HTMLElement>('#found')
let sections: readonly Section[] | null = null

document.querySelector('search')?.removeAttribute('hidden')
field?.addEventListener('input', () => void search())
field?.addEventListener('keydown', event => {
  if (event.key === 'Escape') list?.replaceChildren()
  // Enter and the arrow go to the list, and another Enter to the page: it is read before it is left.
  if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
  event.preventDefault()
  void search().then(() => list?.querySelector('a')?.focus())
})

async function search(): Promise<void> {
  sections ??= (await (await fetch(index)).json()) as readonly Section[]
  const query = field?.value ?? ''
  const found = findSections(sections, query).slice(0, SHOWN_MAX)
  const items = found.map(({ slug, title, excerpt }) => item(linkTo(slug, title), ' ', excerpt))
  const isEmpty = query.trim() !== '' && items.length === 0
  list?.replaceChildren(...(isEmpty ? emptyResult(sections) : items))
}

function emptyResult(all: readonly Section[]): readonly HTMLLIElement[] {
  const first = all.filter(([slug]) => FIRST_PAGES.includes(slug))
  return [
    item('Nothing found. Try another word, or begin with:'),
    ...first.map(([slug, title]) => item(linkTo(slug, title))),
  ]
}

function linkTo(slug: string, title: string): HTMLAnchorElement {
  const link = document.createElement('a')
  link.href = `${base}${slug}`
  link.textContent = title
  return link
}

function item(...content: readonly (Node | string)[]): HTMLLIElement {
  const made = document.createElement('li')
  made.append(...content)
  return made
}
