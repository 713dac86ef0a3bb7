import type { BrowserContext } from 'playwright-core'
import { OWNER_EMAIL } from '#domain/account/first-start.ts'
import type { TestGateway } from '#test/kit/gateway.ts'
import { openSession } from '#test/kit/open-session.ts'

/** Logs a browser in without the form. `address`: where the browser opens the console. */
export async function logInBrowser(
  context: BrowserContext,
  gateway: TestGateway,
  address = gateway.url,
): Promise<void> {
  const { accountId } = await gateway.ask('account.find', { email: OWNER_EMAIL })
  const { headers } = await openSession(gateway, { accountId })
  const [name = '', value = ''] = headers.Cookie.split('=')
  await context.addCookies([{ name, value, url: address }])
  await context.addInitScript(`localStorage.setItem('roost half /', '${headers['X-Roost-Console']}')`)
}
