/** The thread that makes one nightly backup and ends; a failure is its error. */
import { workerData } from 'node:worker_threads'
import type { NightlyBackupTask } from '#contracts/thread-frames.ts'
import { makeNightlyBackup } from '#storage/make-nightly-backup.ts'

makeNightlyBackup(workerData as NightlyBackupTask)
