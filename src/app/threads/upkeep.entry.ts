/** Entry file of the thread that makes one nightly backup, or checks the database, and ends. */
import { onThreadData } from '#app/threads/on-thread-data.ts'
import type { UpkeepTask } from '#contracts/thread-frames.ts'
import { sleep } from '#rate-limit/sleep.ts'
import { backUp } from '#storage/backup.ts'
import { checkDatabase } from '#storage/check-database.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { makeNightlyBackup } from '#storage/make-nightly-backup.ts'

// An error of the task ends the thread, and the main thread gets it.
onThreadData((task: UpkeepTask) => {
  if (task.kind === 'check') checkDatabase(task.database)
  else if (task.kind === 'copy') void backUp(dataDirectory(task.dataDir), task.file, sleep)
  else void makeNightlyBackup(task, sleep)
})
