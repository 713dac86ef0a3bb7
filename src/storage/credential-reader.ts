import type { DatabaseSync } from 'node:sqlite'
import type { CredentialReader } from '#domain/account/credential-reader.ts'
import { apiKeyOf } from '#storage/account-writer.ts'
import { optional, text, textOrNull } from '#storage/row.ts'

/** Keys in the list of an account, the revoked ones included. */
const KEYS_LISTED_MAX = 500

/** Reads login data and keys, for a listener. */
export function openCredentialReader(database: DatabaseSync): CredentialReader {
  const login = database.prepare(
    'SELECT id, account_id, password_hash, token_version FROM user WHERE email = ? AND disabled = 0',
  )
  const setup = database.prepare(`
    SELECT 1 FROM setup_token
    JOIN account ON account.id = setup_token.account_id JOIN user ON user.email = account.email
    WHERE setup_token.hash = ? AND setup_token.expires_at > ? AND user.password_hash IS NULL`)
  const keys = database.prepare(`
    SELECT * FROM api_key WHERE account_id = ? ORDER BY revoked_at IS NOT NULL, id DESC LIMIT ?`)
  return {
    findLogin: email =>
      optional(login.get(email), row => ({
        userId: text(row['id']),
        accountId: text(row['account_id']),
        passwordHash: textOrNull(row['password_hash']),
        tokenVersion: Number(row['token_version']),
      })),
    isSetupToken: (hash, wallMs) => setup.get(hash, wallMs) !== undefined,
    keysOf: accountId => keys.all(accountId, KEYS_LISTED_MAX).map(apiKeyOf),
  }
}
