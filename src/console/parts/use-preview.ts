import { useEffect, useState } from 'preact/hooks'
import { call, errorOf, isLoggedOut } from '#console/api.ts'

const PREVIEW_AFTER_MS = 250

export interface Previewed {
  readonly message: string
  readonly format: string
}

/** The text that an alert becomes, updated while a person changes the request. Null: nothing to preview. */
export function usePreview(request: object | null) {
  const [text, setText] = useState<Previewed | null>(null)
  const [fault, setFault] = useState('')
  const json = JSON.stringify(request)
  useEffect(() => {
    if (request === null) return
    let isStale = false
    const timer = setTimeout(() => {
      call<Previewed>('POST', 'webhooks/preview', request).then(
        preview => {
          if (isStale) return
          setText(preview)
          setFault('')
        },
        error => {
          if (!isStale && !isLoggedOut.value) setFault(errorOf(error).message)
        },
      )
    }, PREVIEW_AFTER_MS)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [json])
  return { text, fault }
}
