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
/** Alerts wait a day for a phone: longer than most outages. */
export const ALERT_TTL_S = 86_400

export const CODE_VALIDITY_S_DEFAULT = 300
export const CODE_VALIDITY_S_MIN = 30
export const CODE_VALIDITY_S_MAX = 3600
/** A code with less validity left is not handed to a phone: it would expire before the user types it. */
export const CODE_VALIDITY_LEFT_MS_MIN = 15_000
export const CODE_TRIES_MAX = 5
export const CODE_FAILURES_PER_NUMBER_PER_DAY_MAX = 20

export const PAGE_SIZE_DEFAULT = 50
export const PAGE_SIZE_MAX = 200
/** Characters of `q`, the part of a text or sender that a list is searched for. */
export const SEARCH_LENGTH_MAX = 100

/** Levels of nesting taken from outside; `JSON.parse` takes 30,000, `structuredClone` then throws. */
export const JSON_DEPTH_MAX = 32
/** A request that is not answered by then is answered 503. */
export const REQUEST_MS_MAX = 15_000
/** Requests of one listener that wait for the writer: more than a second of what it takes at its best. */
export const REQUESTS_WAITING_MAX = 8192
/**
 * Commands in one message to the writer. If a listener sent all commands of a long turn at once, the writer
 * would be idle during the turn and the listener during the commit: with 16 both work at the same time.
 */
export const CALLS_PER_FRAME = 16
/**
 * The young generation of V8 in listeners and the writer, MB. A request lives until it is answered, and each
 * collection copies what lives: the larger, the fewer of them.
 */
export const YOUNG_GENERATION_MB = 64
/** Commands that wait in the writer. More is answered 503: the disk is slower than the callers. */
export const COMMANDS_WAITING_MAX = 16_384
/** Commands of one transaction: bounds the time that a caller waits for its neighbours. */
export const COMMANDS_PER_BATCH_MAX = 1024
/** Below this many deadlines (about 100 bytes each), obsolete ones are not swept. */
export const DEADLINES_SWEPT_MIN = 65_536
/** Open messages kept in memory, about 300 bytes each: at most 150 MB. */
export const MESSAGES_OPEN_MAX = 500_000

/** One frame of the device socket, bytes. 1,600 characters escaped as \uXXXX are 9,600. */
export const FRAME_BYTES_MAX = 16_384
/** Bytes that may wait for a phone that does not read, before its socket is closed. */
export const SOCKET_BACKLOG_BYTES_MAX = 262_144
export const SIMS_MAX = 8
/** Messages of one `sync`: what fits into a frame; a longer journal sends several, with `more: true`. */
export const SYNC_MESSAGES_MAX = 500
/** Received texts that a phone may report: a SIM gets about 30 a minute, a phone back online reports many. */
export const RECEIVED_PER_MINUTE_MAX = 60
export const RECEIVED_BURST_MAX = 500
/** Frames of one phone a second; above, the socket is closed. One message takes about four. */
export const FRAMES_PER_SECOND_MAX = 5000

/** Messages offered to or being sent by one phone at the same time: its sending slots. */
export const SENDING_SLOTS = 3
/** An offer that is not begun in this time goes back to the queue. */
export const OFFER_LEASE_MS = 40_000
/** `go` is valid on the phone for this long after its `begin`. */
export const GO_VALID_MS = 10_000
/** At most this many `go` for one message. */
export const ATTEMPTS_MAX = 5
/**
 * Waits after the first, second, … temporary failure. With these at most three `go` for one message fall into
 * ten minutes: so a text that was sent although the phone reported a failure is not sent a dozen times.
 */
export const RETRY_DELAYS_MS: readonly number[] = [2_000, 10_000, 600_000, 600_000]
/**
 * The brake behind the delays: a fourth `go` of one process for a message in this time stops the message and
 * raises an alarm.
 */
export const BRAKE_WINDOW_MS = 600_000
export const BRAKE_GOES_MAX = 3
/** Silence about a message that is being sent, counted from the phone's return or from its time to live. */
export const OUTCOME_UNKNOWN_MS = 900_000
/** How long a stopping gateway waits for the reports of phones that hold a `go`. */
export const STOP_MS_MAX = 10_000

export const PAIRING_VALID_MS = 600_000
/** Wrong codes of one address in the life of a code. */
export const PAIRING_TRIES_MAX = 5
/** Wrong codes of all addresses in the life of a code: then every open one is void. */
export const PAIRING_TRIES_ALL_MAX = 100
/** Addresses whose wrong codes are counted; beyond, the bound over all of them holds. */
export const PAIRING_ADDRESSES_MAX = 1000
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

