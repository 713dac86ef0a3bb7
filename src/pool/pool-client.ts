import type { MessagePort } from 'node:worker_threads'
import type {
  Pool,
  PoolAnswer,
  PoolCall,
  PoolRunOptions,
  PoolTaskInput,
  PoolTaskName,
  PoolTaskOutput,
} from '#contracts/pool-tasks.ts'
import { gatewayStopping, Problem } from '#domain/problem.ts'

interface Pending {
  readonly name: PoolTaskName
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The pool as seen from a thread other than the main one, through a port of `PoolHost.attachPort`. */
export class PoolClient implements Pool {
  readonly #port: MessagePort
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #closed = false

  constructor(port: MessagePort) {
    this.#port = port
    port.on('message', (answer: PoolAnswer) => this.#settle(answer))
    port.on('close', () => {
      this.#closed = true
      for (const { reject } of this.#pending.values()) reject(gatewayStopping())
      this.#pending.clear()
    })
  }

  run<N extends PoolTaskName>(
    name: N,
    input: PoolTaskInput<N>,
    options: PoolRunOptions = {},
  ): Promise<PoolTaskOutput<N>> {
    if (this.#closed) return Promise.reject(gatewayStopping())
    const id = ++this.#lastId
    this.#port.postMessage({ id, name, input, ...options } satisfies PoolCall)
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { name, resolve: resolve as (output: unknown) => void, reject })
    })
  }

  close(): void {
    this.#port.close()
  }

  #settle(answer: PoolAnswer): void {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if (answer.kind === 'done') pending?.resolve(answer.output)
    else if (answer.kind === 'refused') pending?.reject(Problem.from(answer.problem))
    else pending?.reject(new Error(`the pool failed at ${pending.name}: ${answer.cause}`))
  }
}
