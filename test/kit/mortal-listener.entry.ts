/** A listener thread that fails when a message `listener` comes on the channel `death`. */
import { BroadcastChannel, parentPort, workerData } from 'node:worker_threads'
import { runListener } from '#app/threads/listener.ts'
import type { ListenerData } from '#contracts/thread-frames.ts'

if (parentPort === null) throw new Error('this file must run in a worker thread')
const death = new BroadcastChannel('death')
death.onmessage = event => {
  if ((event as { data: unknown }).data === 'listener') throw new Error('told to die')
}
runListener(workerData as ListenerData, parentPort)
