/** Bounds of the rules that say what is wrong (`domain/health`). */

/** How often the rules look at the gateway by themselves. */
export const HEALTH_LOOK_EVERY_MS = 5_000
/** How often disk space and certificates are read again. */
export const MACHINE_LOOK_EVERY_MS = 60_000
/** Accounts looked at each time, in turn: a few small reads each, so callers hardly wait. */
export const HEALTH_ACCOUNTS_PER_LOOK_MAX = 50
/** A phone that is away for less may be on its way through a tunnel or a restart. */
export const DEVICE_OFFLINE_MS_MIN = 600_000
/** Percent. */
export const BATTERY_LOW_PERCENT = 20
export const BATTERY_EMPTY_PERCENT = 10
/** A text that waits for longer is late for whoever should read it. */
export const QUEUE_WAIT_MS_MAX = 600_000
/** So many of a phone's last texts are looked at … */
export const OUTCOMES_PER_PHONE = 10
/** … and so many of them may not fail. */
export const FAILURES_PER_PHONE = 3
/** Texts of an account read to find the last ones of each phone. */
export const OUTCOMES_READ_MAX = 200
/** What a text came to is news for this long. */
export const OUTCOME_NEWS_MS = 86_400_000
/** Texts whose outcome is unknown that are counted; more are told as this many. */
export const ODD_ENDS_READ_MAX = 1_000
export const OVER_CAP_NEWS_MS = 3_600_000
/** Part of a day's quota. */
export const QUOTA_NEARLY_USED_RATIO = 0.8
/** Receivers restart: failures that are over sooner are no problem. */
export const NOTIFICATIONS_FAILING_MS_MIN = 3_600_000
export const DISK_FREE_BYTES_MIN = 500_000_000
/** Lost commits are past: they are told for a week, so that whoever looks in sees them. */
/** Tokens ended and texts are in doubt: the first day somebody must look at it, and at the disk. */
export const COMMITS_LOST_CRITICAL_MS = 86_400_000
export const COMMITS_LOST_NEWS_MS = 7 * 86_400_000
export const CERTIFICATE_LEFT_MS_MIN = 14 * 86_400_000
/** An earlier time was before this program: the machine has no clock and has not asked a time server. */
export const CLOCK_MS_MIN = Date.UTC(2025, 0, 1)
/** The newest text may be this far ahead of the clock: time servers correct by less. */
export const CLOCK_BEHIND_MS_MAX = 300_000
/** A text this far ahead was made when the clock was wrong, not now. */
export const CLOCK_BEHIND_BELIEVED_MS_MAX = 7 * 86_400_000
/** Texts about alarms and tests of them in any hour, to all recipients together. */
export const ALARM_TEXTS_PER_HOUR_MAX = 6
/** Recipients of alarms: with more, one alarm would be beyond the texts of an hour. */
export const ALARM_RECIPIENTS_MAX = 6
/** An alarm is over when its problem stays away for this long, twice that at each return within a day, … */
export const ALARM_CLEAR_MS_MIN = 60_000
/** … up to this: so a problem that comes and goes makes a text an hour at most. */
export const ALARM_CLEAR_MS_MAX = 3_600_000
/** For so long it is remembered that an alarm was there before. */
export const ALARM_RETURN_MS = 86_400_000
/** An alarm that no phone could send in this time is news no more. */
export const ALARM_TTL_MS = 86_400_000
/** Characters of a text about alarms: three segments of GSM-7. */
export const ALARM_TEXT_LENGTH_MAX = 459
/** What watches the gateway hears of it so often. */
export const HEARTBEAT_EVERY_MS = 60_000
