/**
 * The commands of the writer, one entry for each use case, with its input and its output. Listeners send
 * them. The command line sends them through the control socket of a running gateway, or to a writer of its
 * own if no gateway runs.
 */
import type { AccountCommands } from '#contracts/account-commands.ts'
import type { AlertFacts, ReadingCommands } from '#contracts/alert-reading.ts'
import type {
  DeviceChange,
  DeviceDetail,
  DeviceListItem,
  PairedDevice,
  PairingResource,
  PairRequest,
} from '#contracts/device.ts'
import type { ClockCommands, GatewayState, HealthProblem, MachineFacts } from '#contracts/health.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { DeliveryResource, NotificationResource, ReplayedResource } from '#contracts/notification.ts'
import type { SenderExchange, SenderOrders } from '#contracts/notification-delivery.ts'
import type { NotificationEventName } from '#contracts/notification-event.ts'
import type { PhoneCommands } from '#contracts/phone-commands.ts'
import type { DeviceProtocol, Sim } from '#contracts/phone-orders.ts'
import type { Encoding, MessageKind } from '#contracts/primitives.ts'
import type { ProblemData } from '#contracts/problem.ts'
import type { KeptRequest, TriggerNote } from '#contracts/seen-trigger.ts'
import type { IssuedCodeResource, VerifiedCodeResource, VerifyReason } from '#contracts/two-factor.ts'
import type { AlertFormat, AlertSeverity, TriggeredResource, WebhookResource } from '#contracts/webhook.ts'

/** A message that the API has checked: number, segments and encoding are already worked out. */
export interface AcceptMessage {
  readonly accountId: string
  readonly test: boolean
  readonly kind: MessageKind
  /** E.164. */
  readonly phoneNumber: string
  /** ISO 3166-1 alpha-2; `+` and the calling code where several countries share it; null: unknown. */
  readonly country: string | null
  readonly text: string
  readonly segments: number
  readonly encoding: Encoding
  readonly deviceId: string | null
  readonly ttlMs: number | null
  readonly sendAt?: number | null | undefined
  readonly priority: 'normal' | 'high'
  readonly simSlot: number | null
  readonly queueIfOffline: boolean
  readonly notificationUrl: string | null
  readonly idempotency: { readonly scope: string; readonly key: string; readonly bodyHash: string } | null
}

/** The answer to `message.accept`. */
export interface AcceptedMessage {
  /** An `AcceptedMessageResource` as JSON. It is also stored, to answer a repeated idempotency key. */
  readonly answer: string
  /** True: the idempotency key was used before, and `answer` is the answer to its first request. */
  readonly replayed: boolean
}

export interface MessageReference {
  readonly accountId: string
  readonly test: boolean
  readonly messageId: string
}

export interface IssueCode {
  readonly accountId: string
  readonly test: boolean
  /** E.164. */
  readonly phoneNumber: string
  /** As in `AcceptMessage`. */
  readonly country: string | null
  /** 4 to 10 letters or digits; null: the writer draws six random digits. */
  readonly code: string | null
  readonly template: string
  readonly validityMs: number
  readonly deviceId: string | null
  readonly idempotency: AcceptMessage['idempotency']
}

export interface IssuedCode {
  readonly answer: IssuedCodeResource
  /** As in `AcceptedMessage`. */
  readonly replayed: boolean
}

/** Counts a try before its code is compared. `by`: the newest code of a number, or the code of a message. */
export interface CountTry {
  readonly accountId: string
  readonly test: boolean
  readonly by: { readonly phoneNumber: string } | { readonly messageId: string }
}

/** A counted try, which may be compared once; or the reason why no code can be tried. */
export type CountedTry =
  | { readonly reason: VerifyReason }
  | { readonly reason: null; readonly messageId: string; readonly tryNumber: number }

export interface CompareTry extends MessageReference {
  /** From `CountedTry`; counts from 1. */
  readonly tryNumber: number
  readonly code: string
}

/** A recipient of alerts or alarms. */
export interface Recipient {
  /** E.164. */
  readonly phoneNumber: string
  /** As in `AcceptMessage`. */
  readonly country: string | null
}

