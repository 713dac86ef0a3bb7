import {
  NOTIFICATION_LOOKUP_SLOW_MS,
  NOTIFICATION_ORIGINS_REMEMBERED_MAX,
} from '#contracts/notification-bounds.ts'
import type { ResolveName } from '#transport/notification/guarded-connector.ts'

/**
 * Resolves names so that names which hang leave room for the others. The system's resolver has two threads
 * for all names, and a look-up cannot be cancelled: each attempt at a receiver with dead name servers
 * occupies one for 10 s or more, so two such receivers would block all names. So there is one look-up at a
 * time for a name, however many want it, and of the names whose last look-up was slow and failed only one
 * is looked up at a time.
 */
export function lookUpSparingly(resolve: ResolveName, monotonicMs: () => number): ResolveName {
  const underWay = new Map<string, Promise<readonly string[]>>()
  const slow = new Set<string>()
  let slowOnes: Promise<unknown> = Promise.resolve()

  const remember = (name: string) => {
    slow.add(name)
    const [oldest] = slow
    if (oldest !== undefined && slow.size > NOTIFICATION_ORIGINS_REMEMBERED_MAX) slow.delete(oldest)
  }
  const ask = async (name: string) => {
    const askedMs = monotonicMs()
    try {
      const addresses = await resolve(name)
      // However late: it may have waited for a thread behind others that are slow.
      slow.delete(name)
      return addresses
    } catch (error) {
      slow.delete(name)
      if (monotonicMs() - askedMs >= NOTIFICATION_LOOKUP_SLOW_MS) remember(name)
      throw error
    } finally {
      underWay.delete(name)
    }
  }
  const askInTurn = (name: string) => {
    const answer = slowOnes.then(() => ask(name))
    slowOnes = answer.catch(() => {})
    return answer
  }
  return name => {
    const known = underWay.get(name)
    if (known !== undefined) return known
    const answer = slow.has(name) ? askInTurn(name) : ask(name)
    underWay.set(name, answer)
    return answer
  }
}
