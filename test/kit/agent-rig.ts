/** An agent in this process. The test controls its radio, its clock and its gateway. */
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Driver, Order, Outcome } from '#agent/drivers/driver.ts'
import { saveIdentity } from '#agent/identity.ts'
import { type AgentIo, runAgent } from '#agent/run-agent.ts'
import { DEVICE_ID, DEVICE_TOKEN, FakeGateway, offerOf, type PhoneSocket } from '#test/kit/fake-gateway.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

/** A driver whose calls the test observes and ends. */
export class HandRadio implements Driver {
  readonly sent: string[] = []
  readonly #calls: { order: Order; resolve: (outcome: Outcome) => void }[] = []
  readonly #news = new EventTarget()

  send(order: Order): Promise<Outcome> {
    this.sent.push(`${order.messageId} ${order.attempt}`)
    return new Promise(resolve => {
      this.#calls.push({ order, resolve })
      this.#news.dispatchEvent(new Event('call'))
    })
  }

  /** Resolves when the radio is called. `end` ends that call with an outcome. */
  async called(): Promise<{ order: Order; end: (outcome: Outcome) => void }> {
    for (;;) {
      const call = this.#calls.shift()
      if (call !== undefined) return { order: call.order, end: call.resolve }
      await once(this.#news, 'call')
    }
  }
}

export interface AgentRig {
  readonly gateway: FakeGateway
  readonly clock: HandClock
  readonly radio: HandRadio
  readonly stateFile: string
  readonly logged: string[]
  /** Starts the agent, also again after it has ended. */
  start(changes?: Partial<AgentIo>): { exit: Promise<number>; stop: () => void }
}

/** A paired agent, not yet started. */
export async function agentRig(t: TestContext): Promise<AgentRig> {
  const gateway = await FakeGateway.start()
  const stateFile = join(temporaryDirectory(t), 'state.json')
  const socketUrl = `${gateway.url.replace('http', 'ws')}/device/v1/socket`
  const pairedAt = '2026-01-31T12:00:00.000Z'
  saveIdentity(stateFile, {
    version: 1,
    deviceId: DEVICE_ID,
    token: DEVICE_TOKEN,
    socketUrl,
    name: 'rig',
    pairedAt,
  })
  const clock = new HandClock()
  const radio = new HandRadio()
  const logged: string[] = []
  const running: { exit: Promise<number>; stop: () => void }[] = []
  t.after(async () => {
    for (const { stop } of running) stop()
    // A stopping agent waits for its radio and for acknowledgements, which no longer come after a test.
    let ended = false
    const exits = Promise.all(running.map(({ exit }) => exit)).finally(() => {
      ended = true
    })
    while (!ended) {
      clock.advance(1_000)
      await nextTurn()
    }
    await exits
    await gateway.stop()
  })
  return {
    gateway,
    clock,
    radio,
    stateFile,
    logged,
    start(changes = {}) {
      const controller = new AbortController()
      const options = {
        server: null,
        code: null,
        authority: null,
        stateFile,
        name: 'rig',
        driver: { name: 'log' },
      } as const
      const io = {
        log: (line: string) => logged.push(line),
        print: () => undefined,
        askPassword: () => Promise.resolve(''),
        env: process.env,
        program: [],
      }
      const signal = controller.signal
      const exit = runAgent(options, { ...io, signal, clock, random: () => 0, driver: radio, ...changes })
      const agent = { exit, stop: () => controller.abort() }
      running.push(agent)
      return agent
    },
  }
}

/** Starts an agent, and does the handshake on its connection to the gateway. */
export async function connectedAgent(t: TestContext) {
  const rig = await agentRig(t)
  rig.start()
  const phone = await rig.gateway.nextPhone()
  await phone.handshake()
  return { rig, phone }
}

/** Offers this message to the phone, sends the `go`, and returns the call of the phone's radio. */
export async function radioCallFor(rig: AgentRig, phone: PhoneSocket, message: number) {
  phone.sendFrame(offerOf(message))
  await phone.next('begin')
  phone.go(message)
  return rig.radio.called()
}
