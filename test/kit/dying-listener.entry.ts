/** A listener thread. The first one throws in a callback of uWebSockets.js at its first request. */
import { runListener } from '#app/threads/listener.ts'
import { onThreadData } from '#app/threads/on-thread-data.ts'
import type { ListenerData } from '#contracts/thread-frames.ts'
import { BODY_TIMEOUT_RENEWED_EVERY_MS } from '#transport/http/open-exchanges.ts'

onThreadData((data: ListenerData, port) => {
  runListener(data, port)
  if (data.listener === 1) plantFault()
})

/**
 * Makes `setTimeout` throw where the deadline of a request is set, because that call is outside of any route
 * and `catch`.
 */
function plantFault(): void {
  const real = Reflect.get(globalThis, 'setTimeout')
  const faultySetTimeout = (callback: () => void, ms: number) => {
    if (ms === BODY_TIMEOUT_RENEWED_EVERY_MS) throw new Error('a planted fault')
    return real(callback, ms)
  }
  Object.defineProperty(globalThis, 'setTimeout', { value: faultySetTimeout })
}
