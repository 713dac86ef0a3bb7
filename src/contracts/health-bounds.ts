/** Bounds of the health rules (`domain/health`) and of the alarms that they raise. */

/** Interval at which the health rules run. */
export const HEALTH_CHECK_EVERY_MS = 5_000
/** Interval at which the main thread reads disk space and certificates. */
export const MACHINE_READ_EVERY_MS = 60_000
/** Accounts checked in one run; the next run continues after them. Each account takes a few small reads. */
export const HEALTH_ACCOUNTS_PER_CHECK_MAX = 50
/** A shorter absence of a phone is not a problem: it may be in a tunnel or restarting. */
export const DEVICE_OFFLINE_MS_MIN = 600_000
/** Battery level at which a problem is a warning, percent … */
export const BATTERY_LOW_PERCENT = 20
/** … and at which it is critical. */
export const BATTERY_EMPTY_PERCENT = 10
/** A text that waits longer than this in the queue is a problem. */
export const QUEUE_WAIT_MS_MAX = 600_000
/** The rule for failing messages reads this many of a phone's last texts … */
export const OUTCOMES_PER_PHONE = 10
/** … and reports a problem when at least this many of them failed. */
export const FAILURES_PER_PHONE = 3
/** Texts that a phone took and did not report as sent within a minute; so many are a problem. */
export const OVERDUE_PER_PHONE = 3
/** Texts of one account that are read to find the last ones of each phone. */
export const OUTCOMES_READ_MAX = 200
/** A failed or unknown outcome counts as a current problem for this long. */
export const OUTCOME_LISTED_MS = 86_400_000
/** Texts counted for OUTCOME_UNKNOWN or RETRY_BRAKE; with more, the problem says "at least" this many. */
export const TEXTS_TO_CHECK_READ_MAX = 1_000
/** An alert that a webhook's cap refused counts as a current problem for this long. */
export const OVER_CAP_LISTED_MS = 3_600_000
/** Used share of a daily quota at which a warning appears. */
export const QUOTA_NEARLY_USED_RATIO = 0.8
/** Notifications must fail for this long to be a problem: a receiver may just be restarting. */
export const NOTIFICATIONS_FAILING_MS_MIN = 3_600_000
export const DISK_FREE_BYTES_MIN = 500_000_000
/** Lost commits are critical for a day: revocations are lost, and the outcome of some texts is unknown. */
export const COMMITS_LOST_CRITICAL_MS = 86_400_000
/** After that, lost commits stay listed as a warning, until a week after they were found. */
export const COMMITS_LOST_LISTED_MS = 7 * 86_400_000
export const CERTIFICATE_LEFT_MS_MIN = 14 * 86_400_000
/** A clock before this date is wrong, as on a board without a battery that has not reached a time server. */
export const CLOCK_MS_MIN = Date.UTC(2025, 0, 1)
/** The clock counts as slow when the newest text is further ahead than this; time servers correct less. */
export const CLOCK_BEHIND_MS_MAX = 300_000
/**
 * A text further ahead than this was stored while the clock was wrong; it says nothing about the clock now.
 */
export const CLOCK_BEHIND_BELIEVED_MS_MAX = 7 * 86_400_000
/**
 * The clock counts as wrong when it is further ahead of its last known time than this. Retention then removes
 * nothing, for as long as this at most.
 */
export const CLOCK_AHEAD_MS_MAX = 7 * 86_400_000
/** Alarm texts and alarm tests in any 60 minutes, to all recipients together. */
export const ALARM_TEXTS_PER_HOUR_MAX = 6
/** Recipients of alarms: with more, a single alarm would exceed `ALARM_TEXTS_PER_HOUR_MAX`. */
export const ALARM_RECIPIENTS_MAX = 6
/** An alarm clears when its problem stays away this long. Each return within a day doubles the time … */
export const ALARM_CLEAR_MS_MIN = 60_000
/** … up to this, so that a problem that comes and goes causes at most one text an hour. */
export const ALARM_CLEAR_MS_MAX = 3_600_000
/** An alarm that was raised again within this time counts as returned. */
export const ALARM_RETURN_MS = 86_400_000
/** Time to live of an alarm text. */
export const ALARM_TTL_MS = 86_400_000
/** Characters of an alarm text: three GSM-7 segments (3 × 153). */
export const ALARM_TEXT_LENGTH_MAX = 459
/** Interval of the calls to `alarms.heartbeat_url`. */
export const HEARTBEAT_EVERY_MS = 60_000
