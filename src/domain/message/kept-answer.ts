/**
 * Answers kept for an Idempotency-Key. The database stores a MAC of the body, not a bare hash. A body may
 * contain a number and a short code, which an attacker could find from a bare hash by trying all of them.
 */

import { IDEMPOTENCY_KEPT_MS } from '#contracts/bounds.ts'
import type { AcceptMessage } from '#contracts/commands.ts'
import { Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

type Idempotency = AcceptMessage['idempotency']

/**
 * The JSON of the answer to the first request with this key. Null: this is the first, or there is no key.
 *
 * @throws Problem IDEMPOTENCY_MISMATCH if the key was used for another request
 */
export function keptAnswer(world: World, idempotency: Idempotency): string | null {
  if (idempotency === null) return null
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

/** Stores the JSON of an answer, in the transaction that made the answer. */
export function keepAnswer(world: World, idempotency: Idempotency, answer: string): void {
  if (idempotency === null) return
  const { scope, key } = idempotency
  const bodyHash = macOfBody(world, idempotency.bodyHash)
  const kept = { bodyHash, answer, at: world.now.wallMs }
  world.messages.keepAnswer(world.tx, { scope, key }, kept)
}

function macOfBody(world: Pick<World, 'source'>, bodyHash: string): string {
  return Array.from(world.source.mac(`body ${bodyHash}`), byte => byte.toString(16).padStart(2, '0')).join('')
}
