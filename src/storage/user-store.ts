import type { DatabaseSync } from 'node:sqlite'
import type { Role } from '#contracts/user.ts'
import type { User } from '#domain/account/user.ts'
import type { UserRows, UserStore } from '#domain/account/user-store.ts'
import { optional, type Row, text, textOrNull } from '#storage/row.ts'

/** Users; the queries that listeners and the writer share. */
export function openUserRows(database: DatabaseSync): UserRows {
  const where = (condition: string) => database.prepare(`SELECT * FROM user WHERE ${condition}`)
  const byId = where('id = ?')
  const byEmail = where('email = ?')
  const byInvitation = where('invitation_hash = ?')
  const list = where('account_id = ? ORDER BY created_at, id')
  return {
    findUser: id => optional(byId.get(id), userOf),
    findUserByEmail: email => optional(byEmail.get(email), userOf),
    findInvited: hash => optional(byInvitation.get(hash), userOf),
    usersOf: accountId => list.all(accountId).map(userOf),
  }
}

/** Users, for the writer. */
export function openUserStore(database: DatabaseSync): UserStore {
  const save = database.prepare(`
    INSERT INTO user VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
      email = excluded.email, role = excluded.role, disabled = excluded.disabled,
      password_hash = excluded.password_hash, token_version = excluded.token_version,
      invitation_hash = excluded.invitation_hash, invited_until = excluded.invited_until`)
  const remove = database.prepare('DELETE FROM user WHERE id = ?')
  return {
    ...openUserRows(database),
    saveUser(_tx, user) {
      const { id, accountId, email, role, passwordHash, tokenVersion, createdAt, invitation } = user
      const { hash = null, until = null } = invitation ?? {}
      const disabled = Number(user.disabled)
      save.run(id, accountId, email, role, disabled, passwordHash, tokenVersion, createdAt, hash, until)
    },
    removeUser(tx, id) {
      remove.run(id)
      tx.hasWiped = true
    },
  }
}

function userOf(row: Row): User {
  const hash = row['invitation_hash'] as Uint8Array | null
  return {
    id: text(row['id']),
    accountId: text(row['account_id']),
    email: text(row['email']),
    role: text(row['role']) as Role,
    disabled: row['disabled'] === 1,
    passwordHash: textOrNull(row['password_hash']),
    tokenVersion: Number(row['token_version']),
    createdAt: Number(row['created_at']),
    invitation: hash === null ? null : { hash, until: Number(row['invited_until']) },
  }
}
