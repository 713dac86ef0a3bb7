import type { HttpResponse } from 'uWebSockets.js'

/** Time in which a caller must read what was sent to it. */
const PIECES_READ_MS_MAX = 60_000

/**
 * Sends the pieces of a long answer, each after the caller has read those before, and ends the answer. Call
 * it when the head has been sent. A caller that stops reading loses its connection.
 *
 * @param isOver whether the caller has closed the connection
 */
export async function sendPieces(
  res: HttpResponse,
  pieces: AsyncIterator<string>,
  isOver: () => boolean,
): Promise<void> {
  for (;;) {
    const { done, value } = await pieces.next()
    if (isOver()) return
    if (done === true) return void res.cork(() => res.end())
    if (value !== '' && !wrote(res, value)) await untilRead(res)
    if (isOver()) return
  }
}

function wrote(res: HttpResponse, piece: string): boolean {
  let isAccepted = true
  res.cork(() => {
    isAccepted = res.write(piece)
  })
  return isAccepted
}

/** Waits until the caller has read everything. The promise stays open if the connection is closed first. */
function untilRead(res: HttpResponse): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(() => res.close(), PIECES_READ_MS_MAX).unref()
    res.onWritable(() => {
      clearTimeout(timer)
      resolve()
      return true
    })
  })
}