/** The settings of a webhook. */
export interface WebhookFields {
  readonly name: string
  readonly recipients: readonly Recipient[]
  /** Triggers accepted in any 60 minutes. Comments call this the cap of the webhook. */
  readonly maxPerHour: number
  readonly messageTemplate: string | null
  readonly allowedIps: readonly string[]
  readonly deviceId: string | null
  readonly enabled: boolean
  /** Milder alerts send no text; null: all alerts do. */
  readonly minSeverity: AlertSeverity | null
  readonly sendRecovered: boolean
  readonly summarizeOverflow: boolean
  readonly keepLastBody: boolean
  /** Whether alerts that come quickly one after another are told in one text. */
  readonly gather: boolean
  /** After so many minutes without a request, recipients are told. Null: silence is not watched. */
  readonly silentAfterMinutes: number | null
}

export interface WebhookReference {
  readonly accountId: string
  readonly webhookId: string
}

/** A rendered alert that a listener admitted. The writer checks the limits again: they may have changed. */
export interface TriggerWebhook {
  /** SHA-256 of the token in the path. */
  readonly tokenHash: Uint8Array
  /** SHA-256 of the request; the same hash within `TRIGGER_REPEAT_MS` is a repetition by the sender. */
  readonly requestHash: Uint8Array
  readonly text: string
  readonly segments: number
  readonly encoding: Encoding
  readonly format: AlertFormat
  readonly facts: AlertFacts
  /** IP address of the sender. */
  readonly address: string
  readonly guess: boolean
  readonly shape: string | null
  /** The request to keep for the owner; null: `keepLastBody` is off. */
  readonly kept: KeptRequest | null
}

export interface DeviceReference {
  readonly accountId: string
  readonly deviceId: string
}

export interface AccountReference {
  readonly accountId: string
}

/**
 * The name under which the messages of one call are found together. `given`: chosen by the caller. `first`:
 * the id of the first message.
 */
export type CallNameChoice = { readonly given: string } | 'first'

