import type { ForwardResource } from '#contracts/forward.ts'
import type { Forward } from '#domain/forward/forward.ts'
import { instant, instantOrNull } from '#domain/time.ts'

/** A forward as the API shows it, without its credential. */
export function describeForward(forward: Forward): ForwardResource {
  const {
    accountId: _,
    credential,
    createdAt,
    disabledAt,
    failingSince,
    failedDays: _days,
    ...shown
  } = forward
  return {
    ...shown,
    hasCredential: credential !== null,
    disabledAt: instantOrNull(disabledAt),
    failingSince: instantOrNull(failingSince),
    createdAt: instant(createdAt),
  }
}
