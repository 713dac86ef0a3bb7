/** Bounds of what people do in a browser: sessions and the news that a page gets. */

/** A session that nobody uses ends after this. */
export const SESSION_IDLE_MS = 30 * 86_400_000
/** However much it is used, a session ends after this. */
export const SESSION_LIFE_MS = 90 * 86_400_000
/** How often the use of a session is written, at most: a page makes many calls. */
export const SESSION_USE_NOTED_EVERY_MS = 86_400_000
/** Sessions of one account; a new one ends the one that was used longest ago. */
export const SESSIONS_PER_ACCOUNT_MAX = 50
/** Calls of one session a minute, none of them from the account's own bucket. */
export const SESSION_CALLS_PER_MINUTE = 600
/** Characters of a cookie or of its other half that are looked at; ours have 38. */
export const SESSION_SECRET_LENGTH_MAX = 64
/** How often the use of a key is written, at most: one write for many sends. */
export const KEY_USE_NOTED_EVERY_MS = 600_000
