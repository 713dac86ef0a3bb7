import { t } from '#console/language.ts'
import { Fault } from '#console/parts/basics.tsx'
import type { Pages } from '#console/use-pages.ts'

/** The end of a long list: a button for the next page of it. */
export function ShowMore({ pages }: { pages: Pages<unknown, unknown> }) {
  if (!pages.hasMore) return null
  return (
    <>
      <Fault error={pages.more.error} />
      <button type="button" disabled={pages.more.busy} onClick={pages.showMore}>
        {t('Show more')}
      </button>
    </>
  )
}
