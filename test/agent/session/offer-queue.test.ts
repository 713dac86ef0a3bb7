import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type { Outcome } from '#agent/drivers/driver.ts'
import { Journal } from '#agent/journal.ts'
import { recoverJournal } from '#agent/recover-journal.ts'
import type { AgentFrame, Link } from '#agent/session/link.ts'
import { OfferQueue } from '#agent/session/offer-queue.ts'
import { Radio } from '#agent/session/radio.ts'
import { Reporter } from '#agent/session/reporter.ts'
import { messageIdOf, offerOf } from '#test/kit/fake-gateway.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const never = new AbortController().signal

/** An agent without its socket. It records frames and sends, and checks whether each send was allowed. */
class WatchedAgent {
  readonly clock = new HandClock()
  readonly sent: string[] = []
  /** The result of the regular check of the driver, if it has one. */
  canSend = true
  /** How often the agent asked to begin. */
  begins = 0
  /**
   * Violations. They are not thrown, because the agent takes an error of a driver for an uncertain outcome.
   */
  readonly violations: string[] = []
  readonly #file: string
  readonly #checkEveryMs: number | undefined
  #journal: Journal
  #endCall: ((outcome: Outcome) => void) | null = null
  #link: Link | null = null
  /** The begin that a go may still use. */
  #begun: { what: string; monotonicMs: number; wallMs: number } | null = null
  #go: string | null = null
  #reports: Extract<AgentFrame, { type: 'report' }>[] = []
  offers: OfferQueue
  reporter: Reporter

