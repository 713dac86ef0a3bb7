/**
 * What the pool does: pure work that takes long. One entry a task: what goes in, what comes out, as plain
 * data.
 */
import type { ProblemData } from '#contracts/problem.ts'
import type { RenderedAlert, TriggerRequest } from '#contracts/webhook.ts'

/** One attempt to be signed. */
export interface UnsignedNotification {
  /** Must not hold a full stop: the Standard Webhooks text is `id.timestamp.body`. */
  readonly id: string
  /** Seconds since 1970. */
  readonly timestampS: number
  /** The text that is sent, to the byte (UTF-8). */
  readonly body: string
  /** `whsec_` and base64. */
  readonly secret: string
}

/** The values of `X-Webhook-Signature` and of `webhook-signature`. */
export interface NotificationSignatures {
  readonly signature: string
  readonly standardSignature: string
}

export interface PoolTasks {
  /** A password as it is kept. */
  'hash-password': { input: { readonly password: string }; output: string }
  'verify-password': { input: { readonly password: string; readonly hash: string }; output: boolean }
  'sign-notifications': {
    input: readonly UnsignedNotification[]
    output: readonly NotificationSignatures[]
  }
  /** The text of a request to a webhook. */
  'render-alert': { input: AlertToRender; output: RenderedAlert }
  'render-alerts': { input: readonly AlertToRender[]; output: readonly RenderedAlert[] }
  'preview-alert': {
    input: AlertToRender | { readonly payload: unknown; readonly template: string | null }
    output: RenderedAlert
  }
}

export interface AlertToRender {
  readonly request: TriggerRequest
  readonly template: string | null
}

export type PoolTaskName = keyof PoolTasks
export type PoolTaskInput<N extends PoolTaskName> = PoolTasks[N]['input']
export type PoolTaskOutput<N extends PoolTaskName> = PoolTasks[N]['output']

export interface PoolRunOptions {
  /** Counted from when a thread takes the task; the thread is then ended and replaced. */
  readonly timeoutMs: number
}

/** Has the pool do something. */
export interface Pool {
  /**
   * @throws Problem SERVICE_UNAVAILABLE when too much waits or the task takes too long; Error when it threw
   */
  run<N extends PoolTaskName>(
    name: N,
    input: PoolTaskInput<N>,
    options: PoolRunOptions,
  ): Promise<PoolTaskOutput<N>>
}

/** A task as piscina hands it to its thread. */
export interface PoolTask<N extends PoolTaskName = PoolTaskName> {
  readonly name: N
  readonly input: PoolTaskInput<N>
}

/** Any thread → main. */
export interface PoolCall extends PoolTask, PoolRunOptions {
  readonly id: number
}

/** Main → the thread that asked. */
export type PoolAnswer =
  | { readonly id: number; readonly kind: 'done'; readonly output: unknown }
  | { readonly id: number; readonly kind: 'refused'; readonly problem: ProblemData }
  | { readonly id: number; readonly kind: 'failed'; readonly cause: string }
