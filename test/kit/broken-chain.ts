/** An owner whose phones text each other over a network that a test breaks, and whose clock it moves. */
import assert from 'node:assert/strict'
import type { DrillResource } from '#contracts/drill.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { readOnce } from '#storage/database.ts'
import type { TestAccount, TestGateway } from '#test/kit/gateway.ts'
import type { MovedClock } from '#test/kit/moved-clock.ts'
import { nextLook } from '#test/kit/next-turn.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** A drill and its repeat take less. */
const MINUTES_MAX = 120

/** The network between phones. */
export class Air {
  /** Numbers of phones that say that a text left, and keep it. */
  readonly eaters = new Set<string>()
  /** Numbers of phones that get texts, and hand in none. */
  readonly deaf = new Set<string>()
  isLate = false
  /** How a text arrives at a number. */
  readonly phones = new Map<string, (text: string) => unknown>()
  /** Texts that have arrived. */
  readonly arrived: string[] = []
  readonly #late: (() => void)[] = []

  send(from: string, to: string, text: string): void {
    if (this.eaters.has(from) || this.deaf.has(to)) return
    const arrive = () => {
      this.arrived.push(text)
      this.phones.get(to)?.(text)
    }
    if (this.isLate) this.#late.push(arrive)
    else setImmediate(arrive)
  }

  /** All works again, and what is late comes. */
  mend(): void {
    this.eaters.clear()
    this.deaf.clear()
    this.isLate = false
    for (const arrive of this.#late.splice(0)) arrive()
  }
}

interface Parts {
  readonly gateway: TestGateway
  readonly account: TestAccount
  readonly clock: MovedClock
  readonly air: Air
  /** Connects those phones again that do not by themselves. */
  readonly reconnect?: () => Promise<void>
}

export class ChainOwner {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async call(method: string, path: string, json?: object): Promise<unknown> {
    const { gateway, account } = this.#parts
    const options = { token: account.token, ...(json !== undefined && { json }) }
    const answer = await gateway.call(method, `/api/v1${path}`, options)
    assert.equal(answer.status, 200, answer.text)
    return answer.json?.data
  }

  async untilOnline(count: number): Promise<void> {
    const { gateway, account } = this.#parts
    for (;;) {
      const all = await gateway.ask('device.list', { accountId: account.accountId })
      if (all.filter(one => one.status !== 'offline' && one.receives).length === count) return
      await nextLook()
    }
  }

  drills(deviceId: string): Promise<readonly DrillResource[]> {
    const { gateway, account } = this.#parts
    return gateway.ask('drill.list', { accountId: account.accountId, deviceId })
  }

  /** Starts a drill, and waits for its end. */
  async prove(deviceId: string): Promise<DrillResource> {
    const { gateway, account } = this.#parts
    const { id } = await gateway.ask('drill.start', { accountId: account.accountId, deviceId })
    for (;;) {
      const drill = (await this.drills(deviceId)).find(one => one.id === id)
      if (drill?.outcome != null) return drill
      await nextLook()
    }
  }

  /** What is said of a broken chain. */
  async broken(): Promise<readonly string[]> {
    const { gateway, account } = this.#parts
    const problems = await gateway.ask('health.list', { accountId: account.accountId })
    return problems.filter(({ code }) => code === 'CHAIN_BROKEN').map(({ message }) => message)
  }

  /** Lets the phone have its planned drill of the next day, until the chain is known to be broken. */
  async untilBroken(deviceId: string, phones: number): Promise<readonly string[]> {
    const { gateway, account, clock, reconnect } = this.#parts
    await clock.advance(DAY)
    await reconnect?.()
    await this.untilOnline(phones)
    const due = new Date(Date.now() + clock.aheadMs + MINUTE)
    const at = [due.getHours(), due.getMinutes()].map(part => String(part).padStart(2, '0')).join(':')
    const change = { drill: { every: 'day', at, to: null, simSlot: null } } as const
    await gateway.ask('device.update', { accountId: account.accountId, deviceId, change })
    for (let minute = 0; minute < MINUTES_MAX; minute++) {
      await clock.advance(MINUTE)
      const said = await this.broken()
      if (said.length > 0) return said
      await this.#untilSent()
    }
    throw new Error(`not noticed: ${JSON.stringify(await this.drills(deviceId))}`)
  }

  /** Waits until each text of a drill has left, and each that arrived was handed in: no clock moves there. */
  async #untilSent(): Promise<void> {
    const { gateway, air } = this.#parts
    const file = dataDirectory(gateway.dataDir).database
    for (;;) {
      const open = readOnce(file, database =>
        database
          .prepare(`
            SELECT drill.code, message.status FROM drill JOIN message ON message.id = drill.message_id
            WHERE drill.outcome IS NULL`)
          .all(),
      )
      const isMoving = ({ code, status }: (typeof open)[number]) =>
        status === 'queued' || status === 'sending' || air.arrived.some(text => text.includes(String(code)))
      if (!open.some(isMoving)) return
      await nextLook()
    }
  }
}
