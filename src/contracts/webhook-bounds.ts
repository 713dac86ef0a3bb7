/** Bounds of the trigger history of a webhook. */

/** Triggers of a webhook that its owner can look at. */
export const SEEN_TRIGGERS_MAX = 20
/** Of the last body: a group of ten alerts of Alertmanager with its labels. */
export const KEPT_BODY_BYTES_MAX = 16_384
/** Triggers and the last body are kept for a week: a sender of weekly reports can be looked into. */
export const SEEN_TRIGGERS_KEPT_MS = 604_800_000
/** When a summary of held alerts could not be sent, it is tried again after this. */
export const OVERFLOW_RETRY_MS = 600_000
/** Different alerts counted for a webhook between two commands to the writer. */
export const HELD_ALERTS_MAX = 10_000
/** A wall clock that moves this far from the monotonic one was set; less is NTP trimming it. */
export const WALL_JUMP_MS_MIN = 1000
