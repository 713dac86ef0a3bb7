import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Fault, Loading } from '#console/parts/basics.tsx'
import type { PageAddress } from '#console/route.ts'

type Pages = typeof import('#console/pages/later-pages.tsx')

/** Kept, so that a page that is opened again shows at once. */
let loaded: Pages | null = null

const LOST = {
  code: 'UNKNOWN',
  message: t('This page did not load. If the gateway was updated, load it anew.'),
}

/** Loads the styles of these pages. Their link in the page is no style sheet until then. */
async function laterStyles(): Promise<void> {
  const link = document.getElementById('later') as HTMLLinkElement
  if (link.sheet !== null) return
  await new Promise((resolve, reject) => {
    link.addEventListener('load', resolve, { once: true })
    link.addEventListener('error', reject, { once: true })
    if (link.rel === '') link.rel = 'stylesheet'
  }).catch(error => {
    link.rel = ''
    throw error
  })
}

/** A page that the browser loads when it is needed, because the first page must be small. */
export function LaterPage(address: PageAddress) {
  const [pages, setPages] = useState(loaded)
  const [error, setError] = useState<ApiError | null>(null)
  useEffect(() => {
    if (loaded !== null) return
    Promise.all([import('#console/pages/later-pages.tsx'), laterStyles()]).then(
      ([found]) => {
        loaded = found
        setPages(found)
      },
      () => setError(new ApiError(0, LOST)),
    )
  }, [])
  if (error !== null) return <Fault error={error} retry={() => location.reload()} />
  if (pages === null) return <Loading />
  return <pages.LaterPages {...address} />
}
