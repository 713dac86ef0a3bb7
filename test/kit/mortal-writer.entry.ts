/** A writer thread that fails when a message `writer` comes on the channel `death`. */
import { BroadcastChannel, parentPort, workerData } from 'node:worker_threads'
import { runWriter } from '#app/threads/writer.ts'
import type { WriterData } from '#contracts/thread-frames.ts'

if (parentPort === null) throw new Error('this file must run in a worker thread')
const death = new BroadcastChannel('death')
death.onmessage = event => {
  if ((event as { data: unknown }).data === 'writer') throw new Error('told to die')
}
runWriter(workerData as WriterData, parentPort)
