/**
 * Records revoked keys and tokens in a file outside the database, because a database that lost its last
 * commits would accept them again. Each entry is the credential's hash as in the database, 32 bytes; of a
 * user who was disabled or removed it is the id, filled up with spaces. The file grows by
 * one entry with each revocation. SQL triggers on the writer's connection see all revocations, so no use case
 * can forget to report one.
 */
import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { syncDirectory } from '#storage/sync-directory.ts'

const HASH_BYTES = 32

/**
 * Watches revocations on the writer's connection. Call the returned function after each commit: it appends
 * the new revocations to the file.
 */
export function watchEndedCredentials(database: DatabaseSync, file: string): () => void {
  database.exec(`
    CREATE TEMP TABLE ended_credential (hash BLOB NOT NULL);
    CREATE TEMP TRIGGER key_revoked AFTER UPDATE OF revoked_at ON main.api_key
      WHEN NEW.revoked_at IS NOT NULL BEGIN INSERT INTO ended_credential VALUES (OLD.hash); END;
    CREATE TEMP TRIGGER key_deleted AFTER DELETE ON main.api_key
      BEGIN INSERT INTO ended_credential VALUES (OLD.hash); END;
    CREATE TEMP TRIGGER device_changed AFTER UPDATE OF token_hash ON main.device
      WHEN OLD.token_hash IS NOT NULL AND NEW.token_hash IS NOT OLD.token_hash
      BEGIN INSERT INTO ended_credential VALUES (OLD.token_hash); END;
    CREATE TEMP TRIGGER device_deleted AFTER DELETE ON main.device WHEN OLD.token_hash IS NOT NULL
      BEGIN INSERT INTO ended_credential VALUES (OLD.token_hash); END;
    CREATE TEMP TRIGGER webhook_changed AFTER UPDATE OF token_hash ON main.webhook
      WHEN NEW.token_hash IS NOT OLD.token_hash
      BEGIN INSERT INTO ended_credential VALUES (OLD.token_hash); END;
    CREATE TEMP TRIGGER webhook_deleted AFTER DELETE ON main.webhook
      BEGIN INSERT INTO ended_credential VALUES (OLD.token_hash); END;
    CREATE TEMP TRIGGER user_disabled AFTER UPDATE OF disabled ON main.user
      WHEN NEW.disabled > OLD.disabled
      BEGIN INSERT INTO ended_credential VALUES (${userEntry('OLD.id')}); END;
    CREATE TEMP TRIGGER user_deleted AFTER DELETE ON main.user
      BEGIN INSERT INTO ended_credential VALUES (${userEntry('OLD.id')}); END;
  `)
  const ended = database.prepare('SELECT hash FROM temp.ended_credential')
  const forget = database.prepare('DELETE FROM temp.ended_credential')
  return () => {
    const hashes = ended.all().map(({ hash }) => hash as Uint8Array)
    if (hashes.length === 0) return
    appendHashes(file, Buffer.concat(hashes))
    forget.run()
  }
}

/** SQL for the entry of a user. */
function userEntry(id: string): string {
  return `CAST(printf('%-${HASH_BYTES}.${HASH_BYTES}s', ${id}) AS BLOB)`
}

/**
 * Revokes again all credentials that the file records, and ends all sessions, in one transaction. The token
 * hash of a webhook becomes random, so that no token fits until the owner rotates the webhook's token. A user
 * who was removed stays disabled, and open invitations end, because they may have been taken.
 */
export function repeatRevocations(database: DatabaseSync, file: string, wallMs: number): void {
  const revoke = database.prepare('UPDATE api_key SET revoked_at = ? WHERE hash = ? AND revoked_at IS NULL')
  const removeDevice = database.prepare(
    'UPDATE device SET removed_at = ?, token_hash = NULL, announced_online = 0 WHERE token_hash = ?',
  )
  const closeWebhook = database.prepare(
    'UPDATE webhook SET token_hash = randomblob(32), mail_hash = NULL WHERE token_hash = ?',
  )
  const disable = database.prepare(`UPDATE user SET disabled = 1 WHERE ${userEntry('id')} = ?`)
  database.exec('BEGIN IMMEDIATE')
  try {
    // The file does not record ended sessions. People can log in again, so all sessions end.
    database.exec('DELETE FROM session')
    database.exec('UPDATE user SET invited_until = 0 WHERE invitation_hash IS NOT NULL')
    for (const hash of readHashes(file)) {
      revoke.run(wallMs, hash)
      removeDevice.run(wallMs, hash)
      closeWebhook.run(hash)
      disable.run(hash)
    }
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function appendHashes(file: string, bytes: Buffer): void {
  const fd = openSync(file, 'a', 0o600)
  try {
    appendFileSync(fd, bytes)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  syncDirectory(dirname(file))
}

/** Reads all entries. An incomplete last entry, left by a power cut, is ignored. */
function readHashes(file: string): Uint8Array[] {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  const count = Math.floor(bytes.length / HASH_BYTES)
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES))
}
