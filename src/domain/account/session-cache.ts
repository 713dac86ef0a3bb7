import { SESSION_SECRET_LENGTH_MAX } from '#contracts/bounds.ts'
import type { Principal } from '#domain/account/principal.ts'
import { type SessionReader, sessionEnd } from '#domain/account/session.ts'

/** The use of a session is written at most this often, because a page makes many calls. */
const SESSION_USE_NOTED_EVERY_MS = 86_400_000

/** How many sessions a thread caches. A database look-up and two hashes would cost 20 µs per request. */
const SESSIONS_MAX = 1000

export interface SessionHalves {
  readonly cookie: string
  readonly half: string
}

export interface SessionCachePorts {
  readonly reader: Pick<SessionReader, 'byCookie'>
  readonly generation: () => number
  readonly hash: (secret: string) => Uint8Array
  /** Compares two hashes in constant time. */
  readonly isSame: (one: Uint8Array, other: Uint8Array) => boolean
  readonly wallMs: () => number
  /** Asks the writer to record the use of a session. */
  readonly recordUse: (id: string) => void
}

interface Known {
  readonly principal: Principal
  /** Wall-clock time at which the session ends. */
  readonly endsAt: number
  /** Wall-clock time from which on the next use of the session must be recorded. */
  readonly noteAt: number
}

/** A cache from sessions to their owners. It is cleared when any credential or plan changes. */
export class SessionCache {
  readonly #ports: SessionCachePorts
  readonly #known = new Map<string, Known>()
  /** When the use of each session was last reported, so that a pending write is not requested again. */
  readonly #noted = new Map<string, number>()
  /** The generation to which the cached sessions belong. */
  #generation: number

  constructor(ports: SessionCachePorts) {
    this.#ports = ports
    this.#generation = ports.generation()
  }

  /** Both halves must match. */
  find({ cookie, half }: SessionHalves): Principal | undefined {
    if (cookie.length > SESSION_SECRET_LENGTH_MAX || half.length > SESSION_SECRET_LENGTH_MAX) return undefined
    const generation = this.#ports.generation()
    if (generation !== this.#generation || this.#known.size >= SESSIONS_MAX) {
      this.#known.clear()
      this.#generation = generation
    }
    const key = `${cookie} ${half}`
    const known = this.#known.get(key) ?? this.#read({ cookie, half })
    const now = this.#ports.wallMs()
    if (known === undefined || known.endsAt <= now) return undefined
    this.#known.set(key, known)
    this.#noteUse(known, now)
    return known.principal
  }

  #read({ cookie, half }: SessionHalves): Known | undefined {
    const { reader, hash, isSame } = this.#ports
    const found = reader.byCookie(hash(cookie))
    if (found === undefined || !isSame(found.halfHash, hash(half))) return undefined
    const { id, accountId, userId, role, plan, usedAt } = found
    const endsAt = sessionEnd(found)
    const session = { id, expiresAt: endsAt }
    return {
      principal: { accountId, plan, test: false, by: 'session', session, user: { id: userId, role } },
      endsAt,
      noteAt: usedAt + SESSION_USE_NOTED_EVERY_MS,
    }
  }

  #noteUse({ principal, noteAt }: Known, now: number): void {
    const id = principal.session?.id ?? ''
    if (now < noteAt || now < (this.#noted.get(id) ?? 0) + SESSION_USE_NOTED_EVERY_MS) return
    if (this.#noted.size >= SESSIONS_MAX) this.#noted.clear()
    this.#noted.set(id, now)
    this.#ports.recordUse(id)
  }
}
