/** Entry file of the thread that makes one nightly backup and ends. The thread's error reports a failure. */
import { onThreadData } from '#app/threads/on-thread-data.ts'
import { makeNightlyBackup } from '#storage/make-nightly-backup.ts'

onThreadData(makeNightlyBackup)
