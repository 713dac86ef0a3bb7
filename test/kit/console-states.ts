/** Gateways and browsers in the states in which the pages of the console differ. */
import type { BrowserContext } from 'playwright-core'
import { systemSource } from '#storage/source.ts'
import { CONSOLE_PAGES } from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startFilledGateway } from '#test/kit/filled-gateway.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { HELLO } from '#test/kit/hello.ts'
import { RawPhone } from '#test/kit/raw-websocket.ts'

/**
 * full: weeks of texts, people and an open alert. empty: a new gateway. error: every call but the one for the
 * session is refused. loading: no call is answered. away: the gateway stops once the pages are open. out:
 * nobody is logged in.
 */
export const CONSOLE_STATES = ['full', 'empty', 'error', 'loading', 'away', 'out'] as const
export type ConsoleState = (typeof CONSOLE_STATES)[number]

const CONTENT = { messages: 2_000, phones: 5, deliveries: 60 }
const REFUSAL = { code: 'UNAVAILABLE', message: 'the gateway is starting; try again in a moment' }
const REFUSED = {
  status: 503,
  contentType: 'application/json',
  body: JSON.stringify({ success: false, error: REFUSAL }),
}
/** All calls but the one for the session. */
const CALLS = /api\/v1\/(?!session$|live$)/
const WITHOUT_LOGIN = ['', 'setup/stp_0', 'invite/inv_0']
const MORE_PAGES = [
  'more',
  ...['account', 'browser', 'keys', 'gateway', 'plan', 'backup', 'alarms'].map(part => `settings/${part}`),
]

/** The pages that a state has, as what follows `#/` in their addresses. */
export function pagesIn(state: ConsoleState): readonly string[] {
  return state === 'out' ? WITHOUT_LOGIN : [...CONSOLE_PAGES, ...MORE_PAGES]
}

/** Starts a gateway for this state. */
export async function startInState(t: Cleaner, state: ConsoleState): Promise<TestGateway> {
  if (state === 'empty' || state === 'out') {
    const gateway = await startGateway()
    t.after(() => gateway.stop())
    return gateway
  }
  const gateway = await startFilledGateway(t, { ...CONTENT, tokens: TOKENS })
  if (state === 'full' || state === 'away') {
    await connectPhones(t, gateway)
    await putOnCall(gateway)
  }
  return gateway
}

/** Logs the browser in, if the state wants that, and keeps answers from it. */
export async function bringInto(
  state: ConsoleState,
  context: BrowserContext,
  gateway: TestGateway,
): Promise<void> {
  if (state !== 'out') await logInBrowser(context, gateway)
  if (state === 'error') await context.route(CALLS, route => route.fulfill(REFUSED))
  if (state === 'loading') await context.route(CALLS, () => {})
}

const CARRIERS = ['T-Mobile', 'Vodafone']
const source = systemSource(new Uint8Array(32))
const TOKENS = CARRIERS.map(() => source.secret('dvt_'))

/** Connects the phones whose tokens are known, so that the pages show phones that are online. */
async function connectPhones(t: Cleaner, gateway: TestGateway): Promise<void> {
  for (const [index, carrier] of CARRIERS.entries()) {
    const sims = [{ slot: 1, carrier, countryCode: 'us', phoneNumber: null }]
    const hello = { ...HELLO, platform: 'android' as const, sims }
    const phone = await RawPhone.ready(gateway.url, TOKENS[index] ?? '', hello)
    phone.sendFrame({ type: 'telemetry', battery: 64 + 23 * index, charging: true, signal: -83 + 8 * index })
    t.after(() => phone.close())
  }
}

/** On a busy machine the first alert may take too long to read, and would have the fallback text. */
async function warmUp(gateway: TestGateway, payload: object): Promise<void> {
  const { token } = await gateway.owner()
  for (let left = 10; left > 0; left--) {
    const { status } = await gateway.call('POST', '/api/v1/webhooks/preview', { token, json: { payload } })
    if (status === 200) return
  }
}

/** People, a rota, a policy, an alert that waits for somebody, a forward and another login. */
async function putOnCall(gateway: TestGateway): Promise<void> {
  const { token } = await gateway.owner()
  const make = async (path: string, json: object) => {
    const { status, text, json: answer } = await gateway.call('POST', `/api/v1/${path}`, { token, json })
    if (status !== 200 || answer === undefined) throw new Error(`${path}: ${text}`)
    return answer.data
  }
  const people: unknown[] = []
  for (const [index, name] of ['Ada Lovelace', 'Bob', 'Charlotte von Hohenstein'].entries())
    people.push((await make('people', { name, phoneNumber: `+1415555010${index}` }))['id'])
  await make('groups', { name: 'Everybody in the house', people })
  const rota = await make('rotas', { name: 'Weeks', people, days: 7, handover: 'mon 09:00' })
  const steps = [
    { afterMinutes: 0, tell: [rota['id']] },
    { afterMinutes: 5, tell: [`${rota['id']}+1`], ring: true },
    { afterMinutes: 15, tell: ['everyone'] },
  ]
  const policy = await make('policies', { name: 'Servers', steps })
  const hook = await make('webhooks', { name: 'Alertmanager', recipients: [], policyId: policy['id'] })
  const alert = { title: 'DiskFull on nas', message: '/srv is 97 % full', severity: 'critical' }
  await warmUp(gateway, alert)
  await gateway.call('POST', String(hook['url']), { json: alert })
  await make('forwards', { name: 'Family chat', kind: 'ntfy', url: 'https://ntfy.sh/roost' })
  await make('users', { email: 'ada@example.org', role: 'operator' })
  const { json } = await gateway.call('GET', '/api/v1/devices', { token })
  const devices = json?.data.slice(0, 2).map(phone => phone['deviceId'])
  await make('device-groups', { name: 'Ground floor', devices })
}
