import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '#console/api.ts'
import { Fault, Loading } from '#console/parts/basics.tsx'

const LOST = { code: 'UNKNOWN', message: 'This page did not load. If the gateway was updated, load it anew.' }

/** A component whose file the browser loads when it is first drawn, because few people need it at first. */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  // Kept, so that what is opened again shows at once.
  let loaded: ComponentType<Props> | null = null
  return props => {
    const [Found, setFound] = useState<{ readonly type: ComponentType<Props> } | null>(
      loaded === null ? null : { type: loaded },
    )
    const [error, setError] = useState<ApiError | null>(null)
    useEffect(() => {
      if (loaded !== null) return
      load().then(
        type => {
          loaded = type
          setFound({ type })
        },
        () => setError(new ApiError(0, LOST)),
      )
    }, [])
    if (error !== null) return <Fault error={error} retry={() => location.reload()} />
    return Found === null ? <Loading /> : <Found.type {...props} />
  }
}
