/** Bounds of sessions, of the use of keys, and of the console's live socket. */

/** A session ends when it has not been used for 30 days … */
export const SESSION_IDLE_MS = 30 * 86_400_000
/** … and after 90 days in any case. */
export const SESSION_LIFE_MS = 90 * 86_400_000
/** The use of a session is written at most this often, because a page makes many calls. */
export const SESSION_USE_NOTED_EVERY_MS = 86_400_000
/** Sessions of one account. A further one ends the least recently used. */
export const SESSIONS_PER_ACCOUNT_MAX = 50
/** Calls a minute in one session. They do not count towards the plan's limit of the account. */
export const SESSION_CALLS_PER_MINUTE = 600
/** Longest half of a session's secret (cookie or header) that is read, characters; real ones have 38. */
export const SESSION_SECRET_LENGTH_MAX = 64
/** The use of a key is written at most this often: one write for many calls. */
export const KEY_USE_NOTED_EVERY_MS = 600_000
/** Longest life of a token made from a key, and the default. */
export const KEY_TOKEN_TTL_S_MAX = 86_400
/** Life of a refresh token: longer than a month, for programs that run once a month. */
export const KEY_TOKEN_REFRESH_TTL_S = 31 * 86_400
/** Chains of tokens from one key. A further one ends the chain that would end first. */
export const KEY_TOKEN_CHAINS_MAX = 5000

/** Live sockets of one account on all listeners together: the browser tabs of one household. */
export const LIVE_SOCKETS_PER_ACCOUNT_MAX = 16
/** A live socket that has not authenticated with a session after this time is closed. */
export const LIVE_HELLO_MS_MAX = 5_000
/** Pause between two frames to one account: more than four updates a second would not help a reader. */
export const LIVE_FRAME_EVERY_MS = 250
/** Items of news in one frame. If there are more, one `resync` replaces them: cheaper for both sides. */
export const LIVE_NEWS_PER_FRAME_MAX = 50
/** Bytes that may wait for a page that has stopped reading; with more, its socket is closed. */
export const LIVE_BACKLOG_BYTES_MAX = 65_536
/** Largest frame from a page: it sends only its half of the session's secret. */
export const LIVE_FRAME_BYTES_MAX = 1_024
/** A socket is closed after this silence. Browsers answer the gateway's pings by themselves. */
export const LIVE_IDLE_S = 60
/** Sockets of one listener that may be open without an authenticated session. */
export const LIVE_UNAUTHENTICATED_MAX = 256
