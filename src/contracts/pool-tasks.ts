/**
 * The tasks of the thread pool: CPU-heavy work without side effects. One entry for each task, with its input
 * and output as plain data.
 */

import type { AlertReadings, RenderedAlert } from '#contracts/alert-reading.ts'
import type { ProblemData } from '#contracts/problem.ts'
import type { HookRead, SignedHook } from '#contracts/smsgate-hook.ts'
import type { TriggerRequest } from '#contracts/webhook.ts'

/** A notification to be signed for one attempt. */
export interface UnsignedNotification {
  /** Without a full stop, because Standard Webhooks signs the text `id.timestamp.body`. */
  readonly id: string
  /** Seconds since 1970. */
  readonly timestampS: number
  /** The exact body that is sent (UTF-8). */
  readonly body: string
  /** `whsec_` and 32 bytes in base64. */
  readonly secret: string
  /** Where it goes, and its fields if it is posted in Twilio's form. */
  readonly url?: string
  readonly form?: Readonly<Record<string, string>>
}

/** The values of the headers `X-Webhook-Signature` and `webhook-signature` (Standard Webhooks). */
export interface NotificationSignatures {
  readonly signature: string
  readonly standardSignature: string
  /** The value of `X-Twilio-Signature`; only with `form`. */
  readonly formSignature?: string
}

export interface PoolTasks {
  /** Output: the hash that the database stores. */
  'hash-password': { input: { readonly password: string }; output: string }
  'verify-password': { input: { readonly password: string; readonly hash: string }; output: boolean }
  'sign-notifications': {
    input: readonly UnsignedNotification[]
    output: readonly NotificationSignatures[]
  }
  /** Turns a request to a webhook into a text. */
  'render-alert': { input: AlertToRender; output: RenderedAlert }
  /** As `render-alert`, for a body that may take a second. Accounts take turns. */
  'render-large-alert': { input: AlertToRender; output: RenderedAlert }
  /** Reads a large webhook of a phone, in turns with the large alerts. */
  'read-large-hook': { input: SignedHook; output: HookRead }
  'preview-alert': {
    input: AlertToRender | PayloadToRender
    output: RenderedAlert
  }
}

export interface AlertToRender extends RenderOptions {
  readonly request: TriggerRequest
}

export interface PayloadToRender extends RenderOptions {
  readonly payload: unknown
}

export interface RenderOptions {
  readonly template: string | null
  /** The roles that the owner has settled. */
  readonly readings?: AlertReadings
}

export type PoolTaskName = keyof PoolTasks
export type PoolTaskInput<N extends PoolTaskName> = PoolTasks[N]['input']
export type PoolTaskOutput<N extends PoolTaskName> = PoolTasks[N]['output']

export interface PoolRunOptions {
  /**
   * CPU time that the task may use of its thread. With more, the thread is ended and replaced. Time for which
   * the task waits for a processor does not count.
   */
  readonly cpuMsMax?: number
  /** The task is refused if no thread has taken it after this time. Absent: it may wait for any time. */
  readonly waitMsMax?: number
  /** The account for which the task runs: accounts take turns. */
  readonly accountId?: string
  /** Who may be to blame for the task. If it uses too much CPU time, its tasks are refused for a minute. */
  readonly sender?: string
}

/** Runs tasks on the pool. */
export interface Pool {
  /**
   * @throws Problem SERVICE_UNAVAILABLE when too many tasks wait, the task waited too long or used too much
   * CPU time, or its sender is refused; Error when the task threw
   */
  run<N extends PoolTaskName>(
    name: N,
    input: PoolTaskInput<N>,
    options?: PoolRunOptions,
  ): Promise<PoolTaskOutput<N>>
}

/** A task as piscina passes it to a thread. */
export interface PoolTask<N extends PoolTaskName = PoolTaskName> {
  readonly name: N
  readonly input: PoolTaskInput<N>
}

/** Any thread → main. */
export interface PoolCall extends PoolTask, PoolRunOptions {
  readonly id: number
}

/** Main → the thread that sent the call. */
export type PoolAnswer =
  | { readonly id: number; readonly kind: 'done'; readonly output: unknown }
  | { readonly id: number; readonly kind: 'refused'; readonly problem: ProblemData }
  | { readonly id: number; readonly kind: 'failed'; readonly cause: string }
