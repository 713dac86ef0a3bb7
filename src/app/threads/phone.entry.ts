/** Entry file of a thread that hosts the agents of phones. */
import { parentPort } from 'node:worker_threads'
import { hostPhones } from '#app/threads/host-phone.ts'

if (parentPort === null) throw new Error('this file is the entry of a thread and cannot be run alone')
hostPhones(parentPort)
