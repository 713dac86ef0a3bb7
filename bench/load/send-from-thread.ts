/** Sends at a fixed pace from a separate thread, so that the rest of the bench delays no call or answer. */
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type SteadyLoad, sendSteadily } from '#bench/load/send-steadily.ts'

export interface ThreadLoad extends Pick<SteadyLoad, 'url' | 'perSecond'> {
  readonly key: string
  readonly body: object
}

export interface Sender {
  /** Posts messages; returns how long each answer took, ascending, in ms. */
  send(seconds: number): Promise<number[]>
  stop(): Promise<unknown>
}

const WARM_UP_S = 2

if (!isMainThread) sendOnRequest(workerData as ThreadLoad)

/** Starts a sender and sends for a while, so that the code of sender and gateway is compiled. */
export async function startSender(load: ThreadLoad): Promise<Sender> {
  const worker = new Worker(new URL(import.meta.url), { workerData: load })
  const send = async (seconds: number) => {
    worker.postMessage(seconds)
    const [tookMs] = (await once(worker, 'message')) as [number[]]
    return tookMs
  }
  await send(WARM_UP_S)
  return { send, stop: () => worker.terminate() }
}

function sendOnRequest({ key, body, ...load }: ThreadLoad): void {
  parentPort?.on('message', async (seconds: number) => {
    parentPort?.postMessage(await sendSteadily({ ...load, seconds, call: () => ({ key, body }) }))
  })
}
