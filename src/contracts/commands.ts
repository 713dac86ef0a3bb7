/**
 * Everything that can be asked of the writer: by a listener, by the command line of a running gateway, and by
 * the command line itself when none runs. One entry a use case: what goes in, what comes out.
 */
import type { AccountCommands } from '#contracts/account-commands.ts'
import type {
  DeviceChange,
  DeviceDetail,
  DeviceListItem,
  PairedDevice,
  PairingResource,
  PairRequest,
} from '#contracts/device.ts'
import type { HealthProblem, MachineFacts } from '#contracts/health.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { DeliveryResource, NotificationResource, ReplayedResource } from '#contracts/notification.ts'
import type { SenderExchange, SenderOrders } from '#contracts/notification-delivery.ts'
import type { NotificationEventName } from '#contracts/notification-event.ts'
import type { PhoneCommands } from '#contracts/phone-commands.ts'
import type { DeviceProtocol, Sim } from '#contracts/phone-orders.ts'
import type { Encoding, MessageKind } from '#contracts/primitives.ts'
import type { ProblemData } from '#contracts/problem.ts'
import type { KeptBody, TriggerNote } from '#contracts/seen-trigger.ts'
import type { IssuedCodeResource, VerifiedCodeResource, VerifyReason } from '#contracts/two-factor.ts'
import type { AlertFormat, AlertSeverity, TriggeredResource, WebhookResource } from '#contracts/webhook.ts'

export interface AcceptMessage {
  readonly accountId: string
  readonly test: boolean
  readonly kind: MessageKind
  /** E.164. */
  readonly phoneNumber: string
  /** ISO 3166-1 alpha-2, or `+` and the calling code where several countries share it. */
  readonly country: string | null
  readonly text: string
  readonly segments: number
  readonly encoding: Encoding
  readonly deviceId: string | null
  readonly ttlMs: number | null
  readonly priority: 'normal' | 'high'
  readonly simSlot: number | null
  readonly queueIfOffline: boolean
  readonly notificationUrl: string | null
  readonly idempotency: { readonly scope: string; readonly key: string; readonly bodyHash: string } | null
}

export interface AcceptedMessage {
  /** An `AcceptedMessageResource` as JSON: made once, for the caller and for idempotent replays. */
  readonly answer: string
  /** The answer is the first one again. */
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
  /** Null: one is drawn. */
  readonly code: string | null
  readonly template: string
  readonly validityMs: number
  readonly deviceId: string | null
  readonly idempotency: AcceptMessage['idempotency']
}

export interface IssuedCode {
  readonly answer: IssuedCodeResource
  /** The answer is the first one again. */
  readonly replayed: boolean
}

/** One guess, before it is compared: the newest code of a number, or that of one message. */
export interface CountTry {
  readonly accountId: string
  readonly test: boolean
  readonly by: { readonly phoneNumber: string } | { readonly messageId: string }
}

/** A try that is counted and may be compared once, or why there is none. */
export type CountedTry =
  | { readonly reason: VerifyReason }
  | { readonly reason: null; readonly messageId: string; readonly tryNumber: number }

export interface CompareTry extends MessageReference {
  /** From `CountedTry`, 1 and up. */
  readonly tryNumber: number
  readonly code: string
}

/** A recipient of a webhook. */
export interface Recipient {
  /** E.164. */
  readonly phoneNumber: string
  /** As in `AcceptMessage`. */
  readonly country: string | null
}

/** What its owner decides about a webhook. */
export interface WebhookFields {
  readonly name: string
  readonly recipients: readonly Recipient[]
  readonly maxPerHour: number
  readonly messageTemplate: string | null
  readonly allowedIps: readonly string[]
  readonly deviceId: string | null
  readonly enabled: boolean
  /** Milder alerts are held back; null: none is. */
  readonly minSeverity: AlertSeverity | null
  readonly sendRecovered: boolean
  readonly summarizeOverflow: boolean
  readonly keepLastBody: boolean
}

export interface WebhookReference {
  readonly accountId: string
  readonly webhookId: string
}

