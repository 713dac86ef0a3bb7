/** Entry file of the thread that makes one nightly backup and ends. The thread's error reports a failure. */
import { workerData } from 'node:worker_threads'
import type { NightlyBackupTask } from '#contracts/thread-frames.ts'
import { makeNightlyBackup } from '#storage/make-nightly-backup.ts'

makeNightlyBackup(workerData as NightlyBackupTask)
