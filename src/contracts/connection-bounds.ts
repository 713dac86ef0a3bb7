/** Bounds of open connections. */

/** File descriptors that connections leave to the database, the log, receivers and commands. */
export const DESCRIPTORS_KEPT = 256
/** Under a low limit they leave half of it, and at least this many: an idle gateway has 44 open. */
export const DESCRIPTORS_KEPT_MIN = 64
/** Open HTTP and device connections of one listener: below the usual 16,384 descriptors at 12,000 + files. */
export const CONNECTIONS_MAX = 12_000
/** Of those, the share that only addresses get from which a phone was connected. */
export const CONNECTIONS_OF_PHONES_SHARE = 0.1
/** Addresses of phones that are remembered for that; the oldest is forgotten. */
export const PHONE_ADDRESSES_MAX = 1024
/** Open connections of one address (of one /64): a browser has 6, a busy client 64. */
export const CONNECTIONS_PER_ADDRESS_MAX = 128
/** The kernel's list of all connections is read this often at most. */
export const PEERS_COUNTED_EVERY_MS = 1000
/** Refused connections are written to the log this often at most. */
export const CONNECTIONS_REFUSED_TOLD_EVERY_MS = 60_000

/**
 * After a refusal that closes the connection, this much of the body is still read and dropped, so that the
 * caller sees the refusal: eight times the longest body that any route takes by default.
 */
export const REFUSED_BODY_BYTES_MAX = 16_777_216
/** A caller who sends nothing for this long waits for the refusal; the request's deadline bounds it all. */
export const REFUSED_BODY_STILL_MS_MAX = 1000
