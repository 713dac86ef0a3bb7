import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Path of a Unix socket: `sun_path` has 108 bytes on Linux and 104 on macOS, with the final zero byte. */
const SOCKET_PATH_BYTES_MAX = 100

/**
 * The path of the socket file: `path`, or a short path in the temporary directory if `path` is too long for a
 * socket.
 */
export function controlSocketFile(path: string): string {
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return path
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 32)
  return join(tmpdir(), `roost-${hash}.sock`)
}
