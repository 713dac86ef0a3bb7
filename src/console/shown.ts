/** What the window shows: a page, and perhaps an entry of its list beside it. */
import { signal } from '@preact/signals'
import { leavePage, type Place, rememberPlaces } from '#console/place.ts'
import { type PageAddress, parseRoute } from '#console/route.ts'

export interface Shown {
  readonly route: PageAddress
  /** An entry of the list that `route` shows. Null: none is open, or its page has taken the list's place. */
  readonly detail: PageAddress | null
  /** Where the reader was on this page before; null: it is new. */
  readonly place: Place | null
  /** The list that led to this page, if *Back* leads there. */
  readonly cameFrom: string | null
}

/** From these widths on, the list of texts and the other lists stay beside the entry that is open. */
const ROOM_FOR_TEXT = matchMedia('(min-width: 1100px)')
const ROOM_FOR_BOTH = matchMedia('(min-width: 100rem)')

/** The pages with a list whose entries have pages of their own. */
const LISTS: readonly string[] = ['texts', 'webhooks', 'devices', 'forwards', 'notifications']
/** What follows the name of a list in an address and is no entry of it. */
const FORMS: readonly string[] = ['new', 'pair']

export const shown = signal<Shown>(shownFor(parseRoute(location.hash), null))

/** Begins to follow the address bar. */
export function followAddress(): void {
  rememberPlaces()
  let hash = location.hash
  addEventListener('hashchange', () => {
    const cameFrom = hash
    hash = location.hash
    const next = shownFor(parseRoute(hash), shown.peek())
    shown.value = { ...next, place: leavePage(), cameFrom }
  })
  for (const room of [ROOM_FOR_TEXT, ROOM_FOR_BOTH])
    room.addEventListener('change', () => {
      shown.value = shownFor(parseRoute(location.hash), null)
    })
}

function shownFor(next: PageAddress, before: Shown | null): Shown {
  const alone = { route: next, detail: null, place: null, cameFrom: null }
  if (!isEntry(next)) return alone
  const room = next.page === 'texts' ? ROOM_FOR_TEXT : ROOM_FOR_BOTH
  if (!room.matches) return alone
  const isOverItsList = before?.route.page === next.page && before.route.id === null
  const list = { page: next.page, id: null, query: new URLSearchParams() }
  return { ...alone, route: isOverItsList ? before.route : list, detail: next }
}

function isEntry({ page, id }: PageAddress): boolean {
  return LISTS.includes(page) && id !== null && !FORMS.includes(id)
}

/** Whether this link leads to the entry that is open beside its list. */
export function isOpen(href: string): boolean {
  const { detail } = shown.value
  return detail !== null && parseRoute(href).id === detail.id
}
