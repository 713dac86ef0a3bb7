/**
 * The fixed bounds of the gateway. A name contains the unit, and a comment gives the reason. Other files of
 * this folder hold the bounds of one subject. A bound that users may change is a configuration key
 * (`config.ts`).
 */

/** Text of a message, UTF-16 code units. */
export const MESSAGE_LENGTH_MAX = 1600
/** Text that an inbound webhook produces, UTF-16 code units. */
export const ALERT_LENGTH_MAX = 480
export const ALERT_TEMPLATE_LENGTH_MAX = 1000
export const TWO_FACTOR_TEMPLATE_LENGTH_MAX = 480
export const NAME_LENGTH_MAX = 80
export const URL_LENGTH_MAX = 2048
export const RECIPIENTS_MAX = 20
export const ALLOWED_IPS_MAX = 100
export const WEBHOOK_CALLS_PER_HOUR_DEFAULT = 20
export const WEBHOOK_CALLS_PER_HOUR_MAX = 1000

/** Range of the time to live that a caller may ask for: 1 minute to 3 days. */
export const TTL_S_MIN = 60
export const TTL_S_MAX = 259_200
/** Alerts wait up to a day for a phone, longer than most outages last. */
export const ALERT_TTL_S = 86_400

export const CODE_VALIDITY_S_DEFAULT = 300
export const CODE_VALIDITY_S_MIN = 30
export const CODE_VALIDITY_S_MAX = 3600
/** A one-time code with less validity left is not sent: it would expire before the user types it. */
export const CODE_VALIDITY_LEFT_MS_MIN = 15_000
/** Tries that one code allows. */
export const CODE_TRIES_MAX = 5
/**
 * Wrong tries for one number a day, over all of its codes, so that requesting new codes gives no more tries.
 */
export const CODE_FAILURES_PER_NUMBER_PER_DAY_MAX = 20

export const PAGE_SIZE_DEFAULT = 50
export const PAGE_SIZE_MAX = 200
/** Characters of the query parameter `q`, which searches texts, phone numbers and names of senders. */
export const SEARCH_LENGTH_MAX = 100

/**
 * Nesting levels of JSON from outside. `JSON.parse` accepts 30,000 levels, but `structuredClone` throws on
 * them.
 */
export const JSON_DEPTH_MAX = 32
/** A request that has no answer after this time is answered 503. */
export const REQUEST_MS_MAX = 15_000
/** Commands of one listener that may wait for their answers: more than the writer processes in a second. */
export const CALLS_WAITING_MAX = 8192
/**
 * Commands in one message from a listener to the writer. If a listener sent all commands of a long event-loop
 * turn in one message, the writer would idle during the turn and the listener during the commit. With 16,
 * both work at the same time.
 */
export const CALLS_PER_FRAME = 16
/**
 * Commands that may wait in the writer; further ones are answered 503, because the disk is too slow for them.
 */
export const COMMANDS_WAITING_MAX = 16_384
/** Commands in one transaction: each caller waits for the whole transaction. */
export const COMMANDS_PER_BATCH_MAX = 1024
/** With fewer deadlines in memory, obsolete ones are not removed. A deadline takes at most 200 bytes. */
export const DEADLINES_SWEPT_MIN = 32_768
/** Open messages kept in memory, however much there is: a start takes 2 s for each 100,000 of them. */
export const MESSAGES_OPEN_MAX = 500_000

/** One frame of the device socket, bytes. The longest text, 1,600 characters as \uXXXX, takes 9,600. */
export const FRAME_BYTES_MAX = 16_384
/** Bytes that may wait for a phone that has stopped reading; with more, its socket is closed. */
export const SOCKET_BACKLOG_BYTES_MAX = 262_144
export const SIMS_MAX = 8
/**
 * Messages in one `sync` frame. A longer journal needs several frames, all but the last with `more: true`.
 */
