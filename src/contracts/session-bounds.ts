/** Bounds of what people do in a browser: sessions and the news that a page gets. */

/** An unused session ends after this. */
export const SESSION_IDLE_MS = 30 * 86_400_000
/** However much it is used, a session ends after this. */
export const SESSION_LIFE_MS = 90 * 86_400_000
/** How often the use of a session is written, at most: a page makes many calls. */
export const SESSION_USE_NOTED_EVERY_MS = 86_400_000
/** Sessions of one account. A new one ends the least recently used. */
export const SESSIONS_PER_ACCOUNT_MAX = 50
/** Calls of one session a minute, none of them from the account's own bucket. */
export const SESSION_CALLS_PER_MINUTE = 600
/** Characters of a cookie or of its other half that are looked at; ours have 38. */
export const SESSION_SECRET_LENGTH_MAX = 64
/** How often the use of a key is written, at most: one write for many sends. */
export const KEY_USE_NOTED_EVERY_MS = 600_000
/** Life of a token made from a key, unless a shorter one is asked for. */
export const KEY_TOKEN_TTL_S_MAX = 86_400

/** Live sockets of one account, over all listeners: tabs and programs of one household. */
export const LIVE_SOCKETS_PER_ACCOUNT_MAX = 16
/** A socket that shows no session by then is closed. */
export const LIVE_HELLO_MS_MAX = 5_000
/** Between two frames to one account: four a second are more than anybody reads. */
export const LIVE_FRAME_EVERY_MS = 250
/** News of one frame; more become one `resync`, which is cheaper for both sides. */
export const LIVE_NEWS_PER_FRAME_MAX = 50
/** Bytes that may wait for a page that does not read, before its socket is closed. */
export const LIVE_BACKLOG_BYTES_MAX = 65_536
/** One frame of a page: its half of the session. */
export const LIVE_FRAME_BYTES_MAX = 1_024
/** Silence after which a socket is closed; browsers answer the pings before that by themselves. */
export const LIVE_IDLE_S = 60
/** Sockets of one listener that have not shown a session yet. */
export const LIVE_STRANGERS_MAX = 256
