import { type MessagePort, parentPort } from 'node:worker_threads'

/**
 * For the entry file of a thread: calls `run` with the `data` of `startThread` and the port to the main
 * thread. The data is a message and not `workerData`, because a thread may load its code before its data is
 * known (`EarlyThreads`). `run` must add its own listeners for messages before it returns.
 *
 * @throws Error when the file is not run in a thread
 */
export function onThreadData<Data>(run: (data: Data, port: MessagePort) => void): void {
  const port = parentPort
  if (port === null) throw new Error('this file is the entry of a thread and cannot be run alone')
  port.once('message', (data: Data) => run(data, port))
}
