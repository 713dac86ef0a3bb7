import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { onNewsPaced } from '#console/live-news.ts'
import { cached, keeper, useAction } from '#console/use-resource.ts'
import type { IncidentResource } from '#contracts/incident.ts'

const STATES = ['open', 'unanswered', 'taken'] as const
/** The name under which they are kept for a reader who comes back. */
const WAITING = 'incidents that are not closed'

/**
 * What is not closed: what waits first, the oldest of it on top. The lists are read together. Otherwise a
 * card would go away for a moment, and the focus with it, when somebody takes the alert.
 */
export function useIncidents() {
  const [incidents, setIncidents] = useState(() => cached<readonly IncidentResource[]>(WAITING))
  const { error, run } = useAction()
  const running = useRef<Promise<unknown>>(Promise.resolve())
  const read = () =>
    run(async () => {
      const keep = keeper()
      const lists = await Promise.all(
        STATES.map(state => call<readonly IncidentResource[]>('GET', `incidents?state=${state}&limit=50`)),
      )
      const all = [...new Map(lists.flat().map(one => [one.id, one])).values()].toSorted(
        (one, other) =>
          Number(one.state === 'taken') - Number(other.state === 'taken') ||
          one.openedAt.localeCompare(other.openedAt),
      )
      keep(WAITING, all)
      setIncidents(all)
    })
  const reload = () => {
    running.current = running.current.then(read)
  }
  useEffect(() => {
    reload()
    return onNewsPaced(['incident'], reload)
  }, [])
  return { data: incidents, isLoading: incidents === undefined && error === null, error, reload }
}
