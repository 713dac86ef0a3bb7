/** A writer thread that fails when a message `writer` comes on the channel `death`. */
import { BroadcastChannel } from 'node:worker_threads'
import { onThreadData } from '#app/threads/on-thread-data.ts'
import { runWriter } from '#app/threads/writer.ts'

const death = new BroadcastChannel('death')
death.onmessage = event => {
  if ((event as { data: unknown }).data === 'writer') throw new Error('told to die')
}
onThreadData(runWriter)
