/** A listener thread whose clocks a test moves. */
import { runListener } from '#app/threads/listener.ts'
import { onThreadData } from '#app/threads/on-thread-data.ts'
import { followMovedClock } from '#test/kit/follow-moved-clock.ts'

followMovedClock()
onThreadData(runListener)
