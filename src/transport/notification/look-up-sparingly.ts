import {
  NOTIFICATION_LOOKUP_SLOW_MS,
  NOTIFICATION_ORIGINS_REMEMBERED_MAX,
} from '#contracts/notification-bounds.ts'
import type { ResolveName } from '#transport/notification/guarded-connector.ts'

/**
 * Asks a resolver so that names which hang leave room for the others. The system's has two threads for all of
 * them, in their order, and a question cannot be taken back: each attempt at a receiver whose name servers
 * are dead would leave one there for 10 s or more, and with two such receivers no name is found any more. So
 * a name is asked for once at a time, whoever wants it, and of those that were not found last, after long,
 * only one.
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
