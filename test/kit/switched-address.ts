/** One address for a cluster, as a load balancer makes it. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { realPause } from '#test/kit/real-pause.ts'

const LOOKED_EVERY_MS = 100

/** Asks gateways who leads, again and again. */
export class LeaderWatch {
  /** Index of the gateway that said last that it leads; null: none did. */
  leader: number | null = null
  onChange: () => void = () => {}
  #isClosed = false

  constructor(urls: readonly string[]) {
    void this.#watch(urls)
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }

  async #watch(urls: readonly string[]): Promise<void> {
    while (!this.#isClosed) {
      const answers = await Promise.all(urls.map(leads))
      const leader = answers.indexOf(true)
      if (leader !== -1 && leader !== this.leader) {
        this.leader = leader
        this.onChange()
      }
      await realPause(LOOKED_EVERY_MS)
    }
  }
}

export class SwitchedAddress {
  readonly host = '127.0.0.1'
  port = 0
  readonly #urls: readonly string[]
  readonly #watch: LeaderWatch
  readonly #open = new Set<Socket>()
  readonly #server = createServer(socket => this.#pass(socket))

  private constructor(urls: readonly string[]) {
    this.#urls = urls
    this.#watch = new LeaderWatch(urls)
    this.#watch.onChange = () => this.#drop()
  }

  /** Leads to one of these gateways. */
  static async open(urls: readonly string[]): Promise<SwitchedAddress> {
    const address = new SwitchedAddress(urls)
    address.#server.listen(0, '127.0.0.1')
    await once(address.#server, 'listening')
    address.port = (address.#server.address() as { port: number }).port
    return address
  }

  get leader(): number | null {
    return this.#watch.leader
  }

  async close(): Promise<void> {
    await this.#watch.close()
    this.#drop()
    this.#server.close()
  }

  #drop(): void {
    for (const socket of this.#open) socket.destroy()
  }

  #pass(near: Socket): void {
    const url = this.leader === null ? undefined : this.#urls[this.leader]
    if (url === undefined) return void near.destroy()
    const { hostname, port } = new URL(url)
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        this.#open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }
}

async function leads(url: string): Promise<boolean> {
  try {
    const { status } = await fetch(`${url}/leaderz`, { signal: AbortSignal.timeout(500) })
    return status === 200
  } catch {
    return false
  }
}
