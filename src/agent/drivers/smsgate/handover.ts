/** Gives each text to the phone exactly once, even if requests or answers get lost. */
import * as v from 'valibot'
import type { Clock } from '#agent/clock.ts'
import type { Order, Outcome } from '#agent/drivers/driver.ts'
import { PhoneCallError } from '#agent/drivers/smsgate/call-phone.ts'
import type { PhoneLink } from '#agent/drivers/smsgate/phone-link.ts'
import type { Witness } from '#agent/drivers/smsgate/phone-record.ts'
import { CODE_VALIDITY_LEFT_MS_MIN } from '#contracts/bounds.ts'
import { AppMessage, appMessageId, readAppMessage, SMSGATE_PRIORITY } from '#contracts/smsgate.ts'

/** The app still has each message that is at most this old: it keeps messages for at least a day. */
const SMSGATE_MEMORY_MS = 43_200_000
/**
 * How often the agent saves the witness: the id of a message that the phone certainly knows. If the phone
 * later does not know this id, it has lost its messages. Saving it with every text would wear out flash
 * memory.
 */
const SMSGATE_WITNESS_EVERY_MS = 3_600_000
/**
 * A text whose outcome stays unknown for this long ends as `uncertain`. Longer than any time to live.
 */
const SMSGATE_OUTCOME_UNKNOWN_MS_MAX = 345_600_000

/**
 * The journal keeps a mark with each text: the phone that it was meant for, and a witness, which is the id of
 * another text that this phone knew at that time. A phone whose data was cleared has forgotten the texts it
 * sent. So its answer "I do not know this id" proves something only if the phone still knows the witness.
 * Without a witness, as with the very first text, such an answer leaves the outcome unknown.
 */
const Mark = v.object({ phoneId: v.nullable(v.string()), witness: v.nullable(v.string()) })
type Mark = v.InferOutput<typeof Mark>

/** `later`: the phone cannot be asked now. */
type Found = Outcome | 'later'

export class Handover {
  readonly #link: PhoneLink
  readonly #clock: Clock
  /** The id of a text that the phone knew, and the wall-clock time of that answer. */
  #witness: Witness | null

  constructor(link: PhoneLink, clock: Clock) {
    this.#link = link
    this.#clock = clock
    this.#witness = link.witness
  }

