/** Entry file of the writer thread, which carries out the commands that change the database. */
import { parentPort, workerData } from 'node:worker_threads'
import { runWriter } from '#app/threads/writer.ts'
import type { WriterData } from '#contracts/thread-frames.ts'

if (parentPort === null) throw new Error('this file is the entry of a thread and cannot be run alone')
runWriter(workerData as WriterData, parentPort)
