import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiError, call, callPage, errorOf } from '#console/api.ts'
import { onNews, onNewsPaced } from '#console/live.ts'
import { patchMessage } from '#console/patch-message.ts'
import type { News } from '#contracts/live.ts'

export interface Resource<T> {
  readonly data: T | undefined
  readonly nextCursor: string | null
  readonly error: ApiError | null
  readonly isLoading: boolean
  reload(): void
  /** Deletes the resource. It is not fetched again: the news about its removal would cause a 404. */
  remove(): Promise<void>
}

interface CachedPage {
  readonly data: unknown
  readonly nextCursor: string | null
}

/** The last content of each path, so that a page that is opened again shows it at once. */
const cache = new Map<string, CachedPage>()
const CACHE_MAX = 100

/** What was kept under this name in this login. */
export function cached<T>(name: string): T | undefined {
  return cache.get(name)?.data as T | undefined
}

export function keep(name: string, data: unknown): void {
  cache.set(name, { data, nextCursor: null })
}

export function clearCache(): void {
  cache.clear()
}

/** Fetches `path` by GET, and again on news of these types. If `path` is null, nothing is fetched. */
export function useResource<T>(path: string | null, about: readonly News['type'][]): Resource<T> {
  const [, redraw] = useState(0)
  const [state, setState] = useState<{ path: string | null; error: ApiError | null; done: boolean }>({
    path: null,
    error: null,
    done: false,
  })
  const latest = useRef(path)
  latest.current = path
  const removed = useRef<string | null>(null)
  const running = useRef<Promise<void>>(Promise.resolve())
  const load = () => {
    running.current = Promise.all([running.current, fetchPage()]).then(() => undefined)
  }
  const fetchPage = async () => {
    if (path === null || removed.current === path) return
    try {
      const page = await callPage<T>('GET', path)
      if (cache.size >= CACHE_MAX) cache.clear()
      cache.set(path, page)
      if (latest.current === path) setState({ path, error: null, done: true })
    } catch (error) {
      if (latest.current === path) setState({ path, error: errorOf(error), done: true })
    }
    redraw(count => count + 1)
  }
  useEffect(() => {
    load()
    const stopPatches = onNews(about.includes('message') ? ['message'] : [], news => {
      const cached = path === null ? undefined : cache.get(path)
      const data = news.type === 'message' ? patchMessage(cached?.data, news) : null
      if (path === null || cached === undefined || data === null) return
      cache.set(path, { ...cached, data })
      redraw(count => count + 1)
    })
    const stopNews = onNewsPaced(about, load)
    return () => {
      stopPatches()
      stopNews()
    }
  }, [path])
  const cached = path === null ? undefined : cache.get(path)
  const isCurrent = state.path === path
  return {
    data: cached?.data as T | undefined,
    nextCursor: cached?.nextCursor ?? null,
    error: isCurrent ? state.error : null,
    isLoading: path !== null && cached === undefined && !(isCurrent && state.done),
    reload: load,
    async remove() {
      if (path === null) return
      removed.current = path
      try {
        // A call that is on its way could arrive after the removal.
        await running.current
        await call('DELETE', path)
      } catch (refused) {
        removed.current = null
        throw refused
      }
    },
  }
}

export interface Action {
  readonly busy: boolean
  readonly error: ApiError | null
  /** Runs the work. True: it succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>
}

/**
 * The action of a button. `busy`: it runs, and the page disables the button. `error`: why the last run
 * failed.
 */
export function useAction(): Action {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  return {
    busy,
    error,
    async run(work) {
      setBusy(true)
      setError(null)
      try {
        await work()
        return true
      } catch (thrown) {
        setError(errorOf(thrown))
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
