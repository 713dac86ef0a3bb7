import type { DatabaseSync } from 'node:sqlite'
import type { CredentialStore } from '#domain/account/credential-store.ts'
import { optional, text } from '#storage/row.ts'

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
