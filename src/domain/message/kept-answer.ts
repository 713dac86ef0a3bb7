/**
 * Answers kept for an Idempotency-Key. The database stores a MAC of the body, not a bare hash. A body may
 * contain a number and a short code, which an attacker could find from a bare hash by trying all of them.
 */

import { IDEMPOTENCY_KEPT_MS } from '#contracts/bounds.ts'
import type { AcceptedMessage, AcceptMessage } from '#contracts/commands.ts'
import { Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

type Idempotency = AcceptMessage['idempotency']

/**
 * The answer to the first request with this key, as JSON. If this is the first, or there is no key, it makes
 * the answer, and keeps it in the same transaction.
 *
 * @throws Problem IDEMPOTENCY_MISMATCH if the key was used for another request
 */
export function answerOnce(world: World, idempotency: Idempotency, make: () => object): AcceptedMessage {
  const kept = idempotency === null ? null : keptAnswer(world, idempotency)
  if (kept !== null) return { answer: kept, replayed: true }
  const answer = JSON.stringify(make())
  if (idempotency === null) return { answer, replayed: false }
  const { scope, key, bodyHash } = idempotency
  const toKeep = { bodyHash: macOfBody(world, bodyHash), answer, at: world.now.wallMs }
  world.messages.keepAnswer(world.tx, { scope, key }, toKeep)
  return { answer, replayed: false }
}

function keptAnswer(world: World, idempotency: NonNullable<Idempotency>): string | null {
  const { scope, key } = idempotency
  const kept = world.messages.keptAnswer(world.tx, { scope, key }, world.now.wallMs - IDEMPOTENCY_KEPT_MS)
  if (kept === undefined) return null
  if (kept.bodyHash !== macOfBody(world, idempotency.bodyHash))
    throw new Problem(
      'IDEMPOTENCY_MISMATCH',
      'this Idempotency-Key was used with another body or endpoint: use a new key for a new message',
    )
  return kept.answer
}

function macOfBody(world: Pick<World, 'source'>, bodyHash: string): string {
  return Array.from(world.source.mac(`body ${bodyHash}`), byte => byte.toString(16).padStart(2, '0')).join('')
}
