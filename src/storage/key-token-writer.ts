import type { KeyTokenStore } from '#domain/account/key-token-store.ts'
import { optional, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** The valid chains of key tokens in the database, for the writer. */
export function openKeyTokenStore(database: DatabaseSync): KeyTokenStore {
  const find = database.prepare('SELECT * FROM key_token_chain WHERE key_id = ? AND id = ?')
  const save = database.prepare('INSERT OR REPLACE INTO key_token_chain VALUES (?, ?, ?, ?, ?, ?)')
  const end = database.prepare('DELETE FROM key_token_chain WHERE key_id = ? AND family = ?')
  const removeEnded = database.prepare('DELETE FROM key_token_chain WHERE expires_at < ?')
  const count = database.prepare('SELECT count(*) AS count FROM key_token_chain WHERE key_id = ?')
  const trim = database.prepare(`
    DELETE FROM key_token_chain WHERE key_id = ?1 AND id IN (
      SELECT id FROM key_token_chain WHERE key_id = ?1 ORDER BY expires_at LIMIT ?2)`)
  return {
    findChain: (_tx, { keyId, chain }) =>
      optional(find.get(keyId, chain), row => ({
        keyId,
        chain,
        accountId: text(row['account_id']),
        family: text(row['family']),
        step: Number(row['step']),
        expiresAt: Number(row['expires_at']),
      })),
    saveChain(_tx, { keyId, chain, accountId, family, step, expiresAt }) {
      save.run(keyId, chain, accountId, family, step, expiresAt)
    },
    endFamily: (_tx, { keyId, family }) => void end.run(keyId, family),
    removeEndedChains: (_tx, before) => void removeEnded.run(before),
    trimChains(_tx, keyId, kept) {
      const tooMany = Number(count.get(keyId)?.['count']) - kept
      if (tooMany > 0) trim.run(keyId, tooMany)
    },
  }
}
