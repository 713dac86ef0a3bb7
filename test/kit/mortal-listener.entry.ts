/** A listener thread that fails when a message `listener` comes on the channel `death`. */
import { BroadcastChannel } from 'node:worker_threads'
import { runListener } from '#app/threads/listener.ts'
import { onThreadData } from '#app/threads/on-thread-data.ts'

const death = new BroadcastChannel('death')
death.onmessage = event => {
  if ((event as { data: unknown }).data === 'listener') throw new Error('told to die')
}
onThreadData(runListener)
