/** Entry file of a listener thread, which answers requests and holds the sockets of phones. */
import { parentPort, workerData } from 'node:worker_threads'
import { runListener } from '#app/threads/listener.ts'
import type { ListenerData } from '#contracts/thread-frames.ts'

if (parentPort === null) throw new Error('this file is the entry of a thread and cannot be run alone')
runListener(workerData as ListenerData, parentPort)