export interface Commands extends AccountCommands, ClockCommands, PhoneCommands, ReadingCommands {
  /**
   * Accepts all messages in one transaction, or none. All are of one account, and all live or all sandbox.
   * `name`: the messages can be found by it later. A name that is already used is refused.
   */
  'message.accept-all': {
    input: { readonly messages: readonly AcceptMessage[]; readonly name?: CallNameChoice }
    output: readonly AcceptedMessage[]
  }
  'message.accept': { input: AcceptMessage; output: AcceptedMessage }
  'message.cancel': { input: MessageReference; output: MessageResource }
  'two-factor.issue': { input: IssueCode; output: IssuedCode }
  /** First half of a verification: the try is committed before `two-factor.compare-try` may compare it. */
  'two-factor.count-try': { input: CountTry; output: CountedTry }
  'two-factor.compare-try': { input: CompareTry; output: VerifiedCodeResource }
  'device.list': { input: { readonly accountId: string | null }; output: readonly DeviceListItem[] }
  'device.find': { input: DeviceReference; output: DeviceDetail }
  'device.update': { input: DeviceReference & { readonly change: DeviceChange }; output: DeviceDetail }
  'device.check-room': { input: { readonly accountId: string }; output: null }
  /** Adds a device without a pairing code, for a phone that the gateway reaches. */
  'device.add': {
    input: {
      readonly accountId: string
      readonly name: string
      readonly protocol: DeviceProtocol
      readonly platform?: string | null
      readonly appVersion: string | null
      readonly sims?: readonly Sim[]
    }
    output: { readonly deviceId: string; readonly token: string }
  }
  'device.remove': { input: DeviceReference; output: { readonly deviceId: string } }
  'device.create-pairing': {
    input: { readonly accountId: string; readonly name: string | null }
    output: PairingResource
  }
  /** Refuses in the same cases as `device.pair`, but writes nothing. */
  'device.check-pairing': { input: { readonly code: string; readonly address: string }; output: null }
  'device.pair': {
    /**
     * `address`: of the phone; absent: wrong codes count only in the total. `protocol`: default `roost`.
     */
    input: PairRequest & { readonly address?: string; readonly protocol?: DeviceProtocol }
    output: Omit<PairedDevice, 'socketUrl' | 'gatewayName'>
  }
  'notification.set': {
    input: {
      readonly accountId: string
      readonly url: string
      readonly events: readonly NotificationEventName[]
    }
    output: NotificationResource
  }
  'notification.find': { input: AccountReference; output: NotificationResource }
  'notification.delete': { input: AccountReference; output: NotificationResource }
  'notification.rotate': { input: AccountReference; output: NotificationResource }
  'notification.test': { input: AccountReference; output: DeliveryResource }
  'notification.replay': { input: AccountReference & { readonly id: string }; output: DeliveryResource }
  'notification.replay-failed': {
    /** `since`: milliseconds since 1970. */
    input: AccountReference & { readonly since: number }
    output: ReplayedResource
  }
  /** The notification sender reports its attempts and fetches the deliveries that are due. */
  'notification.exchange': { input: SenderExchange; output: SenderOrders }
  'webhook.create': {
    input: { readonly accountId: string; readonly fields: WebhookFields }
    output: WebhookResource
  }
  'webhook.update': {
    input: WebhookReference & { readonly change: Partial<WebhookFields> }
    output: WebhookResource
  }
  'webhook.rotate': { input: WebhookReference; output: WebhookResource }
  'webhook.remove': { input: WebhookReference; output: { readonly id: string } }
  'webhook.trigger': { input: TriggerWebhook; output: TriggeredResource }
  'webhook.test': { input: WebhookReference & Omit<TriggerWebhook, 'tokenHash'>; output: TriggeredResource }
  /** Triggers that a listener answered without `webhook.trigger`, for the webhook's history and counters. */
  'webhook.note': { input: { readonly notes: readonly TriggerNote[] }; output: null }
  /** Creates the owner's account and a sandbox key in an empty database; null when an account exists. */
  'gateway.first-start': {
    input: Record<never, never>
    output: { readonly email: string; readonly accountId: string; readonly testKey: string } | null
  }
  /** Commits a small write, so that an answer proves that the database accepts writes. */
  'gateway.check': { input: Record<never, never>; output: null }
  /**
   * After the database went back to an older state, such as a restored backup: open messages end as
   * OUTCOME_UNKNOWN, because phones may already have sent them. `at`: milliseconds since 1970.
   */
  'gateway.quarantine': {
    input: Record<never, never>
    output: { readonly messages: number; readonly at: number }
  }
  /** Current problems of one account, or of all accounts (null); the worst first. */
  'health.list': { input: { readonly accountId: string | null }; output: readonly HealthProblem[] }
  /** Sends a test text to each alarm recipient. `phone`: name of the phone that sends them. */
  'alarm.test': {
    input: Record<never, never>
    output: {
      readonly phone: string
      readonly messages: readonly { readonly messageId: string; readonly phoneNumber: string }[]
    }
  }
  /** The main thread reports the state of the machine, and the writer checks the health rules. */
  'health.check': { input: MachineFacts; output: null }
  /** Open messages and connected phones, for the status line of the service and for a gateway that stops. */
  'gateway.state': { input: Record<never, never>; output: GatewayState }
}

export type CommandName = keyof Commands
export type CommandInput<N extends CommandName> = Commands[N]['input']
export type CommandOutput<N extends CommandName> = Commands[N]['output']

/** A command on its way to the writer, between threads or on the control socket. */
export interface CommandCall<N extends CommandName = CommandName> {
  readonly id: number
  readonly name: N
  readonly input: CommandInput<N>
}

export type CommandAnswer =
  | { readonly id: number; readonly ok: true; readonly output: unknown }
  | { readonly id: number; readonly ok: false; readonly problem: ProblemData }

/** Sends commands to the writer. A refused command rejects with a `Problem`. */
export interface Writer {
  ask<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>>
}
