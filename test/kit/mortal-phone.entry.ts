/** A thread that hosts phones, and fails when a message `phone` comes on the channel `death`. */
import { BroadcastChannel, parentPort } from 'node:worker_threads'
import { hostPhones } from '#app/threads/host-phone.ts'

if (parentPort === null) throw new Error('this file must run in a worker thread')
const death = new BroadcastChannel('death')
death.onmessage = event => {
  if ((event as { data: unknown }).data === 'phone') throw new Error('told to die')
}
hostPhones(parentPort)
