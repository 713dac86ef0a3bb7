/** Bounds of open HTTP and WebSocket connections. */

/** File descriptors that are kept free of connections, for the database, log, notifications and commands. */
export const DESCRIPTORS_KEPT = 256
/**
 * If the process may open only few files, half of them are kept free, but at least this many. An idle gateway
 * uses 44.
 */
export const DESCRIPTORS_KEPT_MIN = 64
/** Open connections of one listener. The usual limit is 16,384 descriptors, and open files count too. */
export const CONNECTIONS_MAX = 12_000
/** Share of `CONNECTIONS_MAX` that is reserved for addresses from which a phone was connected. */
export const CONNECTIONS_OF_PHONES_SHARE = 0.1
/** How many of these addresses are remembered; a new one replaces the oldest. */
export const PHONE_ADDRESSES_MAX = 1024
/** Open connections of one IPv4 address or one IPv6 /64: a browser has 6, a busy client 64. */
export const CONNECTIONS_PER_ADDRESS_MAX = 128
/** The kernel's list of connections is read at most this often. */
export const PEERS_COUNTED_EVERY_MS = 1000
/** Refused connections are logged at most this often. */
export const CONNECTIONS_REFUSED_LOGGED_EVERY_MS = 60_000

/**
 * After a refusal that closes the connection, this much of the body is still read and dropped: a caller reads
 * the refusal only after it has sent the body. Eight times the longest body that a route takes by default.
 */
export const REFUSED_BODY_BYTES_MAX = 16_777_216
/** A caller who sends nothing for this long has stopped sending the body, so the connection is closed. */
export const REFUSED_BODY_STALL_MS_MAX = 1000

/**
 * Frames of one device socket that get an error as the answer; with more, the socket is closed. A newer
 * program on the phone may send a few frames of an unknown type.
 */
export const FRAMES_REFUSED_MAX = 100
/** A phone must have reported its whole journal this long after `hello`; the longest takes about a second. */
export const SYNC_MS_MAX = 30_000
/**
 * Phones that a listener lets in during one turn of its event loop. After a restart thousands may connect in
 * one second; each takes about a tenth of a millisecond, and a send waits at most for one turn.
 */
export const PHONE_UPGRADES_PER_TURN_MAX = 8
/**
 * News of returning and leaving phones (`hello`, `sync`, the end of a connection) that one listener lets wait
 * in the writer. A send shares a transaction with at most these, and the writer always has enough to do.
 */
export const PHONE_RETURNS_AT_ONCE_MAX = 32
/**
 * Frames of one connection that wait in a listener for the writer; with more, the socket is closed. The
 * longest journal of our agent takes about twenty. Without this bound, one phone could fill the memory.
 */
export const PHONE_NEWS_WAITING_MAX = 256
/**
 * Frames of one connection that are with the writer and not answered yet; with more, the socket is closed. A
 * phone may send as many in a second. Without this bound, one phone could take all of `CALLS_WAITING_MAX`
 * while the disk is slow, and every other call would be refused.
 */
export const PHONE_NEWS_ASKED_MAX = 5000
/**
 * A phone that returns with nothing new is written to the database only if its row is older than this. Agents
 * report battery and signal every five minutes, which updates the row.
 */
export const LAST_SEEN_UNSAVED_MS_MAX = 600_000
