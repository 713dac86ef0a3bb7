/**
 * The commands of the writer, one entry for each use case, with its input and its output. Listeners send
 * them. The command line sends them through the control socket of a running gateway, or to a writer of its
 * own if no gateway runs.
 */
import type { AccountCommands } from '#contracts/account-commands.ts'
import type { ReadingCommands } from '#contracts/alert-reading.ts'
import type { ConfigurationCommands } from '#contracts/configuration.ts'
import type {
  DeviceChange,
  DeviceDetail,
  DeviceListItem,
  PairedDevice,
  PairingResource,
  PairRequest,
} from '#contracts/device.ts'
import type { DeviceGroupCommands } from '#contracts/device-group.ts'
import type { DrillCommands } from '#contracts/drill.ts'
import type { ForwardCommands } from '#contracts/forward.ts'
import type { GroupCommands } from '#contracts/group.ts'
import type {
  ClockCommands,
  GatewayState,
  HealthCheck,
  HealthProblem,
  MachineFacts,
} from '#contracts/health.ts'
import type { IncidentCommands } from '#contracts/incident.ts'
import type { ForecastResource, MessageResource, NewMessage } from '#contracts/message.ts'
import type { NotificationCommands } from '#contracts/notification-commands.ts'
import type { OnCallCommands } from '#contracts/on-call.ts'
import type { OptOutCommands } from '#contracts/opt-out.ts'
import type { PhoneCommands } from '#contracts/phone-commands.ts'
import type { DeviceProtocol, Sim } from '#contracts/phone-orders.ts'
import type { ProblemData } from '#contracts/problem.ts'
import type { IssuedCodeResource, VerifiedCodeResource, VerifyReason } from '#contracts/two-factor.ts'
import type { UserCommands } from '#contracts/user.ts'
import type { WebhookCommands } from '#contracts/webhook-commands.ts'

export interface AcceptMessage extends NewMessage {
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
  /** As in `NewMessage`. */
  readonly country: string | null
  /** 4 to 10 letters or digits; null: the writer draws six random digits. */
  readonly code: string | null
  readonly template: string
  readonly validityMs: number
  /** As in `NewMessage`. */
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

export interface DeviceReference {
  readonly accountId: string
  readonly deviceId: string
}

/**
 * The name under which the messages of one call are found together. `given`: chosen by the caller. `first`:
 * the id of the first message.
 */
export type CallNameChoice = { readonly given: string } | 'first'

export interface Commands
  extends AccountCommands,
    ClockCommands,
    ConfigurationCommands,
    DeviceGroupCommands,
    DrillCommands,
    ForwardCommands,
    GroupCommands,
    IncidentCommands,
    NotificationCommands,
    OnCallCommands,
    OptOutCommands,
    PhoneCommands,
    ReadingCommands,
    UserCommands,
    WebhookCommands {
  /**
   * Accepts all messages in one transaction, or none. All are of one account, and all live or all sandbox.
   * `name`: the messages can be found by it later. A name that is already used is refused. `optedOut`: the
   * numbers that were left out.
   */
  'message.accept-all': {
    input: { readonly messages: readonly AcceptMessage[]; readonly name?: CallNameChoice }
    output: { readonly accepted: readonly AcceptedMessage[]; readonly optedOut: readonly string[] }
  }
  'message.accept': { input: AcceptMessage; output: AcceptedMessage }
  'message.cancel': { input: MessageReference; output: MessageResource }
  'message.forecast': { input: MessageReference; output: ForecastResource }
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
  /** A trusted proxy wrote about its caller what the gateway cannot read. */
  'http.note-forwarded': { input: { readonly value: string }; output: null }
  /** Mails are turned away. `owner`: of an account; empty: of the gateway, for want of connections. */
  'mail.note-refusal': { input: { readonly owner: string }; output: null }
  /** Sends a test text to each alarm recipient. `phone`: name of the phone that sends them. */
  'alarm.test': {
    input: Record<never, never>
    output: {
      readonly phone: string
      readonly messages: readonly { readonly messageId: string; readonly phoneNumber: string }[]
    }
  }
  /** The main thread reports the state of the machine, and the writer checks the health rules. */
  'health.check': { input: MachineFacts; output: HealthCheck }
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
  /**
   * Who asks for it: the id of a user or of an API key, or `COMMAND_LINE`. It is then in the audit list, in
   * the same transaction. Absent: the gateway itself, a phone or a sender of alerts.
   */
  readonly by?: string
}

export type CommandAnswer =
  | { readonly id: number; readonly ok: true; readonly output: unknown }
  | { readonly id: number; readonly ok: false; readonly problem: ProblemData }

/** Sends commands to the writer. A refused command rejects with a `Problem`. */
export interface Writer {
  /** `by`: as in `CommandCall`. */
  ask<N extends CommandName>(name: N, input: CommandInput<N>, by?: string): Promise<CommandOutput<N>>
}
