import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '#console/api.ts'
import { Fault, Loading } from '#console/parts/basics.tsx'

type Pages = typeof import('#console/pages/on-call-pages.tsx')

/** Kept, so that a page that is opened again shows at once. */
let loaded: Pages | null = null

const LOST = { code: 'UNKNOWN', message: 'This page did not load. If the gateway was updated, load it anew.' }

/** One of the pages around `On call`. `id` null: a new person, rota or policy. */
export function OnDemandPage({ page, id }: { page: string; id: string | null }) {
  const [pages, setPages] = useState(loaded)
  const [error, setError] = useState<ApiError | null>(null)
  const load = () => {
    setError(null)
    import('#console/pages/on-call-pages.tsx').then(
      found => {
        loaded = found
        setPages(found)
      },
      () => setError(new ApiError(0, LOST)),
    )
  }
  useEffect(() => {
    if (loaded === null) load()
  }, [])
  if (error !== null) return <Fault error={error} retry={() => location.reload()} />
  if (pages === null) return <Loading />
  return <pages.OnCallPages page={page} id={id} />
}
