/** Entry file of a thread that hosts the agent of one phone. */
import { parentPort, workerData } from 'node:worker_threads'
import { hostPhone } from '#app/threads/host-phone.ts'
import type { HostedPhone } from '#contracts/thread-frames.ts'

if (parentPort === null) throw new Error('this file is the entry of a thread and cannot be run alone')
hostPhone(workerData as HostedPhone, parentPort)
