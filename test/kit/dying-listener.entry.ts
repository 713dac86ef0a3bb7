/** A listener thread. The first one throws in a callback of uWebSockets.js at its first request. */
import { parentPort, workerData } from 'node:worker_threads'
import { runListener } from '#app/threads/listener.ts'
import { BODY_STALL_MS_MAX } from '#contracts/bounds.ts'
import type { ListenerData } from '#contracts/thread-frames.ts'

const data = workerData as ListenerData
if (parentPort === null) throw new Error('this file must run in a worker thread')
runListener(data, parentPort)
if (data.listener === 1) plant()

/** Throws where the deadline of a request is set, because that call is outside of any route and `catch`. */
function plant(): void {
  const real = Reflect.get(globalThis, 'setTimeout')
  const planted = (callback: () => void, ms: number) => {
    if (ms === BODY_STALL_MS_MAX) throw new Error('a planted fault')
    return real(callback, ms)
  }
  Object.defineProperty(globalThis, 'setTimeout', { value: planted })
}
