/** The bounds of the agent (`src/agent`), with their reasons. The gateway's own bounds are in `bounds.ts`. */

/** Time limit of one check whether the phone can send. A sleeping phone needs some seconds to answer. */
export const AGENT_CHECK_MS_MAX = 10_000
/**
 * Interval of the check while the phone cannot send, if the driver has no regular check. Each check may show
 * the permission dialogue again.
 */
export const AGENT_CHECK_EVERY_MS = 60_000
/** Largest answer that the agent reads when it pairs or downloads the authority's certificate. */
export const GATEWAY_ANSWER_BYTES_MAX = 65_536
/**
 * Before pairing, the user has this long to answer the permission dialogue. A pairing code lasts 10 minutes.
 */
export const AGENT_PERMISSION_MS_MAX = 120_000
/** Interval at which the agent meanwhile checks whether the user has given the permission. */
export const AGENT_PERMISSION_CHECK_MS = 5_000
/** A report that the gateway has not acknowledged is sent again after this time. */
export const AGENT_REPEAT_MS = 10_000
/** Reports and received messages sent in one burst: well below `FRAMES_PER_SECOND_MAX`. */
export const AGENT_FRAMES_PER_FLUSH_MAX = 40
/** Interval of the agent's timer for the connection's liveness, repeated reports and times to live. */
export const AGENT_TICK_MS = 1_000
/**
 * Before each reconnect the agent waits a random time between 0 and a limit. The limit starts at the first
 * value and doubles up to the second.
 */
export const AGENT_RECONNECT_MS_MIN = 500
export const AGENT_RECONNECT_MS_MAX = 30_000
/** The same limit while the gateway answers that it does not know the device: this seldom ends by itself. */
export const AGENT_UNKNOWN_MS_MAX = 300_000
/** After a connection that lasted this long, the next back-off starts at the minimum again. */
export const AGENT_STEADY_MS = 60_000
/** Time limit of the WebSocket upgrade, and then of the `welcome` frame. */
export const AGENT_WELCOME_MS_MAX = 15_000
/** After this many ping intervals without a frame, the agent gives up the connection. */
export const AGENT_PINGS_MISSED_MAX = 3
/**
 * A stopping agent waits this long for a running radio command, and then for the gateway's acknowledgement.
 */
export const AGENT_STOP_MS_MAX = 10_000
export const AGENT_STOP_ACK_MS_MAX = 1_000
/**
 * The agent waits this long for the gateway to answer the WebSocket close handshake, then drops the socket.
 */
export const AGENT_CLOSE_MS_MAX = 2_000
/** How often the agent reads battery and signal. It reports a change at once … */
export const AGENT_TELEMETRY_READ_MS = 60_000
/** … and unchanged values at this interval. */
export const AGENT_TELEMETRY_EVERY_MS = 300_000
/** How often the agent reads the phone's inbox for new texts. */
export const AGENT_INBOX_READ_MS = 15_000
/** Bytes of messages in one `sync` frame; the rest of `FRAME_BYTES_MAX` is for the other fields. */
export const AGENT_SYNC_BYTES_MAX = 14_000
/** The journal is rewritten when it exceeds both this and twice its size after the last rewrite. */
export const AGENT_JOURNAL_BYTES_MAX = 262_144
/** Open messages in the journal. The gateway offers at most `SENDING_SLOTS` (3) at a time. */
export const AGENT_MESSAGES_MAX = 1_000
/** Finished messages kept in the journal, without number and text, so that none is sent twice. */
export const AGENT_FINISHED_MAX = 500
/** A radio command that runs longer is killed; its message is reported as `uncertain`. */
export const AGENT_COMMAND_MS_MAX = 60_000
export const AGENT_COMMAND_OUTPUT_BYTES_MAX = 1_048_576
/** Time limit of a request to the gateway: pairing, or the download of the authority's certificate. */
export const AGENT_PAIR_MS_MAX = 15_000
/** Time limit of one call to the SMSGate app. A sleeping phone on Wi-Fi needs some seconds to answer. */
export const SMSGATE_CALL_MS_MAX = 10_000
/** Largest answer read from the app: an inbox page of 100 texts of ten segments fits easily. */
export const SMSGATE_ANSWER_BYTES_MAX = 1_048_576
/**
 * Interval at which a phone with a local server is checked, so that its owner soon sees it go offline or
 * return.
 */
export const SMSGATE_CHECK_EVERY_MS = 10_000
/**
 * Before the agent posts a text, it checks which phone answers at the address, unless its last check is at
 * most this old. A check made at `begin` is still valid when `go` arrives. No router gives the address to
 * another phone this fast.
 */
export const SMSGATE_EXAMINATION_AGE_MS_MAX = 2_000
/** Earlier addresses of a phone that are tried when it stops answering at the current one. */
export const SMSGATE_ADDRESSES_MAX = 5
/** The app still has each message that is at most this old: it keeps messages for at least a day. */
export const SMSGATE_MEMORY_MS = 43_200_000
/**
 * How often the agent saves the witness: the id of a message that the phone certainly knows. If the phone
 * later does not know this id, it has lost its messages. Saving it with every text would wear out flash
 * memory.
 */
export const SMSGATE_WITNESS_EVERY_MS = 3_600_000
/**
 * A text whose outcome stays unknown for this long ends as `uncertain`. Longer than any time to live.
 */
export const SMSGATE_OUTCOME_UNKNOWN_MS_MAX = 345_600_000
/**
 * Interval at which the agent queries the state of a text in the app. It doubles from the first value up to
 * the second.
 */
export const SMSGATE_POLL_MS_MIN = 1_000
export const SMSGATE_POLL_MS_MAX = 30_000
/** Queries about the states of texts that the agent has in progress at the same time. */
export const SMSGATE_POLLS_MAX = 4
/**
 * The agent stops querying a text this long after its last change, because many networks never report
 * delivery. For a text that still waits on the phone, its time to live is added.
 */
export const SMSGATE_FOLLOW_MS_MAX = 7_200_000
/**
 * Texts that the agent keeps querying. With more, it drops the oldest, so that the journal has room for new
 * ones.
 */
export const SMSGATE_FOLLOWED_MAX = 400
/** Received texts in one page of the app's inbox, and pages read in one pass. */
export const SMSGATE_INBOX_PAGE = 100
export const SMSGATE_INBOX_PAGES_MAX = 100
/**
 * Each pass of reading the inbox starts this long before the newest known text, because the app records some
 * texts late.
 */
export const SMSGATE_INBOX_OVERLAP_MS = 3_600_000
/** If the driver has a regular check, it runs this many times as often while the phone cannot send. */
export const AGENT_TROUBLE_CHECK_FACTOR = 5
/** Interval between two queries about a text whose outcome is unknown. */
export const AGENT_OUTCOME_CHECK_MS = 5_000
