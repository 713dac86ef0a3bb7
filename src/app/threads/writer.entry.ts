/** Entry file of the writer thread, which carries out the commands that change the database. */
import { onThreadData } from '#app/threads/on-thread-data.ts'
import { runWriter } from '#app/threads/writer.ts'

onThreadData(runWriter)
