import type { User } from '#domain/account/user.ts'
import type { Tx } from '#domain/tx.ts'

/** Users as the writer and the listeners read them; as fresh as the last commit. */
export interface UserRows {
  findUser(id: string): User | undefined
  findUserByEmail(email: string): User | undefined
  /** By the SHA-256 of an invitation that was not taken. */
  findInvited(hash: Uint8Array): User | undefined
  /** The oldest first. */
  usersOf(accountId: string): readonly User[]
}

/** Users, for the writer. */
export interface UserStore extends UserRows {
  saveUser(tx: Tx, user: User): void
  removeUser(tx: Tx, id: string): void
}
