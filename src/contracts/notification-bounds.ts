/** Bounds of notifications and of their delivery. */

/** Waits before the first, second, … attempt to deliver a notification: 27.6 hours in all. */
export const NOTIFICATION_RETRY_DELAYS_MS: readonly number[] = [
  0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000,
]
/** Each wait varies by up to a fifth, so that deliveries that failed together are not retried together. */
export const NOTIFICATION_RETRY_JITTER = 0.2
/**
 * Longest `Retry-After` that is respected. A longer one counts as a day, so that one wrong answer cannot
 * block a delivery for months.
 */
export const NOTIFICATION_RETRY_AFTER_MS_MAX = 86_400_000
/** Delay after an attempt that was not made, because the gateway was full or stopping. */
export const NOTIFICATION_POSTPONE_MS = 1_000
/** Notifications of an account are disabled when deliveries have failed for five days without a success. */
export const NOTIFICATION_FAILING_MS_MAX = 432_000_000
/** Time limit of name resolution, TCP connection and TLS handshake together. */
export const NOTIFICATION_CONNECT_MS_MAX = 5_000
/**
 * If a name has several addresses: how long one is tried before the next. Node's default, 250 ms, is too
 * short for slow mobile links.
 */
export const NOTIFICATION_ADDRESS_MS_MAX = 1_000
/** A name whose look-up fails after this long is slow; only one slow name is looked up at a time. */
export const NOTIFICATION_LOOKUP_SLOW_MS = 1_000
/** Time limit of one attempt, from the moment it gets a slot to the last byte of the answer. */
export const NOTIFICATION_ATTEMPT_MS_MAX = 15_000
/** Bytes of an answer that are read; with more, the connection is dropped: only the status matters. */
export const NOTIFICATION_ANSWER_BYTES_MAX = 65_536
/** Bytes of a receiver's answer kept in the delivery log: enough for its error message. */
export const NOTIFICATION_ANSWER_KEPT_BYTES_MAX = 1024
/** Attempts that run at the same time: in all, and to one origin. As many idle connections may be open. */
export const NOTIFICATION_SLOTS = 64
export const NOTIFICATION_SLOTS_PER_ORIGIN = 4
/** Deliveries that may wait for a slot: in all, and for one origin. Further ones are postponed. */
export const NOTIFICATION_WAITING_MAX = 1024
export const NOTIFICATION_WAITING_PER_ORIGIN_MAX = 256
/** Origins remembered as slow, and as many host names as slow to look up. */
export const NOTIFICATION_ORIGINS_REMEMBERED_MAX = 4096
/** Idle connections are closed after this: many servers close them after 5 s, which could break a request. */
export const NOTIFICATION_KEEP_ALIVE_MS = 4_000

// Outbox of notifications. A lane is the queue of one target: an account's URL, or an origin (scheme, host,
// port) that messages of the account name in their own URLs.

/** Deliveries that the sender holds at once: a few MB, because each body has at most some kB. */
export const NOTIFICATIONS_HELD_MAX = 512
/** How many of these may be for one target whose last delivery succeeded: enough to keep its slots busy. */
export const NOTIFICATIONS_HELD_PROVEN = 64
/** How many of these may be for any other target: even 200 unresponsive targets hold less than half. */
export const NOTIFICATIONS_HELD_UNPROVEN = 1
/** Targets remembered for a successful last delivery; a forgotten one counts as unproven again. */
export const NOTIFICATION_LANES_REMEMBERED_MAX = 4096
/**
 * Targets in memory, with the time at which each is due: those due first. The others are read from the
 * database once the first of them is due.
 */
export const NOTIFICATION_LANES_KNOWN_MAX = 4096
/** Targets visited in one exchange with the sender, some µs each. The next exchange visits the others. */
export const NOTIFICATION_LANES_VISITED_MAX = 1024
/** Pause between two such exchanges while more targets wait, so that other callers are served. */
export const NOTIFICATION_LANES_PAUSE_MS = 50
/** Attempts kept in a delivery's log: two full schedules and some manual replays. */
export const NOTIFICATION_ATTEMPTS_LOGGED_MAX = 32
/** Deliveries cancelled in one transaction when their target is removed or disabled: other callers wait. */
export const NOTIFICATIONS_CANCELLED_MAX = 1_000
/** Deliveries that one call replays: other callers wait for its transaction. */
export const NOTIFICATIONS_REPLAYED_MAX = 10_000
/** How long a finished delivery can be looked up and replayed, unless its message is kept for less. */
export const NOTIFICATIONS_KEPT_DAYS = 30
/** A wall clock that gets this far ahead of the monotonic one was set by hand: NTP corrects it by less. */
export const NOTIFICATION_CLOCK_SET_MS_MIN = 60_000
/** How long a stopping gateway waits for deliveries in progress; the others stay pending. */
export const NOTIFICATION_STOP_MS_MAX = 3_000
/** Time limit of signing, which normally takes some ms: only a pool that hangs exceeds it. */
export const NOTIFICATION_SIGN_MS_MAX = 5_000
/** Pause of the sender after the writer refused an exchange. */
export const NOTIFICATION_WRITER_RETRY_MS = 1_000
