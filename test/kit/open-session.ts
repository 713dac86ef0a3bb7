import { cookieTagOf } from '#app/auth/open-access.ts'
import { firstUserId } from '#domain/account/user.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { loadSecret } from '#storage/secret-file.ts'
import type { TestAccount, TestGateway } from '#test/kit/gateway.ts'

/** Opens a session as a login does. Returns its id, and the headers that a page sends in this session. */
export async function openSession(
  gateway: Pick<TestGateway, 'ask' | 'dataDir'>,
  { accountId }: Pick<TestAccount, 'accountId'>,
) {
  const from = { address: '192.0.2.1', browser: 'unknown' }
  const { id, cookie, half } = await gateway.ask('session.open', {
    userId: firstUserId(accountId),
    tokenVersion: 0,
    ...from,
  })
  const name = `roost_${cookieTagOf(loadSecret(dataDirectory(gateway.dataDir).jwtKey))}`
  return { id, headers: { Cookie: `${name}=${cookie}`, 'X-Roost-Console': half } }
}
