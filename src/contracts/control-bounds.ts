/** Bounds of the control socket, through which the command line talks to a running gateway. */

/** One request on the control socket: the longest carries a text of 1,600 characters. */
export const CONTROL_REQUEST_BYTES_MAX = 16_384
/** One answer on the control socket: 10,000 keys or devices at about 250 bytes. */
export const CONTROL_ANSWER_BYTES_MAX = 4_194_304
/** Connections to the control socket at the same time. */
export const CONTROL_CONNECTIONS_MAX = 32
/** A control connection is closed after this time without a request. */
export const CONTROL_IDLE_MS_MAX = 30_000
/** Path of a Unix socket: `sun_path` has 108 bytes on Linux and 104 on macOS, with the final zero byte. */
export const SOCKET_PATH_BYTES_MAX = 100
/** How long a command or a starting gateway waits while another process holds the data directory. */
export const DATA_DIRECTORY_WAIT_MS_MAX = 3_000
