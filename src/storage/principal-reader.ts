import type { DatabaseSync } from 'node:sqlite'
import type { DeviceProtocol } from '#contracts/phone-orders.ts'
import type { Role } from '#contracts/user.ts'
import type { DeviceIdentity, Principal, PrincipalReader } from '#domain/account/principal.ts'
import { type Row, text } from '#storage/row.ts'

/** Finds who a credential belongs to, for a listener. */
export function openPrincipalReader(database: DatabaseSync): PrincipalReader {
  const keyWhere = (column: 'hash' | 'id') =>
    database.prepare(`
    SELECT account.id, account.plan, api_key.test, api_key.id AS key_id, api_key.clean_text
    FROM api_key JOIN account ON account.id = api_key.account_id
    WHERE api_key.${column} = ? AND api_key.revoked_at IS NULL`)
  const byKey = keyWhere('hash')
  const byKeyId = keyWhere('id')
  const byToken = database.prepare(`
    SELECT account.plan, user.role FROM user JOIN account ON account.id = user.account_id
    WHERE user.id = ? AND account.id = ? AND user.token_version = ? AND user.disabled = 0
      AND NOT EXISTS (SELECT 1 FROM revoked_token WHERE jti = ?)`)
  const chain = database.prepare('SELECT 1 FROM key_token_chain WHERE key_id = ? AND id = ?')
  const deviceWhere = (column: 'token_hash' | 'id') =>
    database.prepare(`SELECT id, account_id, protocol FROM device WHERE ${column} = ? AND removed_at IS NULL`)
  const device = deviceWhere('token_hash')
  const deviceById = deviceWhere('id')
  const anyDevice = database.prepare('SELECT 1 FROM device LIMIT 1')
  return {
    byKey: hash => keyHolder(byKey.get(hash)),
    byKeyId: id => keyHolder(byKeyId.get(id)),
    byToken(token) {
      const { accountId, userId, version, jti } = token
      const row = byToken.get(userId, accountId, version, jti)
      if (row === undefined) return undefined
      const user = { id: userId, role: text(row['role']) as Role }
      return { accountId, plan: text(row['plan']), test: false, by: 'token', token, user }
    },
    isChainValid: (keyId, id) => chain.get(keyId, id) !== undefined,
    device: hash => identityOf(device.get(hash)),
    deviceById: id => identityOf(deviceById.get(id)),
    hasDevices: () => anyDevice.get() !== undefined,
  }
}

function identityOf(row: Row | undefined): DeviceIdentity | undefined {
  if (row === undefined) return undefined
  return {
    deviceId: text(row['id']),
    accountId: text(row['account_id']),
    protocol: text(row['protocol']) as DeviceProtocol,
  }
}

function keyHolder(row: Row | undefined): Principal | undefined {
  if (row === undefined) return undefined
  return {
    accountId: text(row['id']),
    plan: text(row['plan']),
    test: row['test'] === 1,
    by: 'key',
    keyId: text(row['key_id']),
    cleanText: row['clean_text'] === 1,
  }
}
