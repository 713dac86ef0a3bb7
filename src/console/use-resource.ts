import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type ApiError, call, callPage, errorOf } from '#console/api.ts'
import { awaySince, newsHeard, onNews, onNewsPaced } from '#console/live-news.ts'
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

/** The last content of each path of this login. A page that is opened again shows it at once. */
let cache = new Map<string, CachedPage>()
const CACHE_MAX = 100

/** What was kept under this name in this login. */
export function cached<T>(name: string): T | undefined {
  return cache.get(name)?.data as T | undefined
}

/** Keeps data for this login. Ask for it before the call that fetches the data. */
export function keeper(): (name: string, data: unknown) => void {
  const own = cache
  return (name, data) => void own.set(name, { data, nextCursor: null })
}

export function clearCache(): void {
  cache = new Map()
  flights.clear()
}

interface Flight {
  readonly page: Promise<CachedPage>
  /** The news that had come when it began. */
  readonly heard: number
}

/** The calls that are on their way. What one part of a page has just asked for, another part does not. */
const flights = new Map<string, Flight>()

function fetchShared(path: string, mayJoin: boolean): Promise<CachedPage> {
  const known = flights.get(path)
  // An answer from before the last news would be old.
  if (mayJoin && known?.heard === newsHeard) return known.page
  return startFlight(path, false).page
}

/** @param isEarly its answer also counts after it has come, until the first news */
function startFlight(path: string, isEarly: boolean): Flight {
  const flight = { page: callPage<unknown>('GET', path), heard: newsHeard }
  flights.set(path, flight)
  const land = () => void (!isEarly && flights.get(path) === flight && flights.delete(path))
  flight.page.then(land, land)
  return flight
}

/** Fetches what the first page will ask for, while the session is still asked for. */
export function fetchEarly(paths: readonly string[]): void {
  for (const path of paths) {
    const flight = startFlight(path, true)
    flight.page.then(
      page => void (flights.get(path) === flight && cache.set(path, page)),
      () => flights.delete(path),
    )
  }
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
  const load = (mayJoin = false) => {
    running.current = Promise.all([running.current, fetchPage(mayJoin)]).then(() => undefined)
  }
  const fetchPage = async (mayJoin: boolean) => {
    if (path === null || removed.current === path) return
    const own = cache
    try {
      const page = await fetchShared(path, mayJoin)
      if (own !== cache) return
      if (cache.size >= CACHE_MAX) cache.clear()
      cache.set(path, page)
      if (latest.current === path) setState({ path, error: null, done: true })
    } catch (error) {
      if (own === cache && latest.current === path) setState({ path, error: errorOf(error), done: true })
    }
    redraw(count => count + 1)
  }
  // Before the page is painted: what was fetched early is drawn at once, and the rest is asked for sooner.
  useLayoutEffect(() => {
    load(true)
    const stopPatches = onNews(about.includes('message') ? ['message'] : [], news => {
      const cached = path === null ? undefined : cache.get(path)
      const data = news.type === 'message' ? patchMessage(cached?.data, news) : null
      if (path === null || cached === undefined || data === null) return
      cache.set(path, { ...cached, data })
      redraw(count => count + 1)
    })
    const stopNews = onNewsPaced(about, () => load())
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
    reload: () => load(),
    async remove() {
      if (path === null) return
      removed.current = path
      try {
        // A call that is on its way could arrive after the removal.
        await running.current
        await call('DELETE', path)
        // Its list is fetched anew before it is drawn.
        const list = path.slice(0, path.lastIndexOf('/'))
        for (const known of [cache, flights])
          for (const key of known.keys()) if (key.split('?')[0] === list) known.delete(key)
      } catch (refused) {
        removed.current = null
        throw refused
      }
    },
  }
}

export interface Action {
  readonly busy: boolean
  readonly isRunning: boolean
  readonly error: ApiError | null
  /** Runs the work. True: it succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>
}

/**
 * The action of a button. `busy`: it runs, or the gateway is away, and the page disables the button.
 * `isRunning`: it runs. `error`: why the last run failed.
 */
export function useAction(): Action {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  return {
    busy: busy || awaySince.value !== null,
    isRunning: busy,
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
