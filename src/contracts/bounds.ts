/**
 * The fixed bounds that several files need. What one account may hold is in
 * `account-bounds.ts`. A name contains the unit, and a comment gives the reason. A bound that one file needs
 * stands at its top. A bound that users may change is a configuration key (`config.ts`).
 */

/** Text of a message, UTF-16 code units. */
export const MESSAGE_LENGTH_MAX = 1600
/** Text that an inbound webhook produces, UTF-16 code units. */
export const ALERT_LENGTH_MAX = 480
export const TWO_FACTOR_TEMPLATE_LENGTH_MAX = 480
export const NAME_LENGTH_MAX = 80
export const URL_LENGTH_MAX = 2048
export const RECIPIENTS_MAX = 20
export const ALLOWED_IPS_MAX = 100
/** Longest silence of a webhook that can be watched: 31 days. */
export const SILENT_AFTER_MINUTES_MAX = 44_640
export const WEBHOOK_CALLS_PER_HOUR_DEFAULT = 20
export const TTL_S_MAX = 259_200
/** A one-time code with less validity left is not sent: it would expire before the user types it. */
export const CODE_VALIDITY_LEFT_MS_MIN = 15_000

export const PAGE_SIZE_DEFAULT = 50
export const PAGE_SIZE_MAX = 200

/**
 * Nesting levels of JSON from outside. `JSON.parse` accepts 30,000 levels, but `structuredClone` throws on
 * them.
 */
export const JSON_DEPTH_MAX = 32
/** A request that has no answer after this time is answered 503. */
export const REQUEST_MS_MAX = 15_000

/** One frame of the device socket, bytes. The longest text, 1,600 characters as \uXXXX, takes 9,600. */
export const FRAME_BYTES_MAX = 16_384
/** Bytes that may wait for a phone that has stopped reading; with more, its socket is closed. */
export const SOCKET_BACKLOG_BYTES_MAX = 262_144
export const SIMS_MAX = 8
/**
 * Messages in one `sync` frame. A longer journal needs several frames, all but the last with `more: true`.
 */
export const SYNC_MESSAGES_MAX = 500
/**
 * Received texts that a phone may report: a SIM gets about 30 a minute, and a phone that was offline reports
 * many at once.
 */
export const RECEIVED_PER_MINUTE_MAX = 60
/** An offered message that the phone has not begun after this time returns to the queue. */
export const OFFER_LEASE_MS = 40_000
/**
 * Waits after the first, second, … temporary failure. They allow at most three `go` for one message in ten
 * minutes. A phone may report a failure although it did send the text, so this limits the duplicates.
 */
export const RETRY_DELAYS_MS: readonly number[] = [2_000, 10_000, 600_000, 600_000]
/**
 * A message in `sending` without a report for this long ends as OUTCOME_UNKNOWN. The time counts from the
 * phone's reconnection or from the end of the message's time to live.
 */
export const OUTCOME_UNKNOWN_MS = 900_000

/** A pairing code is valid for ten minutes. */
export const PAIRING_VALID_MS = 600_000

export const IDEMPOTENCY_KEPT_MS = 86_400_000
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const JWT_VALID_S = 43_200
/** A sandbox message changes its status once in this time, and is `delivered` within two seconds. */
export const SANDBOX_STEP_MS = 500

/** Characters read from one value of an alert: 17 times the longest text. */
export const ALERT_VALUE_LENGTH_MAX = 8192
/** Fields read from a form or a query, or parts from a multipart body. */
export const ALERT_FIELDS_MAX = 256

/* Rate limiter, addresses, phone numbers */
/** Highest limit of calls per minute: the buckets count time in units that are too coarse for more. */
export const CALLS_PER_MINUTE_MAX = 1_000_000
/** A phone number as a caller writes it, UTF-16 code units: 15 digits and punctuation. */
export const PHONE_NUMBER_LENGTH_MAX = 32

/* Passwords and tokens */
export const PASSWORD_LENGTH_MIN = 10
/** Bounds the work of one login; a passphrase of a hundred words fits. */
export const PASSWORD_LENGTH_MAX = 1024
/** Passwords that may wait to be hashed, one after another: at 0.4 s each, the last is answered in time. */
export const PASSWORDS_WAITING_MAX = 16
/** Wrong setup tokens that one address may try. */
export const SETUP_FAILURES_PER_MINUTE = 10
/** Longest account token that is read, characters; those that the gateway issues have about 330. */
export const TOKEN_LENGTH_MAX = 2048

/* Reload */
/** How long the main thread waits for another thread to apply a new configuration. */
export const RECONFIGURE_MS_MAX = 10_000

/* Codes and retention */
/** Longest message id that a caller may send, characters; real ids have 30. */
export const MESSAGE_ID_LENGTH_MAX = 64
/** Rows that retention removes in one transaction: other callers wait some milliseconds for it. */
export const RETENTION_ROWS_MAX = 500
/** Sliding window in which `maxPerHour` of a webhook counts. */
export const WEBHOOK_WINDOW_MS = 3_600_000
/** CPU time of its own thread that an alert or a preview may use; the slowest known body takes 150 ms. */
export const ALERT_CPU_MS_MAX = 2_000
/** Characters of one entry of `allowedIps`: the longest IPv6 address with its prefix length has 49. */
export const ALLOWED_IP_LENGTH_MAX = 64

