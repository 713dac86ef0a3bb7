import { Fault } from '#console/parts/basics.tsx'
import type { Pages } from '#console/use-pages.ts'

/** More rows would make the page slow. */
const SHOWN_MAX = 1_000

/** The end of a long list: a button for the next page of it. */
export function ShowMore({ pages }: { pages: Pages<unknown> }) {
  if (!pages.hasMore) return null
  if (pages.rows.length >= SHOWN_MAX)
    return <p class="dim">The newest {SHOWN_MAX} are shown. Search or filter to see others.</p>
  return (
    <>
      <Fault error={pages.more.error} />
      <button type="button" disabled={pages.more.busy} onClick={pages.showMore}>
        Show more
      </button>
    </>
  )
}
