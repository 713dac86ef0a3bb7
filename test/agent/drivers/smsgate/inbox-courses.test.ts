/**
 * The inbox of a phone in seeded courses: texts come late, early and from wrong clocks, the owner deletes
 * some, phone and gateway restart, the gateway's clock jumps, and some gateways have an older cursor.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PhoneCallError } from '#agent/drivers/smsgate/call-phone.ts'
import type { SeenPhone } from '#agent/drivers/smsgate/examine-phone.ts'
import { PhoneInbox } from '#agent/drivers/smsgate/read-inbox.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { Random } from '#test/kit/random.ts'
import { SkippingClock } from '#test/kit/skipping-clock.ts'
import { sized } from '#test/kit/test-size.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const YEAR = 365 * DAY
/** The agent reads the inbox so often. */
const POLL_MS = 15_000

interface Text {
  readonly id: string
  readonly timeMs: number
}

/** The phone's inbox, the newest first. */
class ModelPhone {
  readonly texts: Text[] = []
  version = '1.68.0'
  /** Calls that fail, or find no text because the phone has just started. */
  silent = 0
  starting = 0
  calls = 0
  /** Called after each page, so that texts come and go in the middle of a reading. */
  onPage = () => {}

  get seen(): SeenPhone {
    const about = { phoneId: 'p', name: 'p', appVersion: this.version, sims: [] }
    return { ...about, battery: null, charging: null, receiveTrouble: null }
  }

  put(text: Text): void {
    let low = 0
    for (let high = this.texts.length; low < high; ) {
      const middle = (low + high) >> 1
      if ((this.texts[middle]?.timeMs ?? 0) > text.timeMs) low = middle + 1
      else high = middle
    }
    this.texts.splice(low, 0, text)
  }

  async call({ path }: { readonly path: string }) {
    this.calls++
    if (this.silent > 0) {
      this.silent--
      throw new PhoneCallError('silent', true)
    }
    const texts = this.starting-- > 0 ? [] : this.texts
    const query = new URL(path, 'http://phone').searchParams
    const offset = Number(query.get('offset') ?? 0)
    const json = texts.slice(offset, offset + Number(query.get('limit'))).map(({ id, timeMs }) => {
      const createdAt = new Date(timeMs).toISOString()
      return { id, type: 'SMS', sender: null, simNumber: 1, contentPreview: id, createdAt }
    })
    const totalCount = texts.length
    this.onPage()
    return { httpStatus: 200, json, totalCount }
  }
}

interface Course {
  readonly seed: number
  readonly texts: number
  /** Texts that come between two readings, at most. */
  readonly perPoll: number
}

class Gateway {
  readonly phone = new ModelPhone()
  readonly clock = new SkippingClock(0)
  readonly came = new Set<string>()
  readonly owners = new Set<string>()
  readonly handedIn: string[] = []
  /** True time: the gateway's clock may be wrong. */
  nowMs = Date.parse('2026-01-31T12:00:00.000Z')
  cursor: string | null = null
  readonly #dice: Random
  #inbox: PhoneInbox

  constructor(dice: Random) {
    this.#dice = dice
    this.#inbox = this.#newInbox()
  }

  /** What is on the phone when it is added, or when a gateway with an older cursor is updated. */
  async begin(): Promise<void> {
    const dice = this.#dice
    const isUpdate = dice.chance(0.3)
    const newestMs = this.nowMs + (isUpdate && dice.chance(0.3) ? 7 * 60 * MINUTE : 0)
    for (let left = dice.below(400); left > 0; left--) {
      const ageMs = 61 * MINUTE + dice.next() ** 4 * YEAR
      const timeMs = !isUpdate && dice.chance(0.02) ? this.nowMs + ageMs : this.nowMs - ageMs
      this.owners.add(`owner ${left}`)
      this.phone.put({ id: `owner ${left}`, timeMs })
    }
    if (isUpdate) {
      this.phone.put({ id: 'known', timeMs: newestMs })
      this.owners.add('known')
      this.cursor = JSON.stringify({ newestMs, seen: ['known'] })
    }
    const first = this.cursor
    while (this.cursor === first) await this.poll()
  }