  constructor(file: string, checkEveryMs?: number) {
    this.#file = file
    this.#checkEveryMs = checkEveryMs
    this.#journal = Journal.open(file)
    ;({ offers: this.offers, reporter: this.reporter } = this.#assemble())
  }

  connect(): void {
    this.disconnect()
    this.#link = { session: 's', send: frame => this.#hear(frame) }
    this.reporter.attach(this.#link)
    this.offers.attach(this.#link)
  }

  disconnect(): void {
    this.#begun = null
    this.#link = null
    this.reporter.detach()
    this.offers.detach()
  }

  go(messageId: string, attempt: number): void {
    if (this.#link === null) return
    this.#go = `${messageId} ${attempt}`
    this.offers.go(this.#link, { type: 'go', messageId, attempt })
    this.#go = null
  }

  ackAll(): void {
    for (const { messageId, attempt, state } of this.#reports) {
      this.reporter.acked({ type: 'ack', messageId, attempt, state })
    }
    this.#reports = []
  }

  async endCall(state: Outcome['state']): Promise<void> {
    this.#endCall?.({ state })
    this.#endCall = null
    await nextTurn()
  }

  /** As after kill -9: only the file is left. */
  async crash(): Promise<void> {
    this.disconnect()
    this.#endCall = null
    this.#reports = []
    this.#journal.close()
    this.#journal = Journal.open(this.#file)
    const ports = { journal: this.#journal, driver: this.#driver(), clock: this.clock, log: () => undefined }
    await recoverJournal(ports, never)
    ;({ offers: this.offers, reporter: this.reporter } = this.#assemble())
  }

  close(): void {
    this.#journal.close()
  }

  #assemble() {
    const [journal, clock, driver, log] = [this.#journal, this.clock, this.#driver(), () => undefined]
    const fault = (error: unknown) => {
      // Ignore errors of the radio of an agent that has been killed.
      if (journal === this.#journal) throw error
    }
    const reporter = new Reporter(journal, clock)
    const radio = new Radio({
      health: { noteOutcome: () => undefined },
      journal,
      reporter,
      clock,
      log,
      abandon: never,
      stop: never,
      fault,
    })
    const health = { canSendNow: async () => this.canSend }
    return { reporter, offers: new OfferQueue({ journal, reporter, radio, driver, health, clock, log }) }
  }

  #driver() {
    return {
      checkEveryMs: this.#checkEveryMs,
      send: ({ messageId, attempt }: { messageId: string; attempt: number }) => {
        const what = `${messageId} ${attempt}`
        const begun = this.#begun
        const { clock } = this
        if (this.#go !== what) this.violations.push('sent without an unused go')
        if (begun?.what !== what) this.violations.push('sent without a begin on this connection')
        if (clock.monotonicMs() - (begun?.monotonicMs ?? 0) > 10_000) this.violations.push('sent too late')
        if (clock.wallMs() - (begun?.wallMs ?? 0) > 10_000)
          this.violations.push('sent too late by the wall clock')
        if (this.#endCall !== null) this.violations.push('two calls of the radio at a time')
        if (this.sent.includes(what)) this.violations.push('sent twice')
        this.sent.push(what)
        this.#begun = null
        return new Promise<Outcome>(resolve => {
          this.#endCall = resolve
        })
      },
    }
  }

  #hear(frame: AgentFrame): void {
    if (frame.type === 'report') this.#reports.push(frame)
    if (frame.type !== 'begin') return
    this.begins++
    const [monotonicMs, wallMs] = [this.clock.monotonicMs(), this.clock.wallMs()]
    this.#begun = { what: `${frame.messageId} ${frame.attempt}`, monotonicMs, wallMs }
  }
}

const step = fc.record({
  what: fc.oneof(
    { weight: 5, arbitrary: fc.constant('offer' as const) },
    { weight: 8, arbitrary: fc.constant('go' as const) },
    { weight: 3, arbitrary: fc.constant('end' as const) },
    {
      weight: 8,
      arbitrary: fc.constantFrom('no', 'cancel', 'ack', 'connect', 'crash', 'pass', 'jump', 'tick'),
    },
  ),
  n: fc.integer({ min: 1, max: 3 }),
  attempt: fc.integer({ min: 1, max: 3 }),
  ms: fc.constantFrom(1, 4_000, 9_999, 10_001, -3_600_000),
  state: fc.constantFrom('sent', 'failed', 'uncertain', 'submitted'),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function take(agent: WatchedAgent, { what, n, attempt, ms, state }: Step) {
  const messageId = messageIdOf(n)
  if (what === 'offer') agent.offers.offer(offerOf(n, { attempt, ttlMs: 60_000 }))
  if (what === 'go') agent.go(messageId, attempt)
  if (what === 'end') await agent.endCall(state)
  if (what === 'no') agent.offers.no({ type: 'no', messageId, attempt })
  if (what === 'cancel') agent.offers.cancel(messageId)
  if (what === 'ack') agent.ackAll()
  if (what === 'connect') agent.connect()
  if (what === 'crash') await agent.crash()
  if (what === 'pass') agent.clock.advance(Math.abs(ms))
  if (what === 'jump') agent.clock.jumpWall(ms)
  if (what === 'tick') agent.offers.tick()
}

test('for any frames and any crash, an attempt is sent at most once and only after a valid go', {
  timeout: HANGS_AFTER_MS,
}, async (t: TestContext) => {
  const folder = temporaryDirectory(t)
  let runs = 0
  let sent = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async steps => {
      const agent = new WatchedAgent(join(folder, String(runs++)))
      agent.connect()
      for (const one of steps) await take(agent, one)
      agent.close()
      assert.deepEqual(agent.violations, [])
      sent += agent.sent.length
    }),
    { numRuns: 60 },
  )
  assert.ok(sent > 5, `only ${sent} messages were sent: the test shows nothing`)
})

test('the agent asks to begin only while its phone can send', async t => {
  const agent = new WatchedAgent(join(temporaryDirectory(t), 'journal'), 10_000)
  agent.connect()
  agent.canSend = false
  agent.offers.offer(offerOf(1, { ttlMs: 60_000 }))
  await nextTurn()
  agent.offers.tick()
  await nextTurn()
  assert.equal(agent.begins, 0)
  agent.canSend = true
  agent.offers.tick()
  await nextTurn()
  agent.go(messageIdOf(1), 1)
  assert.deepEqual([agent.begins, agent.sent, agent.violations], [1, [`${messageIdOf(1)} 1`], []])
  agent.close()
})
