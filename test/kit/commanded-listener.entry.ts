/** A listener thread that throws if it is told to listen before the control socket is open. */
import { existsSync } from 'node:fs'
import { runListener } from '#app/threads/listener.ts'
import { onThreadData } from '#app/threads/on-thread-data.ts'
import type { ListenerControl, ListenerData } from '#contracts/thread-frames.ts'
import { dataDirectory } from '#storage/data-directory.ts'

onThreadData((data: ListenerData, port) => {
  const { controlSocket } = dataDirectory(data.config.data_dir)
  port.once('message', ({ kind }: ListenerControl) => {
    if (kind === 'begin' && !existsSync(controlSocket)) throw new Error('the control socket is not open yet')
  })
  runListener(data, port)
})
