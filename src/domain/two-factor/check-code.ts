import type { VerifyReason } from '#contracts/two-factor.ts'
import { dayOf } from '#domain/time.ts'
import type { CodeOwner, CodeRecord } from '#domain/two-factor/two-factor-store.ts'
import type { World } from '#domain/world.ts'

/** Tries that one code allows. */
const CODE_TRIES_MAX = 5
/**
 * Wrong tries for one number a day, over all of its codes, so that requesting new codes gives no more tries.
 */
const CODE_FAILURES_PER_NUMBER_PER_DAY_MAX = 20

/** Why even the correct code is refused now. Null: it is accepted. */
export function checkCode(world: Pick<World, 'openCodes' | 'now'>, code: CodeRecord): VerifyReason | null {
  if (code.state === 'used') return 'ALREADY_USED'
  const expiresAt = world.openCodes.expiresAt(code.messageId) ?? Number.NEGATIVE_INFINITY
  return code.state !== 'open' || expiresAt <= world.now.monoMs ? 'EXPIRED' : null
}

/** Whether the code's five tries or the number's twenty failures of the day are used up. */
export function isOutOfTries(world: World, code: CodeRecord): boolean {
  const failures = world.twoFactor.failuresOn(world.tx, code, dayOf(world.now.wallMs))
  return code.tries >= CODE_TRIES_MAX || failures >= CODE_FAILURES_PER_NUMBER_PER_DAY_MAX
}

/** Counts one more failure of the number today, or, with -1, one fewer. */
export function countFailure(world: World, owner: CodeOwner, step: 1 | -1): void {
  const day = dayOf(world.now.wallMs)
  const failures = Math.max(0, world.twoFactor.failuresOn(world.tx, owner, day) + step)
  world.twoFactor.saveFailures(world.tx, owner, { day, failures })
}

/** A MAC of the code and the message id. Without the id, equal codes would have the same MAC. */
export function macOf(world: Pick<World, 'source'>, messageId: string, code: string): Uint8Array {
  return world.source.mac(`code ${messageId} ${code}`)
}
