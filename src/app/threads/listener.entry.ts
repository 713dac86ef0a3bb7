/** Entry file of a listener thread, which answers requests and holds the sockets of phones. */
import { runListener } from '#app/threads/listener.ts'
import { onThreadData } from '#app/threads/on-thread-data.ts'

onThreadData(runListener)
