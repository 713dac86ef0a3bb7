/** Remembers where the reader was on each page, so that *Back* returns to the same row. */
export interface Place {
  readonly y: number
  /** The link that led away. */
  readonly link: string
}

/** By the number of their entry in the browser's history. */
const places = new Map<number, Place>()
let entry = 0

/** Begins to remember. Browsers restore a position before the page has its rows, so the console does it. */
export function rememberPlaces(): void {
  history.scrollRestoration = 'manual'
  entry = numberOfEntry()
}

/** Call it when the address has changed and the old page is still drawn. @returns where the reader was */
export function leavePage(): Place | null {
  places.set(entry, { y: scrollY, link: location.hash })
  entry = numberOfEntry()
  return places.get(entry) ?? null
}

/** Shows the place, with the focus on the link that led away. */
export function returnTo({ y, link }: Place): void {
  scrollTo(0, y)
  const from = [...document.querySelectorAll<HTMLElement>('main a')].find(
    one => one.getAttribute('href') === link,
  )
  from?.focus({ preventScroll: true })
  from?.scrollIntoView({ block: 'nearest' })
}

/** The number of the current entry; a new entry gets one. Numbers grow, also over a reload. */
function numberOfEntry(): number {
  const known = history.state?.entry
  if (typeof known === 'number') return known
  const next = Date.now()
  history.replaceState({ entry: next }, '')
  return next
}
