/**
 * Every bound of the system, with its unit last and its reason beside it. A bound that users may change is a
 * key of the configuration instead (`config.ts`).
 */

/** Text of a message, UTF-16 code units (specification, section 8). */
export const MESSAGE_LENGTH_MAX = 1600
/** Text made by an inbound webhook, UTF-16 code units (specification, section 8). */
export const ALERT_LENGTH_MAX = 480
export const ALERT_TEMPLATE_LENGTH_MAX = 1000
export const TWO_FACTOR_TEMPLATE_LENGTH_MAX = 480
export const NAME_LENGTH_MAX = 80
export const URL_LENGTH_MAX = 2048
export const RECIPIENTS_MAX = 20
export const ALLOWED_IPS_MAX = 100
export const WEBHOOK_CALLS_PER_HOUR_DEFAULT = 20
export const WEBHOOK_CALLS_PER_HOUR_MAX = 1000

/** Time to live that a caller may ask for. */
export const TTL_S_MIN = 60
export const TTL_S_MAX = 259_200
/** Alerts wait a day for a phone: longer than any outage that nobody repairs. */
export const ALERT_TTL_S = 86_400

export const CODE_VALIDITY_S_DEFAULT = 300
export const CODE_VALIDITY_S_MIN = 30
export const CODE_VALIDITY_S_MAX = 3600
/** A code with less validity left is not handed to a phone: nobody could type it in time. */
export const CODE_VALIDITY_LEFT_MS_MIN = 15_000
export const CODE_TRIES_MAX = 5
export const CODE_FAILURES_PER_NUMBER_PER_DAY_MAX = 20

export const PAGE_SIZE_DEFAULT = 50
export const PAGE_SIZE_MAX = 200

/** Levels of nesting taken from outside; `JSON.parse` takes 30,000, `structuredClone` then throws. */
export const JSON_DEPTH_MAX = 32
/** A request that is not answered by then is answered 503. */
export const REQUEST_MS_MAX = 15_000
/** Requests of one listener that wait for an answer of the writer. 256 connections times pipelining is far below. */
export const REQUESTS_WAITING_MAX = 8192
/** Open HTTP and device connections of one listener: below the usual 16,384 descriptors at 12,000 + files. */
export const CONNECTIONS_MAX = 12_000
/** Commands that wait in the writer. More is answered 503: the disk is slower than the callers. */
export const COMMANDS_WAITING_MAX = 16_384
/** Commands of one transaction: bounds the time that a caller waits for its neighbours. */
export const COMMANDS_PER_BATCH_MAX = 1024
/** Open messages kept in memory, about 300 bytes each: 150 MB at the most. */
export const MESSAGES_OPEN_MAX = 500_000

/** One frame of the device socket, bytes. 1,600 characters escaped as \uXXXX are 9,600. */
export const FRAME_BYTES_MAX = 16_384
/** Bytes that may wait for a phone that does not read, before its socket is closed. */
export const SOCKET_BACKLOG_BYTES_MAX = 262_144
export const SIMS_MAX = 8
/** Messages of one `sync`: what fits into a frame; a longer journal sends several `sync` frames, `more: true`. */
export const SYNC_MESSAGES_MAX = 500
/** Frames of one phone a second, sustained; above, the socket is closed. A phone at full pace sends about 3. */
export const FRAMES_PER_SECOND_MAX = 100

/** Messages offered to or being sent by one phone at the same time: its sending slots. */
export const SENDING_SLOTS = 3
/** An offer that is not begun in this time goes back to the queue. */
export const OFFER_LEASE_MS = 40_000
/** `go` is valid on the phone for this long after its `begin`. */
export const GO_VALID_MS = 10_000
/** How often a message is told `go` at the most. */
export const ATTEMPTS_MAX = 5
/**
 * Waits after the first, second, … temporary failure. With these at most three `go` for one message fall into
 * ten minutes: a text that was sent in spite of what the phone says is then not sent a dozen times.
 */
export const RETRY_DELAYS_MS: readonly number[] = [2_000, 10_000, 600_000, 600_000]
/** The brake behind the delays: a fourth `go` for a message in this time stops it and raises an alarm. */
export const BRAKE_WINDOW_MS = 600_000
export const BRAKE_GOES_MAX = 3
/** Silence about a message that is being sent, counted from the phone's return or from its time to live. */
export const OUTCOME_UNKNOWN_MS = 900_000
/** How long a stopping gateway waits for the reports of phones that hold a `go`. */
export const STOP_MS_MAX = 10_000

export const PAIRING_VALID_MS = 600_000
export const PAIRING_TRIES_MAX = 5
export const PAIRING_TRIES_WINDOW_MS = 600_000
export const PAIRINGS_OPEN_MAX = 20

export const IDEMPOTENCY_KEPT_MS = 86_400_000
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const JWT_VALID_S = 43_200
/** Sandbox messages move one step in this time: delivered within two seconds. */
export const SANDBOX_STEP_MS = 500
/** Validated numbers that a listener remembers: a parse costs 20 µs, a look-up 0.1. */
export const PHONE_NUMBERS_CACHED_MAX = 10_000
/** Buckets of the shared limiter: accounts are few and never evicted by addresses. */
export const ACCOUNT_BUCKETS = 4096
export const ADDRESS_BUCKETS = 65_536
/** Wrong webhook tokens of one address. */
export const WRONG_TOKENS_PER_MINUTE = 30

/** Characters of one value that are looked at when an alert becomes a text: 17 times what a text can hold. */
export const ALERT_VALUE_LENGTH_MAX = 8192
/** Characters of broken JSON that are mended: mending is quadratic at worst, 15 ms for this much. */
export const JSON_MEND_LENGTH_MAX = 4096
/** Fields of a form, a query or a multipart body that are read. */
export const ALERT_FIELDS_MAX = 256
/** Objects of a payload that are searched for the fields of an alert. */
export const ALERT_SCOPES_MAX = 16
/** Alerts of one group whose labels are read; the others are only counted. */
export const ALERTS_READ_MAX = 64
/** Places in a digest. */
export const DIGEST_FIELDS_MAX = 32