/* Limiter, addresses, numbers */
/** Calls per minute that a bucket can keep: above, its step comes near the resolution of the table. */
export const CALLS_PER_MINUTE_MAX = 1_000_000
/**
 * Slots a key may live in: one cache line. With 500 accounts active at once, one set in a million is full.
 */
export const BUCKETS_PROBED = 8
/** Text of a number as a caller writes it, UTF-16 code units: 15 digits with room for punctuation. */
export const PHONE_NUMBER_LENGTH_MAX = 32
/**
 * Addresses of `X-Forwarded-For` that are looked at, right-most first: no chain of real proxies is longer.
 */
export const FORWARDED_HOPS_MAX = 32

// The command line.

/** One question on the control socket: the longest is a pairing with a name of 80 characters. */
export const CONTROL_QUESTION_BYTES_MAX = 16_384
/** One answer on it: 10,000 keys or devices at about 250 bytes. */
export const CONTROL_ANSWER_BYTES_MAX = 4_194_304
/** Command lines that may ask at the same time. */
export const CONTROL_CONNECTIONS_MAX = 32
/** A command-line connection is closed after this much silence. */
export const CONTROL_IDLE_MS_MAX = 30_000
/** How long a command or a start waits for the process that holds the data directory. */
export const DATA_DIRECTORY_WAIT_MS_MAX = 3_000
/** UNIX sockets take 108 bytes on Linux, 104 on macOS, with the zero at the end. */
export const SOCKET_PATH_BYTES_MAX = 100
export const PASSWORD_LENGTH_MIN = 10
/** Bounds the work of one attempt to log in; a sentence of a hundred words fits. */
export const PASSWORD_LENGTH_MAX = 1024
/** The longest that an account token may live: a year. */
export const TOKEN_TTL_S_MAX = 31_622_400

/* Pool, passwords, account credentials */
/** Tasks that wait for a thread of the pool, passwords apart. More is answered 503. */
export const POOL_TASKS_WAITING_MAX = 1024
/** A thread without a task for this long ends; starting one takes about 0.1 s. */
export const POOL_IDLE_MS = 30_000
/** Heap of one pool thread: the largest input is a body of 16 MiB. */
export const POOL_THREAD_HEAP_MB_MAX = 192
/** Passwords that wait to be hashed, one at a time: at 0.4 s each the last is still answered in time. */
export const PASSWORDS_WAITING_MAX = 16
/** Of those, logins of one address that never succeeded: one stranger cannot fill the queue for all. */
export const PASSWORDS_PER_STRANGER_MAX = 2
/** Previews that may wait for the one preview thread; more are refused. Alerts have threads of their own. */
export const PREVIEWS_WAITING_MAX = 16
/** One password; on the slowest board about 2 s. */
export const PASSWORD_MS_MAX = 10_000
/** Failed logins of one address at one account: five at once, then one in 12 s. */
export const LOGIN_FAILURES_PER_PAIR_PER_MINUTE = 5
/** Failed logins of one address, at any account. */
export const LOGIN_FAILURES_PER_ADDRESS_PER_MINUTE = 20
/** Failed logins at one account from all addresses that never logged in there: then one in 2 s. */
export const LOGIN_FAILURES_PER_ACCOUNT_PER_MINUTE = 30
/** Addresses remembered for an account because a login from them succeeded; the oldest is forgotten. */
export const LOGIN_ADDRESSES_MAX = 32
/** Valid for a day: long enough to go home and fetch the other computer. */
export const SETUP_TOKEN_VALID_MS = 86_400_000
/** Wrong setup tokens of one address. */
export const SETUP_FAILURES_PER_MINUTE = 10
/** Valid keys of an account, and keys shown in its list. */
export const KEYS_VALID_MAX = 100
export const KEYS_LISTED_MAX = 500
/** A signed token that says it lives longer than any that was issued, by a day for clocks, was forged. */
export const TOKEN_LIFE_S_MAX = 31_708_800
/** Characters of a token; ours have about 330. */
export const TOKEN_LENGTH_MAX = 2048

/* Metrics */
/** How long the main thread waits for the numbers of another one, and a listener for all of them. */
export const METRICS_MS_MAX = 2_000

// Reload
/** How long the main thread waits for a thread to apply another configuration. */
export const RECONFIGURE_MS_MAX = 10_000

// Codes and housekeeping

