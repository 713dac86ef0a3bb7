import type { AlertThing } from '#contracts/alert-reading.ts'
import type { AlertSeverity } from '#contracts/webhook.ts'
import type { Language } from '#contracts/words.ts'
import type { Move } from '#domain/clock/believed-clock.ts'
import type { EndedThing, Incident } from '#domain/incident/incident.ts'
import type { RingHours } from '#domain/on-call/on-call-store.ts'

interface AlertsGroup {
  readonly subject: string | null
  readonly things: readonly AlertThing[]
  /** Whether its sender tells of no others: it has silenced them. */
  readonly isWhole?: true
}

/** What texts would have told that were taken back, because a thing is not over after all. */
export interface Unheard {
  /** Whom they were for. */
  readonly people: readonly string[]
  /** The other things that they tell the end of. */
  readonly things: readonly EndedThing[]
}

/** What an alert is about: one thing, or those of a group. */
export interface AlertAbout {
  readonly key: string | null
  /** The key that the release before gave the thing. */
  readonly formerKey?: string
  /** Of the thing; absent: it has none but `text`. */
  readonly name?: string
  readonly text: string
  readonly group?: AlertsGroup
  readonly unheard?: Unheard
}

/** What an incident begins with. */
export interface IncidentInput
  extends AlertAbout,
    Pick<
      Incident,
      | 'id'
      | 'accountId'
      | 'webhookId'
      | 'policyId'
      | 'plan'
      | 'number'
      /** Of a rehearsal: without `TEST`, with which each of its texts begins. */
      | 'text'
      | 'guess'
      | 'key'
      | 'severity'
      | 'isRehearsal'
      /** Of them only those of the policy count. */
      | 'atOnce'
    > {}

/** What an incident must know of the world. Made for one incident and one moment. */
export interface IncidentFacts {
  /** Wall-clock milliseconds. */
  readonly wallMs: number
  /** Whether a phone of the account can send at once. */
  readonly canSendNow: boolean
  /** Whether the text of an answer can arrive. */
  readonly canHearAnswers: boolean
  /** In which people are told. */
  readonly language: Language
  /** Ids of the people that a target of the plan means now, also for `everyone`. Empty: nobody. */
  resolve(target: string): readonly string[]
  /** Null: removed. */
  nameOf(personId: string): string | null
  /** Until when the person does not want to hear of alerts as bad as this; null: wants to. */
  quietUntil(personId: string, severity: AlertSeverity | null): number | null
  /**
   * Whether the person may get a further text. `last…`: one more, which says that no more come within the
   * hour or the day. Ask once for each text: what is allowed is counted.
   */
  canTell(personId: string, telling: IncidentTelling): 'yes' | 'last-of-hour' | 'last-of-day' | 'no'
  /** Whether no phone has got this message yet. */
  isWaiting(messageId: string): boolean
  /** Whether a phone can call the person in these hours. `bound`: the hour has no ring left. */
  canRing(personId: string, hours: RingHours): 'yes' | 'bound' | 'no'
}

/** What a bound must know of a text. */
export interface IncidentTelling {
  /** Whether it ends the incident for a person who was told of it. */
  readonly isEnd: boolean
  /** Whether the alert is critical, or of unknown severity. */
  readonly isUrgent: boolean
  /** Whether it is the first text of the incident to the person. */
  readonly isFirst: boolean
}

/** What a person can do by text. */
export type AnswerVerb = 'take' | 'no' | 'done'

/** The phone that got a text, and its SIM: the reply goes the same way. */
export interface ReplyWay {
  readonly deviceId: string
  /** 1-based; null: unknown. */
  readonly simSlot: number | null
}

export type IncidentEvent =
  /** Another alert. `isAloud`: no later text about a burst tells what is new in it. */
  | (AlertAbout & {
      readonly type: 'joined'
      /** Whether Roost worded the text by a guess. */
      readonly guess?: boolean
      readonly severity: AlertSeverity | null
      readonly isAloud: boolean
    })
  /**
   * The sender says that this thing is over, or those of its group. `text`: its own words. `noEnds`: keys of
   * things of earlier incidents whose end is not to be told, because they are down again.
   */
  | (AlertAbout & { readonly type: 'over'; readonly guess?: boolean; readonly noEnds?: readonly string[] })
  /** The sender says that a person works on it. `text`: the words of the sender. */
  | { readonly type: 'acknowledged'; readonly text: string; readonly guess?: boolean }
  /** A text of this person. `minutes`: how long it is taken; null: as the policy says. */
  | {
      readonly type: 'answered'
      readonly personId: string
      readonly verb: AnswerVerb
      readonly minutes: number | null
      readonly via?: ReplyWay
    }
  /** The owner. `personId`: who takes or has closed it; null: the owner. */
  | {
      readonly type: 'owner'
      readonly verb: 'take' | 'next' | 'close'
      readonly personId: string | null
      readonly minutes: number | null
    }
  /** `dueAt` is over, or a phone can send again. */
  | { readonly type: 'due' }
  /** An effect `tell` became this message. */
  | {
      readonly type: 'told'
      readonly personId: string
      readonly messageId: string
      readonly isStep: boolean
    }
  /** The message failed for good. */
  | { readonly type: 'text-failed'; readonly messageId: string }
  | {
      readonly type: 'ring-ended'
      readonly personId: string
      readonly outcome: 'rang' | 'busy' | 'failed'
    }
  /** The text about gathered alerts. `isDown`: it names something that is down and was not named before. */
  | { readonly type: 'storm-told'; readonly text: string; readonly isDown?: boolean }
  /** A further incident has no room, so this one is closed. */
  | { readonly type: 'dropped' }
  /** The wall clock jumped by so many milliseconds; `facts.wallMs` is the time after it. */
  | ({ readonly type: 'moved' } & Pick<Move, 'since' | 'ms'>)

export type EventOf<Type extends IncidentEvent['type']> = Extract<IncidentEvent, { type: Type }>

export type IncidentEffect =
  /** At most one a person. Report the message with `told`. */
  | {
      readonly type: 'tell'
      readonly personId: string
      /** When it shall leave; null: at once. */
      readonly sendAt: number | null
      readonly text: string
      readonly guess: boolean
      /** Whether the text belongs to a step, which goes on at once if all of its texts fail. */
      readonly isStep: boolean
      /** Whether it counts towards the texts of the person's hour. Texts that end an incident do not. */
      readonly counts: boolean
      /** Whether it is about things that joined. */
      readonly isAlso: boolean
      /** It says that no more texts come in this hour or on this day. */
      readonly isLastOf?: 'hour' | 'day'
    }
  /** The answer to the person's text. `isUseless`: counts towards the few replies that such texts get. */
  | {
      readonly type: 'reply'
      readonly personId: string
      readonly text: string
      readonly guess: boolean
      readonly isUseless: boolean
      readonly via?: ReplyWay
    }
  /** These messages are not sent any more. */
  | { readonly type: 'withdraw'; readonly messageIds: readonly string[] }
  | { readonly type: 'ring'; readonly personId: string }
  /** All rings about the incident stop. */
  | { readonly type: 'hang-up' }
  | {
      readonly type: 'notify'
      readonly event: `incident.${'opened' | 'taken' | 'escalated' | 'unanswered' | 'closed'}`
    }
  /** Nobody took it: INCIDENT_UNANSWERED. */
  | { readonly type: 'alarm' }

/** The incident afterwards; the same object if nothing changed. Effects in the order in which they happen. */
export interface IncidentOutcome {
  readonly incident: Incident
  readonly effects: readonly IncidentEffect[]
}
