/** A webhook of the SMSGate app in its cloud mode, on its way to the thread that reads it, and back. */

/** Most characters that are kept of each text in a webhook: the longest received text. */
export const HOOK_TEXT_LENGTH_MAX = 10_000

/** The texts of a webhook's payload that the gateway uses. */
export const HOOK_TEXTS = [
  'messageId',
  'sender',
  'phoneNumber',
  'message',
  'subject',
  'body',
  'receivedAt',
  'reason',
] as const

export interface SignedHook {
  readonly body: Uint8Array
  /** The key with which the phone signs. */
  readonly key: string
  readonly signature: string
  /** Seconds since 1970, exactly as the header has it. */
  readonly timestamp: string
}

export interface HookRead {
  readonly isSigned: boolean
  /** The used parts of the body, not validated. */
  readonly hook: object | null
}
