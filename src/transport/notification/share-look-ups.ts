import { NOTIFICATION_ORIGINS_REMEMBERED_MAX } from '#contracts/bounds.ts'
import type { ResolveName } from '#transport/notification/guarded-connector.ts'

/** A name whose look-up fails after this long is slow; only one slow name is looked up at a time. */
export const NOTIFICATION_LOOKUP_SLOW_MS = 1_000

/**
 * Resolves names so that unresponsive name servers do not block other names. The system's resolver has two
 * threads for all names, and a look-up cannot be cancelled. Each look-up at a dead name server occupies a
 * thread for 10 s or more, so two such names would block all others. Therefore callers share one look-up of
 * the same name. Names whose last look-up failed slowly are looked up one at a time.
 */
export function shareLookUps(resolve: ResolveName, monotonicMs: () => number): ResolveName {
  const running = new Map<string, Promise<readonly string[]>>()
  const slow = new Set<string>()
  let lastSlow: Promise<unknown> = Promise.resolve()

  const remember = (name: string) => {
    slow.add(name)
    const [oldest] = slow
    if (oldest !== undefined && slow.size > NOTIFICATION_ORIGINS_REMEMBERED_MAX) slow.delete(oldest)
  }
  const lookUp = async (name: string) => {
    const startedMs = monotonicMs()
    try {
      const addresses = await resolve(name)
      // A late success is no sign of a slow name server: the look-up may have waited for a thread.
      slow.delete(name)
      return addresses
    } catch (error) {
      slow.delete(name)
      if (monotonicMs() - startedMs >= NOTIFICATION_LOOKUP_SLOW_MS) remember(name)
      throw error
    } finally {
      running.delete(name)
    }
  }
  const lookUpInTurn = (name: string) => {
    const answer = lastSlow.then(() => lookUp(name))
    lastSlow = answer.catch(() => {})
    return answer
  }
  return name => {
    const known = running.get(name)
    if (known !== undefined) return known
    const answer = slow.has(name) ? lookUpInTurn(name) : lookUp(name)
    running.set(name, answer)
    return answer
  }
}
