/** The search of the handbook's pages. Without this script they have no search, and work otherwise. */
import { findSections, type Section } from '#console/find-sections.ts'

const SHOWN_MAX = 12
const { index = '', base = '' } = document.body.dataset
const field = document.querySelector<HTMLInputElement>('#search')
const list = document.querySelector<HTMLElement>('#found')
let sections: readonly Section[] | null = null

document.querySelector('search')?.removeAttribute('hidden')
field?.addEventListener('input', () => void search())
field?.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') list?.replaceChildren()
  if (key === 'Enter') list?.querySelector('a')?.click()
})

async function search(): Promise<void> {
  sections ??= (await (await fetch(index)).json()) as readonly Section[]
  const query = field?.value ?? ''
  const found = findSections(sections, query).slice(0, SHOWN_MAX)
  const items = found.map(({ slug, title, excerpt }) => {
    const link = document.createElement('a')
    link.href = `${base}${slug}`
    link.textContent = title
    return item(link, ' ', excerpt)
  })
  const isEmpty = query.trim() !== '' && items.length === 0
  list?.replaceChildren(...(isEmpty ? [item('Nothing found.')] : items))
}

function item(...content: readonly (Node | string)[]): HTMLLIElement {
  const made = document.createElement('li')
  made.append(...content)
  return made
}
