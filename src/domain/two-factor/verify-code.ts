import type { CompareTry, CountedTry, CountTry } from '#contracts/commands.ts'
import type { VerifiedCodeResource, VerifyReason } from '#contracts/two-factor.ts'
import { checkCode, countFailure, isOutOfTries, macOf } from '#domain/two-factor/check-code.ts'
import { closeCode } from '#domain/two-factor/close-code.ts'
import type { CodeRecord } from '#domain/two-factor/two-factor-store.ts'
import type { World } from '#domain/world.ts'

/**
 * Counts a try to verify a code. The try counts as a failure until its comparison succeeds. The caller gets
 * the number of the try after the commit, and needs it for the comparison, which is a second command. So a
 * crash may cost a try but never adds one, and of any number of simultaneous guesses only five are compared.
 */
export function countTry(world: World, input: CountTry): CountedTry {
  const code = findCode(world, input)
  if (code === undefined) return { reason: 'NOT_FOUND' }
  const reason = checkCode(world, code)
  if (reason !== null) return { reason }
  if (isOutOfTries(world, code)) return { reason: 'TOO_MANY_ATTEMPTS' }
  const tryNumber = code.tries + 1
  world.twoFactor.save(world.tx, { ...code, tries: tryNumber })
  countFailure(world, code, 1)
  return { reason: null, messageId: code.messageId, tryNumber }
}

/** Finds the code. A code of another account, or of the other mode (live or test), counts as unknown. */
function findCode(world: World, { accountId, test, by }: CountTry): CodeRecord | undefined {
  if ('phoneNumber' in by)
    return world.twoFactor.findNewest(world.tx, { accountId, test, phoneNumber: by.phoneNumber })
  const code = world.twoFactor.find(world.tx, by.messageId)
  return code?.accountId === accountId && code.test === test ? code : undefined
}

/**
 * Compares a try with the code. Each try is compared once, after it was counted and committed. Of two correct
 * tries only the first succeeds. A try that came too late to be compared does not count as a failure of its
 * number.
 */
export function compareTry(world: World, input: CompareTry): VerifiedCodeResource {
  const { messageId, tryNumber } = input
  const code = findCode(world, { ...input, by: { messageId } })
  if (code === undefined) return refused('NOT_FOUND')
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
