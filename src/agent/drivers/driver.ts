/** The interface to what really sends: a command, a phone, or a log. */
import type { Change, Entry, Received } from '#agent/journal-record.ts'
import type { TelemetryFrame } from '#contracts/device-frames.ts'
import type { Sim } from '#contracts/phone-orders.ts'

/** A message to send; after a restart with what the journal remembers of it. */
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
  /** `submitting`, of `send` alone: whether the phone has it is not known yet, and `lookUp` is asked. */
  readonly state: Exclude<Change['state'], 'accepted'>
  /** `[A-Za-z0-9_.-]{1,64}` */
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
   * Sends, once. Never throws for what the radio does: a doubt is `uncertain`. `NO_SERVICE` says that surely
   * nothing was transmitted. When the signal aborts, the agent no longer waits: what runs is left alone.
   */
  send(order: Order, signal: AbortSignal): Promise<Outcome>
  /** Asked before each message: a place in the sent folder, kept in the journal for `follow` and `lookUp`. */
  mark?(): Promise<string | null>
  /** The next state of a message that is `submitted` or `sent`; null: nothing more will be known. */
  follow?(order: Order, state: Outcome['state'], signal: AbortSignal): Promise<Outcome | null>
  /**
   * After a crash, or in doubt: did this message leave? `not-sent` is a proof, not a guess. `later`: the
   * phone cannot be asked now.
   */
  lookUp?(order: Order, signal: AbortSignal): Promise<Outcome | 'not-sent' | 'unknown' | 'later'>
  /** Why the phone cannot send, a sentence; null: it can. May show a dialogue on the phone. */
  check?(): Promise<string | null>
  /** How often it is checked while it can send; left out: only after a text has failed. */
  readonly checkEveryMs?: number
  /** Why texts that come in do not reach the agent, a sentence; null: they do. */
  receiveTrouble?(): string | null
  /** Of the app that sends; null: not known. */
  appVersion?(): string | null
  telemetry?(): Promise<Telemetry>
  sims?(): Promise<readonly Sim[]>
  /** What came in since the cursor; null: the agent has never looked. */
  incoming?(cursor: string | null): Promise<Incoming>
}