export const SYNC_MESSAGES_MAX = 500
/** Received texts that a phone may report: a SIM gets about 30 a minute … */
export const RECEIVED_PER_MINUTE_MAX = 60
/** … and a phone that was offline reports many at once. */
export const RECEIVED_BURST_MAX = 500
/** Frames from one phone a second; if it sends more, its socket is closed. A message takes about four. */
export const FRAMES_PER_SECOND_MAX = 5000

/** A phone's sending slots: messages that are offered to it or that it is sending, at the same time. */
export const SENDING_SLOTS = 3
/** An offered message that the phone has not begun after this time returns to the queue. */
export const OFFER_LEASE_MS = 40_000
/** The phone may act on a `go` for this long, counted from the `begin` that asked for it. */
export const GO_VALID_MS = 10_000
/** Attempts (`go`) for one message. */
export const ATTEMPTS_MAX = 5
/**
 * Waits after the first, second, … temporary failure. They allow at most three `go` for one message in ten
 * minutes. A phone may report a failure although it did send the text, so this limits the duplicates.
 */
export const RETRY_DELAYS_MS: readonly number[] = [2_000, 10_000, 600_000, 600_000]
/**
 * Safety net in case the delays above fail. When one gateway process would give a message more than
 * `BRAKE_GOES_MAX` `go` in this time, the message fails as RETRY_BRAKE and the account's health shows it.
 */
export const BRAKE_WINDOW_MS = 600_000
export const BRAKE_GOES_MAX = 3
/**
 * A message in `sending` without a report for this long ends as OUTCOME_UNKNOWN. The time counts from the
 * phone's reconnection or from the end of the message's time to live.
 */
export const OUTCOME_UNKNOWN_MS = 900_000
/** How long a stopping gateway waits for the reports of phones that hold a `go`. */
export const STOP_MS_MAX = 10_000

/** A pairing code is valid for ten minutes. */
export const PAIRING_VALID_MS = 600_000
/** Wrong pairing codes that one address may try while a code is valid. */
export const PAIRING_TRIES_MAX = 5
/** Wrong pairing codes from all addresses while a code is valid; with more, all open codes become invalid. */
export const PAIRING_TRIES_ALL_MAX = 100
/** Addresses with a count of their own for wrong codes. Further addresses only count in the total. */
export const PAIRING_ADDRESSES_MAX = 1000
/** Pairing codes that are valid at the same time. */
export const PAIRINGS_OPEN_MAX = 20

export const IDEMPOTENCY_KEPT_MS = 86_400_000
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const JWT_VALID_S = 43_200
/** A sandbox message changes its status once in this time, and is `delivered` within two seconds. */
export const SANDBOX_STEP_MS = 500
/** Validated phone numbers that a listener caches: parsing one takes 20 µs, a look-up 0.1 µs. */
export const PHONE_NUMBERS_CACHED_MAX = 10_000
/** Buckets of the shared rate limiter. Accounts have separate buckets, so addresses cannot evict them. */
export const ACCOUNT_BUCKETS = 4096
export const ADDRESS_BUCKETS = 65_536
/** Wrong webhook tokens from one address; with more, its calls are refused. */
export const WRONG_TOKENS_PER_MINUTE = 30

/** Characters read from one value of an alert: 17 times the longest text. */
export const ALERT_VALUE_LENGTH_MAX = 8192
/** Fields read from a form or a query, or parts from a multipart body. */
export const ALERT_FIELDS_MAX = 256
/** Objects of a payload that are searched for the fields of an alert. */
export const ALERT_SCOPES_MAX = 16
/** Alerts of one group whose labels are read; the others are only counted. */
export const ALERTS_READ_MAX = 64
/** Fields read for a digest: the text `name=value name=value` for an alert of an unknown sender. */
export const DIGEST_FIELDS_MAX = 32

