import { once } from 'node:events'
import WebSocket from 'ws'
import type { TestGateway } from '#test/kit/gateway.ts'

export interface Watch {
  /** Asks at once, and again whenever something happened, until the answer fits. */
  until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T>
  close(): void
}

/**
 * Waits for what happens by the live news of an account. A socket that closes is opened again, as the console
 * does it.
 */
export async function watchGateway({ url }: Pick<TestGateway, 'url'>, token: string): Promise<Watch> {
  const headers = { Authorization: `Bearer ${token}` }
  const open = async () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/live`, 'roost.live.v1', { headers })
    await once(socket, 'open')
    return socket
  }
  let socket = await open()
  return {
    async until(ask, fits) {
      for (;;) {
        if (socket.readyState !== WebSocket.OPEN) socket = await open()
        // Before the question: what happens meanwhile must not be missed.
        const told = Promise.race([once(socket, 'message'), once(socket, 'close')])
        const answer = await ask()
        if (fits(answer)) return answer
        await told
      }
    },
    close: () => socket.terminate(),
  }
}
