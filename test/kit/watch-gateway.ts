import { once } from 'node:events'
import WebSocket from 'ws'
import type { TestGateway } from '#test/kit/gateway.ts'

export interface Watch {
  /** Asks now, and again after each event, until the answer fits. */
  until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T>
  close(): void
}

/** Opens the live socket of an account, whose events tell a test when to look for a change. */
export async function watchGateway({ url }: Pick<TestGateway, 'url'>, token: string): Promise<Watch> {
  const headers = { Authorization: `Bearer ${token}` }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/live`, 'roost.live.v1', { headers })
  await once(socket, 'open')
  const closed = once(socket, 'close').then(([code]) => {
    throw new Error(`the live socket closed with ${code}`)
  })
  // A close after the test is not an error.
  closed.catch(() => {})
  return {
    async until(ask, fits) {
      for (;;) {
        // Created before the question, so that no event in between is missed.
        const event = once(socket, 'message')
        const answer = await ask()
        if (fits(answer)) return answer
        await Promise.race([event, closed])
      }
    },
    close: () => socket.terminate(),
  }
}
