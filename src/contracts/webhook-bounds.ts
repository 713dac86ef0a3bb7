/** Bounds of a webhook's trigger history and of its summaries. */

/** Triggers kept in a webhook's history. */
export const SEEN_TRIGGERS_MAX = 20
/** Bytes kept of the last body: enough for ten Alertmanager alerts with their labels. */
export const KEPT_BODY_BYTES_MAX = 16_384
/** The history and the last body are kept for a week, long enough for senders that trigger once a week. */
export const SEEN_TRIGGERS_KEPT_MS = 604_800_000
/** If the summary of refused alerts cannot be sent, it is tried again after this time. */
export const OVERFLOW_RETRY_MS = 600_000
/** Different refused alerts that a listener counts for a webhook between two reports to the writer. */
export const HELD_ALERTS_MAX = 10_000
/** A wall clock that departs this far from the monotonic one was set by hand: NTP corrects it by less. */
export const WALL_JUMP_MS_MIN = 1000
