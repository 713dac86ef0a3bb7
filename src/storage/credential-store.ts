import type { DatabaseSync } from 'node:sqlite'
import type { CredentialReader, CredentialStore } from '#domain/account/credential-store.ts'
import { apiKeyOf } from '#storage/account-writer.ts'
import { optional, text, textOrNull } from '#storage/row.ts'

/** Keys in the list of an account, the revoked ones included. */
const KEYS_LISTED_MAX = 500

/** Setup tokens and revoked tokens in the database, for the writer. */
export function openCredentialStore(database: DatabaseSync): CredentialStore {
  const countKeys = database.prepare(
    'SELECT count(*) AS count FROM api_key WHERE account_id = ? AND revoked_at IS NULL',
  )
  return {
    countValidKeys: (_tx, accountId) => Number(countKeys.get(accountId)?.['count']),
    ...openSetupTokens(database),
    ...openRevokedTokens(database),
  }
}

type SetupTokens = Pick<CredentialStore, 'saveSetupToken' | 'findSetupToken' | 'removeSetupToken'>

function openSetupTokens(database: DatabaseSync): SetupTokens {
  const save = database.prepare('INSERT OR REPLACE INTO setup_token VALUES (1, ?, ?, ?)')
  const find = database.prepare('SELECT account_id, expires_at FROM setup_token WHERE hash = ?')
  const remove = database.prepare('DELETE FROM setup_token')
  return {
    saveSetupToken: (_tx, { hash, accountId, expiresAt }) => void save.run(hash, accountId, expiresAt),
    findSetupToken: (_tx, hash) =>
      optional(find.get(hash), row => ({
        hash,
        accountId: text(row['account_id']),
        expiresAt: Number(row['expires_at']),
      })),
    removeSetupToken: () => void remove.run(),
  }
}

function openRevokedTokens(database: DatabaseSync): Pick<CredentialStore, 'revokeToken' | 'forgetRevoked'> {
  const revoke = database.prepare('INSERT OR IGNORE INTO revoked_token VALUES (?, ?)')
  const forget = database.prepare('DELETE FROM revoked_token WHERE expires_at < ?')
  return {
    revokeToken: (_tx, { jti, expiresAt }) => revoke.run(jti, expiresAt).changes === 1,
    forgetRevoked: (_tx, before) => void forget.run(before),
  }
}

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
