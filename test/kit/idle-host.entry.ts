/**
 * A thread that hosts agents which do nothing. It reports the thread of each agent, and fails when the test
 * names one of its agents on the channel `death`.
 */
import { BroadcastChannel, parentPort, threadId } from 'node:worker_threads'
import type { HostedPhoneNews, HostOrder } from '#contracts/thread-frames.ts'

if (parentPort === null) throw new Error('this file is the start of a thread')
const port = parentPort
const hosted = new Set<string>()
const tell = (news: HostedPhoneNews) => port.postMessage(news)
const death = new BroadcastChannel('death')
death.onmessage = event => {
  if (hosted.has(String((event as { data: unknown }).data))) throw new Error('told to die')
}
port.on('message', (order: HostOrder) => {
  if (order.kind === 'end') {
    hosted.delete(order.deviceId)
    return tell({ kind: 'ended', deviceId: order.deviceId })
  }
  const { deviceId } = order.phone
  hosted.add(deviceId)
  tell({ kind: 'log', entry: { level: 'info', event: 'hosted', fields: { deviceId, threadId } } })
})
