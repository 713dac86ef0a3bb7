/** Bounds of phones that the gateway itself reaches: hosted agents, and the search for a phone. */

/** Characters of the user name or password of a phone's local server; the app generates 8. */
export const PHONE_CREDENTIAL_LENGTH_MAX = 256
/** A hosted agent that ended is restarted after a time that doubles from the first value to the second. */
export const PHONE_RESTART_MS_MIN = 250
export const PHONE_RESTART_MS_MAX = 60_000
/**
 * A hosted agent that has not stopped after this time is terminated. No state is lost: the journal has it.
 */
export const PHONE_STOP_MS_MAX = 12_000
/**
 * Threads for hosted agents. A thread takes about 14 MB, and a further agent in the same thread much less. So
 * the few phones of a home have a thread each, and thirty phones fit into the memory of the systemd unit.
 */
export const PHONE_THREADS_MAX = 8
/**
 * MiB of the young generation (new objects) in the heap of a thread with hosted agents. V8 would let it grow
 * to 48; an agent that checks its phone every ten seconds needs little.
 */
export const PHONE_YOUNG_HEAP_MB_MAX = 2
/** Search for a phone on the network: time limit of one call … */
export const PHONE_SEARCH_CALL_MS_MAX = 2000
/** … and calls at the same time. */
export const PHONE_SEARCH_CALLS_MAX = 64