/* Rate limiter, addresses, phone numbers */
/** Highest limit of calls per minute: the buckets count time in units that are too coarse for more. */
export const CALLS_PER_MINUTE_MAX = 1_000_000
/**
 * How many slots of the table a key may be stored in: one cache line. With 500 active accounts, the chance
 * that all slots of a key are in use is one in a million.
 */
export const BUCKETS_PROBED = 8
/** A phone number as a caller writes it, UTF-16 code units: 15 digits and punctuation. */
export const PHONE_NUMBER_LENGTH_MAX = 32
/** Addresses read from `X-Forwarded-For`, the last ones. Real chains of proxies are shorter. */
export const FORWARDED_HOPS_MAX = 32

/* Passwords and tokens */
export const PASSWORD_LENGTH_MIN = 10
/** Bounds the work of one login; a passphrase of a hundred words fits. */
export const PASSWORD_LENGTH_MAX = 1024
/** Longest life of an account token: 366 days. */
export const TOKEN_TTL_S_MAX = 31_622_400

/* Pool, logins, setup, keys */
/** Tasks, other than passwords, that may wait for a pool thread; further ones are answered 503. */
export const POOL_TASKS_WAITING_MAX = 1024
/** A pool thread that has no task for this long ends. Starting a new one takes about 0.1 s. */
export const POOL_IDLE_MS = 30_000
/** Heap of one pool thread: the largest input is a body of 16 MiB. */
export const POOL_THREAD_HEAP_MB_MAX = 192
/** Passwords that may wait to be hashed, one after another: at 0.4 s each, the last is answered in time. */
export const PASSWORDS_WAITING_MAX = 16
/** Previews that may wait for the one preview thread; further ones are refused. Alerts use other threads. */
export const PREVIEWS_WAITING_MAX = 16
/** Time limit for hashing one password; the slowest supported board takes about 2 s. */
export const PASSWORD_MS_MAX = 10_000
/** A setup link is valid for a day, time enough to open it at home on another computer. */
export const SETUP_TOKEN_VALID_MS = 86_400_000
/** Wrong setup tokens that one address may try. */
export const SETUP_FAILURES_PER_MINUTE = 10
/** Valid keys that an account may have. */
export const KEYS_VALID_MAX = 100
/** Keys in the list of an account, the revoked ones included. */
export const KEYS_LISTED_MAX = 500
/** A token that ends later than this from now is refused: `TOKEN_TTL_S_MAX`, and a day for clock changes. */
export const TOKEN_LIFE_S_MAX = 31_708_800
/** Longest account token that is read, characters; those that the gateway issues have about 330. */
export const TOKEN_LENGTH_MAX = 2048

/* Metrics */
/** How long the main thread waits for the metrics of one thread, and a listener for those of all threads. */
export const METRICS_MS_MAX = 2_000

/* Reload */
/** How long the main thread waits for another thread to apply a new configuration. */
export const RECONFIGURE_MS_MAX = 10_000

/* Codes and retention */
/** Longest message id that a caller may send, characters; real ids have 30. */
export const MESSAGE_ID_LENGTH_MAX = 64
/** Digits of a generated code. */
export const CODE_DIGITS = 6
/** A code that has ended is kept for a day, so that a late try gets the reason. Later tries get NOT_FOUND. */
export const CODE_REMEMBERED_MS = 86_400_000
/** Interval of retention, which removes rows that have been kept long enough. */
export const RETENTION_EVERY_MS = 3_600_000
/** Rows that retention removes in one transaction: other callers wait some milliseconds for it. */
export const RETENTION_ROWS_MAX = 500
/** Pause between two such transactions, in which waiting callers are served. */
export const RETENTION_PAUSE_MS = 100
/** Pause of retention after a failed transaction: on a full disk it would only fail again. */
export const RETENTION_AFTER_FAULT_MS = 60_000