/* Pace of a phone */
/** Highest configurable pace and burst of a phone, segments: enough for a bank of many modems. */
export const SEGMENTS_PER_MINUTE_MAX = 1_000_000

/* Agent */
/** Time limit of one check whether the phone can send. A sleeping phone needs some seconds to answer. */
export const AGENT_CHECK_MS_MAX = 10_000
/** Time limit of the WebSocket upgrade, and then of the `welcome` frame. */
export const AGENT_WELCOME_MS_MAX = 15_000

/* Connections */
/** Open connections of one listener. The usual limit is 16,384 descriptors, and open files count too. */
export const CONNECTIONS_MAX = 12_000
/** A phone must have reported its whole journal this long after `hello`; the longest takes about a second. */
export const SYNC_MS_MAX = 30_000

/* Problems and alarms */
/** A failed or unknown outcome counts as a current problem for this long. */
export const OUTCOME_LISTED_MS = 86_400_000
/** Texts counted for OUTCOME_UNKNOWN or RETRY_BRAKE; with more, the problem says "at least" this many. */
export const TEXTS_TO_CHECK_READ_MAX = 1_000
export const DISK_FREE_BYTES_MIN = 500_000_000
export const CERTIFICATE_LEFT_MS_MIN = 14 * 86_400_000
/** The same of the own authority, which people must install on each phone and computer. */
export const AUTHORITY_LEFT_MS_MIN = 90 * 86_400_000
/** A clock before this date is wrong, as on a board without a battery that has not reached a time server. */
export const CLOCK_MS_MIN = Date.UTC(2025, 0, 1)
/** Alarm texts and alarm tests in any 60 minutes, to all recipients together. */
export const ALARM_TEXTS_PER_HOUR_MAX = 6
/** Recipients of alarms: with more, a single alarm would exceed `ALARM_TEXTS_PER_HOUR_MAX`. */
export const ALARM_RECIPIENTS_MAX = 6
/** An alarm clears when its problem stays away this long. Each return within a day doubles the time. */
export const ALARM_CLEAR_MS_MIN = 60_000

/* Phones that the gateway itself reaches */
/** Characters of the user name or password of a phone's local server; the app generates 8. */
export const PHONE_CREDENTIAL_LENGTH_MAX = 256

/* Notifications */
/**
 * Longest `Retry-After` that is respected. A longer one counts as a day, so that one wrong answer cannot
 * block a delivery for months.
 */
export const NOTIFICATION_RETRY_AFTER_MS_MAX = 86_400_000
/** Origins remembered as slow, and as many host names as slow to look up. */
export const NOTIFICATION_ORIGINS_REMEMBERED_MAX = 4096
/**
 * Targets in memory, with the time at which each is due: those due first. The others are read from the
 * database once the first of them is due.
 */
export const NOTIFICATION_LANES_KNOWN_MAX = 4096
/** Time limit of one attempt, from the moment it gets a slot to the last byte of the answer. */
export const NOTIFICATION_ATTEMPT_MS_MAX = 15_000
/** Deliveries cancelled in one transaction when their target is removed or disabled: other callers wait. */
export const NOTIFICATIONS_CANCELLED_MAX = 1_000

/* Sessions, keys and the live socket */
/** A session ends when it has not been used for 30 days … */
export const SESSION_IDLE_MS = 30 * 86_400_000
/** … and after 90 days in any case. */
export const SESSION_LIFE_MS = 90 * 86_400_000
/** Longest half of a session's secret (cookie or header) that is read, characters; real ones have 38. */
export const SESSION_SECRET_LENGTH_MAX = 64
/** Life of a refresh token: longer than a month, for programs that run once a month. */
export const KEY_TOKEN_REFRESH_TTL_S = 31 * 86_400

/** Pause between two frames to one account: more than four updates a second would not help a reader. */
export const LIVE_FRAME_EVERY_MS = 250
/** Items of news in one frame. If there are more, one `resync` replaces them: cheaper for both sides. */
export const LIVE_NEWS_PER_FRAME_MAX = 50

/* Webhooks */
/** Triggers kept in a webhook's history. */
export const SEEN_TRIGGERS_MAX = 20
/** The history and its requests are kept for a week, long enough for senders that trigger once a week. */
export const SEEN_TRIGGERS_KEPT_MS = 604_800_000

/**
 * Only so many texts of SMSGate's inbox are read, the newest by the time at which they were sent. At most
 * twice as many ids are kept.
 */
export const SMSGATE_INBOX_TEXTS_MAX = 30_000
/** The inbox of SMSGate is read so far back: a late text has the time at which it was sent. */
export const SMSGATE_INBOX_BACK_MS = 604_800_000
