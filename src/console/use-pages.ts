import { useState } from 'preact/hooks'
import { callPage } from '#console/api.ts'
import { type Action, cached, keeper, type Resource, useAction, useResource } from '#console/use-resource.ts'
import type { News } from '#contracts/live.ts'

export interface Pages<T, Page = readonly T[]> {
  readonly first: Resource<Page>
  /** All that was fetched so far, the newest first. */
  readonly rows: readonly T[]
  readonly hasMore: boolean
  readonly more: Action
  showMore(): void
}

/** An answer has rows, or says more than its rows. */
type Answer<T> = readonly T[] | { readonly texts: readonly T[] }

function rowsOf<T>(answer: Answer<T>): readonly T[] {
  return 'texts' in answer ? answer.texts : answer
}

interface Older<T> {
  readonly path: string
  readonly rows: readonly T[]
  readonly cursor: string | null
}

/** A long list: its newest page follows the news, older pages are fetched one by one. Null: no list. */
export function usePages<T, Page extends Answer<T> = readonly T[]>(
  path: string | null,
  about: readonly News['type'][],
  idOf: (row: T) => string,
): Pages<T, Page> {
  const first = useResource<Page>(path, about)
  const [older, setOlder] = useState(() => cached<Older<T>>(olderOf(path)) ?? null)
  const more = useAction()
  const mine = path !== null && older?.path === path ? older : null
  const newest = first.data === undefined ? [] : rowsOf(first.data)
  const known = new Set(newest.map(idOf))
  const rows = [...newest, ...(mine?.rows ?? []).filter(row => !known.has(idOf(row)))]
  const cursor = mine === null ? first.nextCursor : mine.cursor
  return {
    first,
    rows,
    hasMore: path !== null && cursor !== null,
    more,
    showMore: () =>
      void more.run(async () => {
        const keep = keeper()
        const next = await callPage<Page>('GET', `${path}&cursor=${cursor}`)
        // Keep all rows that are shown, because new rows push others out of the newest page.
        if (path === null) return
        const all = { path, rows: [...rows, ...rowsOf(next.data)], cursor: next.nextCursor }
        setOlder(all)
        // For a reader who comes back to the list.
        keep(olderOf(path), all)
      }),
  }
}

/** The name under which the older pages of a list are kept. */
function olderOf(path: string | null): string {
  return `older ${path}`
}
