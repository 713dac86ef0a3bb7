import { issueAccountToken } from '#app/auth/account-token.ts'
import type { Role } from '#contracts/user.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { loadSecret } from '#storage/secret-file.ts'
import type { TestAccount, TestGateway } from '#test/kit/gateway.ts'
import { quickPasswordHash } from '#test/kit/quick-password.ts'

export const USER_PASSWORD = 'correct horse battery'

export interface TestUser {
  readonly accountId: string
  readonly userId: string
  readonly email: string
  readonly role: Role
}

/** Makes a user of the account who has taken the invitation. */
export async function addUser(
  gateway: Pick<TestGateway, 'ask'>,
  { accountId }: Pick<TestAccount, 'accountId'>,
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<TestUser> {
  const { token, user } = await gateway.ask('user.invite', { accountId, email, role })
  await gateway.ask('invitation.take', { token, passwordHash: await quickPasswordHash(USER_PASSWORD) })
  return { accountId, userId: user.id, email, role }
}

/** Signs an account token of the user. `version`: the number of times that its tokens were ended. */
export async function tokenOfUser(
  { dataDir }: Pick<TestGateway, 'dataDir'>,
  { accountId, userId }: Pick<TestUser, 'accountId' | 'userId'>,
  version = 0,
): Promise<string> {
  const key = loadSecret(dataDirectory(dataDir).jwtKey)
  const issued = await issueAccountToken({ accountId, userId, version, ttlS: 3600, key, nowMs: Date.now() })
  return issued.token
}
