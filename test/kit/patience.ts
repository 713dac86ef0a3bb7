/**
 * The limit of a test that would never end if what it waits for did not come. A busy machine must not reach
 * it: a test proves what comes, not how fast. Suites have no limit, because their tests add up.
 */
export const HANGS_AFTER_MS = 1_800_000
