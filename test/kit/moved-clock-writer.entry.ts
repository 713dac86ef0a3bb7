/** A writer thread whose clocks a test moves. */
import { onThreadData } from '#app/threads/on-thread-data.ts'
import { runWriter } from '#app/threads/writer.ts'
import { followMovedClock } from '#test/kit/follow-moved-clock.ts'

followMovedClock()
onThreadData(runWriter)
