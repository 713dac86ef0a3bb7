/** One address for a cluster, as keepalived or a load balancer makes it. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { realPause } from '#test/kit/real-pause.ts'

const LOOKED_EVERY_MS = 100

export class SwitchedAddress {
  port = 0
  /** Index of the gateway that said last that it leads; null: none does. */
  leader: number | null = null
  readonly #ports: readonly number[]
  readonly #open = new Set<Socket>()
  readonly #server = createServer(socket => this.#pass(socket))
  #isClosed = false

  private constructor(ports: readonly number[]) {
    this.#ports = ports
  }

  /** Leads to one of these ports on loopback. */
  static async open(ports: readonly number[]): Promise<SwitchedAddress> {
    const address = new SwitchedAddress(ports)
    address.#server.listen(0, '127.0.0.1')
    await once(address.#server, 'listening')
    address.port = (address.#server.address() as { port: number }).port
    void address.#watch()
    return address
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const socket of this.#open) socket.destroy()
    this.#server.close()
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      const answers = await Promise.all(this.#ports.map(leads))
      const leader = answers.indexOf(true)
      if (leader !== -1 && leader !== this.leader) {
        this.leader = leader
        for (const socket of this.#open) socket.destroy()
      }
      await realPause(LOOKED_EVERY_MS)
    }
  }

  #pass(near: Socket): void {
    const port = this.leader === null ? undefined : this.#ports[this.leader]
    if (port === undefined) return void near.destroy()
    const far = connect(port, '127.0.0.1')
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

async function leads(port: number): Promise<boolean> {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/leaderz`, { signal: AbortSignal.timeout(500) })
    return status === 200
  } catch {
    return false
  }
}