/** Text of a message id as a caller gives it; ours have 30 characters. */
export const MESSAGE_ID_LENGTH_MAX = 64
/** Digits of a generated code. */
export const CODE_DIGITS = 6
/** An ended code is remembered for a day, so that a late try learns why; then it is NOT_FOUND. */
export const CODE_REMEMBERED_MS = 86_400_000
export const TIDY_EVERY_MS = 3_600_000
/** Rows tidied in one transaction: some milliseconds that callers wait. */
export const TIDY_ROWS_MAX = 500
/** Between two such transactions, for the callers that gathered. */
export const TIDY_PAUSE_MS = 100
/** After a failed transaction: do not write to a full disk again at once. */
export const TIDY_AFTER_FAULT_MS = 60_000

/* Inbound webhooks */
/** Webhooks of one account: an address for every monitor in a large house. */
export const WEBHOOKS_PER_ACCOUNT_MAX = 200
/** The cap of a webhook counts over this span, sliding. */
export const WEBHOOK_WINDOW_MS = 3_600_000
/** The same request in this time is the sender repeating itself. */
export const TRIGGER_REPEAT_MS = 60_000
/** Rendering one alert on a thread of the pool; the worst payload known takes 50 ms. */
export const ALERT_RENDER_MS_MAX = 2_000
/** Waiting for a thread and rendering together; then the alert goes out as it came. */
export const ALERT_RENDER_WAIT_MS_MAX = 5_000
/** Bodies up to this length are rendered together: a trip to the pool costs more than most texts. */
export const ALERT_BATCHED_BYTES_MAX = 16_384
/** Alerts of one batch, at 0.1 ms each; and batches under way, so that the pool has the next one ready. */
export const ALERTS_PER_BATCH_MAX = 64
export const ALERT_BATCHES_MAX = 2
/** Alerts of a listener that wait for a batch; more go out as they came. */
export const ALERTS_WAITING_MAX = 4096
/** Characters of a request that go out when it could not be rendered. */
export const ALERT_FALLBACK_LENGTH_MAX = 400
/** A content type in a preview: the boundary of a multipart body has at most 70 characters. */
export const CONTENT_TYPE_LENGTH_MAX = 200
/** One entry of an allowlist: the longest address with its prefix has 49. */
export const ALLOWED_IP_LENGTH_MAX = 64

/* What was wiped */
/** Between two erasures of the write-ahead log: each waits twice for the disk, 50 ms on a slow card. */
export const LOG_ERASED_EVERY_MS = 1_000
/** How long an erasure waits for readers of the log, while callers wait for it. */
export const LOG_ERASING_WAIT_MS_MAX = 20

/** Codes to one number are counted over this span. */
export const CODES_WINDOW_MS = 600_000
/** An ended token is remembered for ten years: a clock that jumps ahead and back brings none to life. */
export const REVOKED_KEPT_MS = 315_360_000_000
/** `/readyz` looks at most this often whether the database takes a write. */
export const READY_LOOK_MS = 1_000

/* What comes slowly or at too great a length */
/** A frame between `FRAME_BYTES_MAX` and this is refused in words; of a longer one nothing is kept. */
export const FRAME_BYTES_READ_MAX = 65_536
/** uWebSockets.js cuts a body off after 10 s of standing still, of which its clock may lose 2. */
export const BODY_STILL_MS_MAX = 5_000

/** An answer that the caller does not read to the end is given up; a page of 200 long texts has 2 MB. */
export const ANSWER_TAKEN_MS_MAX = 60_000

/* Pace */
/** Segments a minute or in a burst: far above any radio, for users with a bank of modems. */
export const SEGMENTS_PER_MINUTE_MAX = 1_000_000

/* A log whose reader stopped */
/** Of the log, what may wait for a reader that is slow or stopped; more is counted and dropped. */
export const LOG_BACKLOG_BYTES_MAX = 1_048_576

/* Other gateways' shapes */
/** Numbers of one call: all of them are accepted in one transaction, while others wait. */
export const DIALECT_RECIPIENTS_MAX = 100
/** How often it is looked whether a nightly backup is due. */
export const BACKUP_LOOK_EVERY_MS = 60_000
/** A nightly backup that failed is tried again after this: a disk is full or away for longer than minutes. */
export const BACKUP_RETRY_MS = 3_600_000

/** A user name or password of a phone's local server: the app makes 8 characters. */
export const PHONE_CREDENTIAL_LENGTH_MAX = 256
/** A hosted agent that ends is started again after this time, which doubles up to the second of these. */
export const PHONE_RESTART_MS_MIN = 250
export const PHONE_RESTART_MS_MAX = 60_000
/** A hosted agent that does not stop in this time is ended; its journal knows what it was doing. */
export const PHONE_STOP_MS_MAX = 12_000
/** While a phone is looked for on the network: how long a host may take, and how many are asked at once. */
export const PHONE_SEARCH_CALL_MS_MAX = 2000
export const PHONE_SEARCH_CALLS_MAX = 64
