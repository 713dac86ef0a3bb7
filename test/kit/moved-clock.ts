import { BroadcastChannel } from 'node:worker_threads'
import { bundled } from '#test/kit/bundle.ts'

/** The writer and one listener. */
const THREADS = 2

/** Moves the clocks of a gateway that has one listener and the threads of `entries`. */
export class MovedClock {
  readonly entries = { writer: bundled('moved-clock-writer'), listener: bundled('moved-clock-listener') }
  readonly #channel = new BroadcastChannel('clock')
  readonly #moved = new BroadcastChannel('clock-moved')
  /** Milliseconds since the start. */
  aheadMs = 0

  /** Resolves when all threads have the new time. What is due runs with the writer's next command. */
  async advance(ms: number): Promise<void> {
    this.aheadMs += ms
    const { promise, resolve } = Promise.withResolvers<void>()
    let left = THREADS
    this.#moved.onmessage = () => {
      left -= 1
      if (left === 0) resolve()
    }
    this.#channel.postMessage(this.aheadMs)
    await promise
  }

  close(): void {
    this.#channel.close()
    this.#moved.close()
  }
}