/** An alert that was let in and rendered; the writer checks again what may have changed meanwhile. */
export interface TriggerWebhook {
  /** SHA-256 of the token in the path. */
  readonly tokenHash: Uint8Array
  /** SHA-256 of the request: the same one again is the sender repeating itself. */
  readonly requestHash: Uint8Array
  readonly text: string
  readonly segments: number
  readonly encoding: Encoding
  readonly format: AlertFormat
  /** Of the sender. */
  readonly address: string
  /** Null: its owner wants none kept. */
  readonly body: KeptBody | null
}

export interface DeviceReference {
  readonly accountId: string
  readonly deviceId: string
}

export interface AccountReference {
  readonly accountId: string
}

export interface Commands extends AccountCommands, PhoneCommands {
  /** Of one account and mode: all of them or none, in one transaction. */
  'message.accept-all': {
    input: { readonly messages: readonly AcceptMessage[] }
    output: readonly AcceptedMessage[]
  }
  'message.accept': { input: AcceptMessage; output: AcceptedMessage }
  'message.cancel': { input: MessageReference; output: MessageResource }
  'two-factor.issue': { input: IssueCode; output: IssuedCode }
  /** The first half of a verification: the try is on disk before anybody compares it. */
  'two-factor.count-try': { input: CountTry; output: CountedTry }
  'two-factor.compare-try': { input: CompareTry; output: VerifiedCodeResource }
  'device.list': { input: { readonly accountId: string | null }; output: readonly DeviceListItem[] }
  'device.find': { input: DeviceReference; output: DeviceDetail }
  'device.update': { input: DeviceReference & { readonly change: DeviceChange }; output: DeviceDetail }
  /** Without a pairing code: the gateway itself gets into the phone, or has checked who asks. */
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
  /** Nothing is written; refused as `device.pair` would be. */
  'device.check-pairing': { input: { readonly code: string; readonly address: string }; output: null }
  'device.pair': {
    /** `address`: who tries, for counting wrong codes. `protocol`: `roost` when left out. */
    input: PairRequest & { readonly address?: string; readonly protocol?: DeviceProtocol }
    output: Omit<PairedDevice, 'socketUrl'>
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
    /** Wall clock. */
    input: AccountReference & { readonly since: number }
    output: ReplayedResource
  }
  /** The sender reports what it sent and takes what is due. */
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
  /** What a listener saw and refused. */
  'webhook.note': { input: { readonly notes: readonly TriggerNote[] }; output: null }
  /** Makes the owner's account on an empty database; null when there is one already. */
  'gateway.first-start': {
    input: Record<never, never>
    output: { readonly email: string; readonly accountId: string; readonly testKey: string } | null
  }
  /** Writes and commits: the answer shows that the database takes it. */
  'gateway.check': { input: Record<never, never>; output: null }
  /** Ends messages that are open in a database that went backwards, as OUTCOME_UNKNOWN. */
  'gateway.quarantine': {
    input: Record<never, never>
    output: { readonly messages: number; readonly at: number }
  }
  /** What is wrong right now, for this account or (null) for all; the worst first. */
  'health.list': { input: { readonly accountId: string | null }; output: readonly HealthProblem[] }
  /** Texts every recipient of alarms; by which phone, and the messages. */
  'alarm.test': {
    input: Record<never, never>
    output: {
      readonly phone: string
      readonly messages: readonly { readonly messageId: string; readonly phoneNumber: string }[]
    }
  }
  /** The main thread reports the state of the machine, and the rules check it. */
  'health.look': { input: MachineFacts; output: null }
  /** How much is open: for a stop that waits, and for metrics. */
  'gateway.state': { input: Record<never, never>; output: GatewayState }
}

export interface GatewayState {
  readonly waiting: number
  readonly sending: number
  readonly devicesOnline: number
}

export type CommandName = keyof Commands
export type CommandInput<N extends CommandName> = Commands[N]['input']
export type CommandOutput<N extends CommandName> = Commands[N]['output']

/** A command as it crosses threads or the control socket. */
export interface CommandCall<N extends CommandName = CommandName> {
  readonly id: number
  readonly name: N
  readonly input: CommandInput<N>
}

export type CommandAnswer =
  | { readonly id: number; readonly ok: true; readonly output: unknown }
  | { readonly id: number; readonly ok: false; readonly problem: ProblemData }

/** Asks the writer; a refusal comes back as the rejection `Problem`. */
export interface Writer {
  ask<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>>
}
