/** A listener thread that starts only where commands are taken already. */
import { existsSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { runListener } from '#app/listener.ts'
import type { ListenerData } from '#contracts/thread-frames.ts'
import { dataDirectory } from '#storage/data-directory.ts'

const data = workerData as ListenerData
if (parentPort === null) throw new Error('this file is the start of a thread')
if (!existsSync(dataDirectory(data.config.data_dir).controlSocket)) throw new Error('no commands are taken')
runListener(data, parentPort)