  /** Returns the mark for the next text, as JSON. */
  async mark(): Promise<string> {
    const known = this.#witness
    // If the phone cannot be asked, keep the witness. A forgotten witness only leaves outcomes unknown.
    if (known !== null && !this.#isFresh(known) && (await this.#stillKnows(known.id)) === false)
      this.#witness = null
    const mark: Mark = { phoneId: this.#link.phoneId, witness: this.#witness?.id ?? null }
    return JSON.stringify(mark)
  }

  /** Notes that the phone has this text, so that the text can serve as the witness. */
  noteKnown({ messageId, attempt }: Order): void {
    this.#noteWitness(appMessageId(messageId, attempt))
  }

  #noteWitness(id: string): void {
    const atMs = this.#clock.wallMs()
    this.#witness = { id, atMs }
    const written = this.#link.witness
    const isNew = written === null || Math.abs(atMs - written.atMs) >= SMSGATE_WITNESS_EVERY_MS
    if (isNew) this.#link.noteWitness(this.#witness)
  }

  /** Whether the witness is new enough that the app has not removed it for its age. */
  #isFresh({ atMs }: Witness): boolean {
    return Math.abs(this.#clock.wallMs() - atMs) < SMSGATE_MEMORY_MS
  }

  async send(order: Order): Promise<Outcome> {
    const examined = await this.#link.examineForText()
    if (examined.kind === 'trouble')
      return { state: 'failed', code: examined.code, detail: examined.sentence }
    const posted = await this.#post(order)
    if (posted === 'unsent') return UNREACHABLE
    if (posted !== 'later') return posted
    // The answer got lost. Look the text up once now. If the outcome stays unknown, the agent does so again
    // later.
    const lookedUp = await this.lookUp(order)
    return typeof lookedUp === 'string' ? { state: 'submitting' } : lookedUp
  }

  /**
   * Finds out whether a text reached the phone. If the phone does not know the text and its time to live is
   * not over, this posts the text again, with the same id, and does not answer `not-sent`: the first
   * request may still arrive, and only the phone can see that both requests have the same id.
   */
  async lookUp(order: Order): Promise<Outcome | 'not-sent' | 'unknown' | 'later'> {
    const unknownForMs = this.#sinceMs(order.at)
    const examined = await this.#link.examine()
    if (examined.kind === 'trouble')
      return unknownForMs > SMSGATE_OUTCOME_UNKNOWN_MS_MAX ? 'unknown' : 'later'
    const found = await this.#find(order)
    if (found !== 'never') return found
    if (unknownForMs > SMSGATE_MEMORY_MS) return 'unknown'
    const remembers = await this.#remembers(order)
    if (remembers === 'later') return 'later'
    if (!remembers) return 'unknown'
    if (this.#leftMs(order) <= (order.kind === '2fa' ? CODE_VALIDITY_LEFT_MS_MIN : 0)) return 'not-sent'
    const posted = await this.#post(order)
    // A failure of this request says nothing about the earlier request.
    const saysNothing = posted === 'unsent' || (posted !== 'later' && posted.code === REFUSED.code)
    return saysNothing ? 'later' : posted
  }

  /** `unsent`: this request certainly did not reach the phone. */
  async #post(order: Order): Promise<Found | 'unsent'> {
    try {
      const { httpStatus, json } = await this.#link.call({
        method: 'POST',
        path: '/message?skipPhoneValidation=true',
        body: this.#bodyOf(order),
      })
      if (httpStatus >= 500) return 'later'
      if (httpStatus !== 409 && (httpStatus < 200 || httpStatus > 299)) return refused(httpStatus, json)
      this.noteKnown(order)
      return httpStatus === 409 ? { state: 'submitted' } : outcomeOf(json)
    } catch (error) {
      if (!(error instanceof PhoneCallError)) throw error
      return error.mayHaveArrived ? 'later' : 'unsent'
    }
  }

  /** `never`: the phone does not know this id. */
  async #find({ messageId, attempt }: Order): Promise<Found | 'never'> {
    try {
      const id = appMessageId(messageId, attempt)
      const { httpStatus, json } = await this.#link.call({ method: 'GET', path: pathOf(id) })
      if (httpStatus === 404) return 'never'
      if (httpStatus !== 200) return 'later'
      this.#noteWitness(id)
      return outcomeOf(json)
    } catch (error) {
      if (!(error instanceof PhoneCallError)) throw error
      return 'later'
    }
  }

  /** Whether the phone is the one that the text was meant for, and still knows the witness. */
  async #remembers({ mark }: Order): Promise<boolean | 'later'> {
    const { phoneId, witness } = readMark(mark)
    if (witness === null || (phoneId !== null && phoneId !== this.#link.phoneId)) return false
    return this.#stillKnows(witness)
  }

  async #stillKnows(id: string): Promise<boolean | 'later'> {
    try {
      const { httpStatus } = await this.#link.call({ method: 'GET', path: pathOf(id) })
      if (httpStatus === 404) return false
      if (httpStatus !== 200) return 'later'
      this.#noteWitness(id)
      return true
    } catch (error) {
      if (!(error instanceof PhoneCallError)) throw error
      return 'later'
    }
  }

  #bodyOf(order: Order): object {
    const { messageId, attempt, message, phoneNumber, simSlot, kind } = order
    return {
      id: appMessageId(messageId, attempt),
      textMessage: { text: message },
      phoneNumbers: [phoneNumber],
      ...(simSlot === null ? {} : { simNumber: simSlot }),
      withDeliveryReport: true,
      priority: kind === '2fa' ? SMSGATE_PRIORITY.high : SMSGATE_PRIORITY.normal,
      ttl: Math.max(1, Math.floor(this.#leftMs(order) / 1000)),
    }
  }

  #leftMs({ ttlMs, acceptedAt }: Order): number {
    return ttlMs - this.#sinceMs(acceptedAt)
  }

  /**
   * Milliseconds since a time on the wall clock, the only clock that survives a restart. 0 if the clock was
   * set back to an earlier time.
   */
  #sinceMs(time: string): number {
    return Math.max(0, this.#clock.wallMs() - Date.parse(time))
  }
}

const pathOf = (id: string) => `/message/${encodeURIComponent(id)}`

const UNREACHABLE: Outcome = {
  state: 'failed',
  code: 'PHONE_UNREACHABLE',
  detail: 'the phone could not be reached',
}
const REFUSED: Outcome = {
  state: 'failed',
  code: 'PHONE_REFUSED',
  detail: 'the phone refuses user name and password',
}

/** The phone has accepted the text, even if its answer does not say the state. */
function outcomeOf(json: unknown): Outcome {
  const read = v.safeParse(AppMessage, json)
  return read.success ? readAppMessage(read.output) : { state: 'submitted' }
}

/** The outcome of a text that the phone refused. */
function refused(httpStatus: number, json: unknown): Outcome {
  if (httpStatus === 401 || httpStatus === 403) return REFUSED
  const parsed = v.safeParse(v.object({ message: v.string() }), json)
  const words = parsed.success ? parsed.output.message : `HTTP ${httpStatus}`
  return {
    state: 'failed',
    code: 'PHONE_SAID_NO',
    detail: `SMSGate refuses the text: ${words}`.slice(0, 500),
  }
}

function readMark(mark: string | null): Mark {
  try {
    return v.parse(Mark, JSON.parse(mark ?? ''))
  } catch {
    return { phoneId: null, witness: null }
  }
}
