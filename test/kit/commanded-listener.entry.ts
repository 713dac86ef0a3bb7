/** A listener thread that throws if it is told to listen before the control socket is open. */
import { existsSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { runListener } from '#app/threads/listener.ts'
import type { ListenerControl, ListenerData } from '#contracts/thread-frames.ts'
import { dataDirectory } from '#storage/data-directory.ts'

const data = workerData as ListenerData
if (parentPort === null) throw new Error('this file must run in a worker thread')
const { controlSocket } = dataDirectory(data.config.data_dir)
parentPort.once('message', ({ kind }: ListenerControl) => {
  if (kind === 'begin' && !existsSync(controlSocket)) throw new Error('the control socket is not open yet')
})
runListener(data, parentPort)