  come(): void {
    const id = `text ${this.came.size}`
    this.came.add(id)
    this.phone.put({ id, timeMs: Math.round(this.nowMs + this.#skewMs()) })
  }

  /** How far the service centre's time is from the time at which the text comes. */
  #skewMs(): number {
    const dice = this.#dice
    const kind = dice.next()
    if (kind < 0.5) return -dice.next() * MINUTE
    if (kind < 0.7) return -dice.next() * 3 * 60 * MINUTE
    if (kind < 0.85) return -dice.next() * 7 * DAY
    if (kind < 0.95) return dice.next() * 7 * 60 * MINUTE
    return kind < 0.98 ? -dice.next() * 2 * YEAR : dice.next() * YEAR
  }

  delete(): void {
    this.phone.texts.splice(this.#dice.below(this.phone.texts.length), 1)
  }

  advance(ms: number): void {
    this.nowMs += ms
    this.clock.advance(ms)
  }

  async poll(): Promise<void> {
    const { messages, cursor } = await this.#inbox.read(this.cursor)
    // The gateway is killed before the journal is written.
    if (this.#dice.chance(0.02)) return this.restart()
    this.cursor = cursor
    for (const { id } of messages) this.handedIn.push(id)
    if (this.#dice.chance(0.02)) this.restart()
  }

  restart(): void {
    this.#inbox = this.#newInbox()
  }

  #newInbox(): PhoneInbox {
    const { phone, clock } = this
    const wallMs = () =>
      clock.wallMs() + (this.#dice.chance(0.1) ? this.#dice.pick([-1, 1]) * this.#dice.between(DAY, YEAR) : 0)
    const wrongClock = { monotonicMs: () => clock.monotonicMs(), wallMs, after: () => () => {} }
    return new PhoneInbox(
      {
        get seen() {
          return phone.seen
        },
        call: call => phone.call(call),
      },
      wrongClock,
    )
  }
}

async function runCourse({ seed, texts, perPoll }: Course): Promise<{ faults: string[]; calls: number }> {
  const dice = new Random(seed)
  const gateway = new Gateway(dice)
  const { phone, came, owners, handedIn } = gateway
  await gateway.begin()
  phone.onPage = () => {
    if (dice.chance(0.02) && came.size < texts) gateway.come()
    if (dice.chance(0.02)) gateway.delete()
  }
  while (came.size < texts) {
    for (let left = 1 + dice.below(perPoll); left > 0; left--) gateway.come()
    if (dice.chance(0.1)) gateway.delete()
    if (dice.chance(0.05)) phone.silent = dice.below(5)
    if (dice.chance(0.03)) phone.starting = dice.below(5)
    if (dice.chance(0.01)) phone.version += '.1'
    gateway.advance(dice.chance(0.05) ? dice.next() * DAY : POLL_MS)
    await gateway.poll()
  }
  phone.onPage = () => {}
  phone.silent = 0
  phone.starting = 0
  gateway.advance(DAY)
  for (let left = 5 + came.size / 400; left > 0; left--) await gateway.poll()
  const handed = new Set(handedIn)
  return {
    calls: phone.calls,
    faults: [
      ...phone.texts.filter(({ id }) => came.has(id) && !handed.has(id)).map(({ id }) => `${id} is lost`),
      ...handedIn.filter(id => owners.has(id)).map(id => `${id} is the owner's`),
      ...(handed.size < handedIn.length ? [`${handedIn.length - handed.size} came twice`] : []),
    ].map(words => `seed ${seed}: ${words}`),
  }
}

const COURSES = sized(60, 1_500)

test(`in ${COURSES} courses each received text is handed in once`, { timeout: HANGS_AFTER_MS }, async t => {
  const faults: string[] = []
  let calls = 0
  for (let seed = 1; seed <= COURSES; seed++) {
    const course = await runCourse({ seed, texts: 100, perPoll: 1 + (seed % 7) ** 2 })
    faults.push(...course.faults)
    calls += course.calls
  }
  assert.deepEqual(faults, [])
  t.diagnostic(`${COURSES * 100} texts, ${calls} calls`)
})

test('a long inbox is handed in once', { timeout: HANGS_AFTER_MS }, async t => {
  const texts = sized(2_000, 25_000)
  const { faults, calls } = await runCourse({ seed: 1, texts, perPoll: 40 })
  assert.deepEqual(faults, [])
  t.diagnostic(`${texts} texts, ${calls} calls`)
})