/* Inbound webhooks */
/** Webhooks of one account: enough for one per monitoring program of a large home. */
export const WEBHOOKS_PER_ACCOUNT_MAX = 200
/** Sliding window in which `maxPerHour` of a webhook counts. */
export const WEBHOOK_WINDOW_MS = 3_600_000
/** An identical request within this time is a repetition by the sender, for which no second text is sent. */
export const TRIGGER_REPEAT_MS = 60_000
/** Time limit of one task that renders an alert or a batch; the slowest known payload takes 50 ms. */
export const ALERT_RENDER_MS_MAX = 2_000
/** Time limit for waiting and rendering together; after that, the fallback text is sent. */
export const ALERT_RENDER_WAIT_MS_MAX = 8_000
/** Bodies up to this length are rendered in batches: a round trip to the pool costs more than most texts. */
export const ALERT_BATCHED_BYTES_MAX = 16_384
/** Larger alerts of one account that may wait for their thread; further ones get the fallback text. */
export const LARGE_ALERTS_PER_ACCOUNT_MAX = 8
/** The same for all accounts together. Each holds a body of up to 16 MiB in memory. */
export const LARGE_ALERTS_WAITING_MAX = 32
/** Alerts in one batch, about 0.1 ms each. */
export const ALERTS_PER_BATCH_MAX = 64
/** Batches in the pool at once: a second one is ready when the first is done. */
export const ALERT_BATCHES_MAX = 2
/** Alerts of one listener that may wait for a batch; further ones are sent with the fallback text. */
export const ALERTS_WAITING_MAX = 4096
/** Characters of the fallback text: the start of a request that could not be rendered. */
export const ALERT_FALLBACK_LENGTH_MAX = 400
/** Characters of `contentType` in a preview: the boundary of a multipart body has at most 70 (RFC 2046). */
export const CONTENT_TYPE_LENGTH_MAX = 200
/** Characters of one entry of `allowedIps`: the longest IPv6 address with its prefix length has 49. */
export const ALLOWED_IP_LENGTH_MAX = 64

/* Wiping of deleted texts */
/** The write-ahead log is erased at most this often: each erasure syncs twice, 50 ms on a slow SD card. */
export const LOG_ERASED_EVERY_MS = 1_000
/** How long an erasure waits for readers of the log. Callers of the writer wait meanwhile. */
export const LOG_ERASING_WAIT_MS_MAX = 20

/** Sliding window of `two_factor.per_number`, the limit of codes to one number. */
export const CODES_WINDOW_MS = 600_000
/** A revoked token is kept for a year after its end: a clock that jumps ahead and back cannot revive it. */
export const REVOKED_KEPT_MS = 31_622_400_000
/** `/readyz` tests at most this often whether the database accepts a write. */
export const READY_CHECKED_EVERY_MS = 1_000

/* Slow or oversized transfers */
/**
 * A frame above `FRAME_BYTES_MAX` closes the socket with a reason that names the limit. A frame above this
 * bound is not read, and the socket closes without a reason.
 */
export const FRAME_BYTES_READ_MAX = 65_536
/**
 * The gateway renews the timeout of uWebSockets.js for a slow body at least this often. The library cuts a
 * stalled body off after 10 s, and may be 2 s early.
 */
export const BODY_TIMEOUT_RENEWED_EVERY_MS = 5_000

/** Time in which a caller must read an answer to its end. A page of 200 long texts has 2 MB. */
export const ANSWER_READ_MS_MAX = 60_000

/* Pace of a phone */
/** Highest configurable pace and burst of a phone, segments: enough for a bank of many modems. */
export const SEGMENTS_PER_MINUTE_MAX = 1_000_000

/* Log output */
/** Log bytes that may wait for a slow reader of standard output; further lines are counted and dropped. */
export const LOG_BACKLOG_BYTES_MAX = 1_048_576

/* APIs of other gateways (dialects) */
/** Recipients of one call: one transaction accepts them all, and other callers wait for it. */
export const DIALECT_RECIPIENTS_MAX = 100
