import type { CompareTry } from '#contracts/commands.ts'
import type { VerifiedCodeResource, VerifyReason } from '#contracts/two-factor.ts'
import { checkCode, countFailure, macOf } from '#domain/two-factor/check-code.ts'
import { closeCode } from '#domain/two-factor/close-code.ts'
import type { World } from '#domain/world.ts'

/**
 * Compares a try with the code. Each try is compared once, after it was counted and committed. Of two correct
 * tries only the first succeeds. A try that came too late to be compared does not count as a failure of its
 * number.
 */
export function compareTry(world: World, input: CompareTry): VerifiedCodeResource {
  const { messageId, tryNumber } = input
  const code = world.twoFactor.find(world.tx, messageId)
  if (code === undefined || code.accountId !== input.accountId || code.test !== input.test)
    return refused('NOT_FOUND')
  const bit = 1 << (tryNumber - 1)
  if (tryNumber < 1 || tryNumber > code.tries || (code.compared & bit) !== 0)
    return refused('TOO_MANY_ATTEMPTS')
  world.twoFactor.save(world.tx, { ...code, compared: code.compared | bit })
  const reason = checkCode(world, code)
  if (reason !== null) {
    countFailure(world, code, -1)
    return refused(reason)
  }
  if (!world.source.isSameMac(code.mac, macOf(world, messageId, input.code))) return refused('WRONG_CODE')
  closeCode(world, messageId, 'used')
  countFailure(world, code, -1)
  return { verified: true, reason: null }
}

function refused(reason: VerifyReason): VerifiedCodeResource {
  return { verified: false, reason }
}
