import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SOCKET_PATH_BYTES_MAX } from '#contracts/control-bounds.ts'

/**
 * The path of the socket file: `path`, or a short path in the temporary directory if `path` is too long for a
 * socket.
 */
export function controlSocketFile(path: string): string {
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return path
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 32)
  return join(tmpdir(), `roost-${hash}.sock`)
}
