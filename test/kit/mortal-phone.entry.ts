import { BroadcastChannel, parentPort, workerData } from 'node:worker_threads'
import { hostPhone } from '#app/threads/host-phone.ts'
import type { HostedPhone } from '#contracts/thread-frames.ts'

if (parentPort === null) throw new Error('this file is the start of a thread')
const death = new BroadcastChannel('death')
death.onmessage = event => {
  if ((event as { data: unknown }).data === 'phone') throw new Error('told to die')
}
hostPhone(workerData as HostedPhone, parentPort)
