/**
 * The threads in which the agents of phones run. The first `PHONE_THREADS_MAX` phones have a thread each. A
 * further phone joins the thread with the fewest phones.
 */
import type { Worker } from 'node:worker_threads'
import type { Log } from '#app/log.ts'
import { entryFile, startThread } from '#app/threads/entries.ts'
import type { HostedPhone, HostedPhoneNews, HostOrder } from '#contracts/thread-frames.ts'
import { causeOf } from '#domain/cause.ts'

/**
 * Threads for hosted agents. A thread takes about 14 MB, and a further agent in the same thread much less. So
 * the few phones of a home have a thread each, and thirty phones fit into the memory of the systemd unit.
 */
export const PHONE_THREADS_MAX = 8
/**
 * MiB of the young generation (new objects) in the heap of a thread with hosted agents. V8 would let it grow
 * to 48; an agent that checks its phone every ten seconds needs little.
 */
const PHONE_YOUNG_HEAP_MB_MAX = 2

export interface PhoneThreadsPorts {
  readonly log: Log
  /** Another entry file for the threads, for tests. */
  readonly entry: string | undefined
}

interface Thread {
  readonly worker: Worker
  /** What to call when the agent of a phone has ended, by device id. */
  readonly hosted: Map<string, () => void>
}

export class PhoneThreads {
  readonly #ports: PhoneThreadsPorts
  readonly #threads = new Set<Thread>()

  constructor(ports: PhoneThreadsPorts) {
    this.#ports = ports
  }

  /** Starts the agent of a phone. `ended` is called once: when the agent or its thread has ended. */
  host(phone: HostedPhone, ended: () => void): void {
    const thread = this.#choose()
    thread.hosted.set(phone.deviceId, ended)
    thread.worker.postMessage({ kind: 'host', phone } satisfies HostOrder)
  }

  /** Tells the agent to end. The agent first writes a call in progress to its journal. */
  end(deviceId: string): void {
    this.#threadOf(deviceId)?.worker.postMessage({ kind: 'end', deviceId } satisfies HostOrder)
  }

  /** Ends the thread of a phone at once, and with it the agents of all phones there. */
  terminate(deviceId: string): void {
    void this.#threadOf(deviceId)?.worker.terminate()
  }

  #threadOf(deviceId: string): Thread | undefined {
    return [...this.#threads].find(({ hosted }) => hosted.has(deviceId))
  }

  #choose(): Thread {
    if (this.#threads.size < PHONE_THREADS_MAX) return this.#start()
    return [...this.#threads].reduce((least, one) => (one.hosted.size < least.hosted.size ? one : least))
  }

  #start(): Thread {
    const { log, entry } = this.#ports
    const worker = startThread(entry ?? entryFile('phone'), {
      name: 'phones',
      resourceLimits: { maxYoungGenerationSizeMb: PHONE_YOUNG_HEAP_MB_MAX },
    })
    const thread: Thread = { worker, hosted: new Map() }
    this.#threads.add(thread)
    worker.on('message', (news: HostedPhoneNews) => {
      if (news.kind === 'log') log.entry(news.entry)
      else this.#ended(thread, news.deviceId)
    })
    worker.on('error', error => {
      const cause = causeOf(error)
      for (const deviceId of thread.hosted.keys()) log.write('error', 'phone.failed', { deviceId, cause })
    })
    worker.on('exit', () => {
      this.#threads.delete(thread)
      for (const deviceId of [...thread.hosted.keys()]) this.#ended(thread, deviceId)
    })
    return thread
  }

  #ended(thread: Thread, deviceId: string): void {
    const ended = thread.hosted.get(deviceId)
    thread.hosted.delete(deviceId)
    if (thread.hosted.size === 0) {
      this.#threads.delete(thread)
      void thread.worker.terminate()
    }
    ended?.()
  }
}
