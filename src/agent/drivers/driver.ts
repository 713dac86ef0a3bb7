/** The interface between the agent and what sends its texts: a command, a phone, or a log. */
import type { Change, Entry, Received } from '#agent/journal-record.ts'
import type { TelemetryFrame } from '#contracts/device-frames.ts'
import type { RingOutcome, Sim } from '#contracts/phone-orders.ts'

/**
 * The agent's order to its driver: send this message. (`contracts/phone-orders.ts` has the gateway's orders.)
 * After a restart the fields come from the journal.
 */
export type Order = Pick<
  Entry,
  | 'messageId'
  | 'attempt'
  | 'phoneNumber'
  | 'message'
  | 'segments'
  | 'simSlot'
  | 'kind'
  | 'ttlMs'
  | 'acceptedAt'
  | 'mark'
  | 'at'
>

export interface Outcome {
  /**
   * `submitting` means that it is not known whether the phone has the message. Only `send` returns it. The
   * agent then calls `lookUp`.
   */
  readonly state: Exclude<Change['state'], 'accepted'>
  /** Matches `[A-Za-z0-9_.-]{1,64}`. */
  readonly code?: string
  readonly detail?: string
}

export type Telemetry = Pick<TelemetryFrame, 'battery' | 'charging' | 'signal'>

export interface Incoming {
  readonly messages: readonly Received[]
  readonly cursor: string | null
}

export interface Driver {
  /**
   * Sends the message once. Radio failures are outcomes, not exceptions: `uncertain` if the phone may have
   * transmitted, `failed` with a code such as `NO_SERVICE` if it certainly did not (all these codes:
   * `domain/message/phone-failure.ts`). When the signal aborts, the agent stops waiting and lets a running
   * command continue. A driver that runs a command passes `began` to `runProcess`. After a crash of the
   * agent, a command that still runs is ended before `lookUp` is called.
   */
  send(order: Order, signal: AbortSignal, began?: (command: string) => void): Promise<Outcome>
  /**
   * Returns what `follow` and `lookUp` need to find the next message, such as a position in the phone's sent
   * folder. Called before each message. The journal keeps the mark. Null: there is none now.
   */
  mark?(): Promise<string | null>
  /**
   * Waits for the next state of a message that is `submitted` or `sent`. Null: nothing more will be known.
   */
  follow?(order: Order, state: Outcome['state'], signal: AbortSignal): Promise<Outcome | null>
  /**
   * Asks whether the phone sent this message, after a crash or if the outcome of `send` is not known.
   * `not-sent`: it certainly did not. `later`: the phone cannot be asked now.
   */
  lookUp?(order: Order, signal: AbortSignal): Promise<Outcome | 'not-sent' | 'unknown' | 'later'>
  /** Why the phone cannot send, a sentence. Null: it can. May show a dialogue on the phone. */
  check?(): Promise<string | null>
  /**
   * Milliseconds between checks of a phone that can send. It is also checked before each text. Left out: the
   * agent checks the phone only when it starts and after a text has failed, until the phone can send.
   */
  readonly checkEveryMs?: number | undefined
  /** Why the agent does not get the texts that the phone receives, a sentence. Null: it gets them. */
  receiveTrouble?(): string | null
  /** Maker and model of the phone that the agent runs on. Null: not known. */
  phoneName?(): Promise<string | null>
  /** The version of the app that sends. Null: not known. */
  appVersion?(): string | null
  telemetry?(): Promise<Telemetry>
  sims?(): Promise<readonly Sim[]>
  /**
   * Calls the number (E.164), lets it ring for so many seconds, and hangs up, or earlier when the signal
   * aborts. `rang`: it rang until then, or somebody answered. Left out: the phone cannot call.
   */
  readonly ring?:
    | ((phoneNumber: string, seconds: number, signal: AbortSignal) => Promise<RingOutcome>)
    | undefined
  /**
   * Texts that the phone received after the cursor. Cursor null: this is the first call. `isWaiting` says
   * whether the gateway has not acknowledged a text, by its id. A driver may delete the others on the phone.
   */
  incoming?(cursor: string | null, isWaiting?: (id: string) => boolean): Promise<Incoming>
  /** Sets what to call when there may be a new text, so that `incoming` is called before its time. */
  onIncoming?(wake: () => void): void
  /** Called once, after all other calls have ended. */
  close?(): void
}
