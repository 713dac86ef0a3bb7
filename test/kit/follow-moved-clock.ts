import { BroadcastChannel } from 'node:worker_threads'

/** Lets `MovedClock` move both clocks of this thread. Call it before the thread starts its work. */
export function followMovedClock(): void {
  const wallMs = Date.now
  const monoMs = performance.now.bind(performance)
  let ahead = 0
  Date.now = () => wallMs() + ahead
  performance.now = () => monoMs() + ahead
  const moved = new BroadcastChannel('clock-moved')
  const channel = new BroadcastChannel('clock')
  channel.onmessage = event => {
    ahead = (event as { data: number }).data
    moved.postMessage(ahead)
  }
}
