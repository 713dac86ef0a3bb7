/** The bounds of notifications, with their reasons; the others are in `limits.ts`. */

/** Waits before the first, second, … attempt of a notification: 27.6 hours in all. The first is immediate. */
export const NOTIFICATION_RETRY_DELAYS_MS: readonly number[] = [
  0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000,
]
/** A fifth up or down, so that what failed together does not come back together. */
export const NOTIFICATION_RETRY_JITTER = 0.2
/** A receiver may ask for a pause this long; more would outlive the retention of what it wants to hear. */
export const NOTIFICATION_RETRY_AFTER_MS_MAX = 86_400_000
/** An attempt that never began, because the gateway was full or stopping, is made again after this. */
export const NOTIFICATION_POSTPONE_MS = 1_000
/** A target without one success for five days is disabled. */
export const NOTIFICATION_FAILING_MS_MAX = 432_000_000
/** Name resolution, TCP and TLS together. */
export const NOTIFICATION_CONNECT_MS_MAX = 5_000
/** One address of a name that has others; Node's 250 ms are less than a round trip on a slow mobile link. */
export const NOTIFICATION_ADDRESS_MS_MAX = 1_000
/** A name that is not found after so long waits for others like it at the next attempt. */
export const NOTIFICATION_LOOKUP_SLOW_MS = 1_000
/** One exchange from its slot to the last byte of the answer. */
export const NOTIFICATION_EXCHANGE_MS_MAX = 15_000
/** Bytes of an answer that are read before its connection is dropped; only the status is of interest. */
export const NOTIFICATION_ANSWER_BYTES_MAX = 65_536
/** Bytes of a receiver's answer kept in the delivery log: enough for its error message. */
export const NOTIFICATION_ANSWER_KEPT_BYTES_MAX = 1024
/** Exchanges at the same time, in all and with one origin. As many idle connections again may be open. */
export const NOTIFICATION_SLOTS = 64
export const NOTIFICATION_SLOTS_PER_ORIGIN = 4
/** Deliveries that wait for a slot, in all and for one origin; more are postponed. */
export const NOTIFICATION_WAITING_MAX = 1024
export const NOTIFICATION_WAITING_PER_ORIGIN_MAX = 256
/** Of these slots, kept for origins whose last exchange did not hang. */
export const NOTIFICATION_SLOTS_FOR_WELL = 16
/** Origins remembered for having hung, and as many for not having hung. */
export const NOTIFICATION_ORIGINS_REMEMBERED_MAX = 4096
/** Below the 5 s after which many servers close an idle connection: a request never meets a closing one. */
export const NOTIFICATION_KEEP_ALIVE_MS = 4_000

// Outbox of notifications

/** Deliveries that the sender holds at once, bodies of at most some kilobytes each: a few megabytes. */
export const NOTIFICATIONS_IN_HAND_MAX = 512
/** Of one target whose last delivery succeeded: enough for its slots while the next batch is fetched. */
export const NOTIFICATIONS_IN_HAND_WELL = 64
/** Of any other target, unknown ones included: 200 that hang then leave more than half to the others. */
export const NOTIFICATIONS_IN_HAND_UNPROVEN = 1
/** Targets remembered for having been well; a forgotten one has to prove it again. */
export const NOTIFICATION_LANES_REMEMBERED_MAX = 4096
/** Targets of which it is known when something is due; the others are read when the first of them is. */
export const NOTIFICATION_LANES_KNOWN_MAX = 4096
/** Targets looked at for one hand-over, some microseconds each; the next one goes on from there. */
export const NOTIFICATION_LANES_LOOKED_AT_MAX = 1024
/** When more targets than that wait, the next ones are looked at after this: callers have their turn. */
export const NOTIFICATION_LANES_PAUSE_MS = 50
/** Attempts kept with a delivery: two whole rounds of the schedule and some replays by hand. */
export const NOTIFICATION_ATTEMPTS_LOGGED_MAX = 32
/** Deliveries cancelled at once when their target is given up, for the same reason as the next. */
export const NOTIFICATIONS_CANCELLED_MAX = 1_000
/** Deliveries that one call sets off again: bounds the time that others wait behind it. */
export const NOTIFICATIONS_REPLAYED_MAX = 10_000
/** How long a finished delivery can be looked up and replayed, unless its message is kept for less. */
export const NOTIFICATIONS_KEPT_DAYS = 30
/** A wall clock that gains this much on the monotonic one was set; less is a clock that is being trimmed. */
export const NOTIFICATION_CLOCK_SET_MS_MIN = 60_000
/** How long a stopping gateway waits for deliveries in progress; the rest stay pending. */
export const NOTIFICATION_STOP_MS_MAX = 3_000
/** Signing a full hand takes some milliseconds; this is for a pool that hangs. */
export const NOTIFICATION_SIGN_MS_MAX = 5_000
/** Pause of the sender after the writer refused it. */
export const NOTIFICATION_WRITER_RETRY_MS = 1_000
