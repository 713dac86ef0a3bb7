import type { KeyTokens } from '#domain/account/key-tokens.ts'
import type { PrincipalReader } from '#domain/account/principal.ts'
import type { TextPorts } from '#transport/http/dialects/send-texts.ts'
import type { Triggers } from '#transport/http/trigger-webhook.ts'

export interface DialectPorts extends TextPorts {
  readonly triggers: Triggers
  readonly keyTokens: KeyTokens
  readonly isChainValid: PrincipalReader['isChainValid']
}
