import type { AccountFacts } from '#domain/health/facts.ts'

/** The facts of an account where no incident waits and each policy works. */
export const CALM_ON_CALL: AccountFacts['onCall'] = {
  waiting: [],
  policies: [],
  overCap: [],
  isDayOver: false,
  canHearAnswers: true,
  canRing: true,
}
