/**
 * One gateway for all tests of a process that do not change it. It starts when the first of them asks for it.
 * Each test uses accounts that no other has, so what one does must never show in another. A test keeps a
 * gateway of its own if it needs another configuration or clock, stops it, or reads what all accounts share.
 */
import { PLANS_BUILT_IN } from '#contracts/config.ts'
import { atEnd } from '#test/kit/at-end.ts'
import { type SharedGateway, startGateway } from '#test/kit/gateway.ts'
import { type HostileGateway, hostileTo } from '#test/kit/hostile-gateway.ts'

const PRO = { ...PLANS_BUILT_IN.pro, api_calls_per_minute: -1 }

/** `pro`, the plan of new accounts, has no limits. The others have one that a test wants to reach. */
const PLANS = {
  ...PLANS_BUILT_IN,
  pro: PRO,
  'few calls': { ...PRO, api_calls_per_minute: 5 },
  'one call': { ...PRO, api_calls_per_minute: 1 },
  'five texts': { ...PRO, sms_per_day: 5 },
  'one text': { ...PRO, sms_per_day: 1 },
  'no text': { ...PRO, sms_per_day: 0 },
  'ten codes': { ...PRO, two_factor_per_day: 10 },
}

let running: Promise<SharedGateway> | undefined

/**
 * Each call has a promise of its own. A file that waits for a promise of another file at its top declares its
 * tests in the suite of that file.
 *
 * @throws Error with the log when the gateway does not come up
 */
export async function sharedGateway(): Promise<SharedGateway> {
  running ??= start()
  return await running
}

/** Hostile requests to the shared gateway, with an account of their own. */
export async function sharedHostile(): Promise<HostileGateway> {
  const gateway = await sharedGateway()
  return hostileTo(gateway, await gateway.newAccount())
}

async function start(): Promise<SharedGateway> {
  const gateway = await startGateway({
    config: {
      // Two listeners, so that each promise holds across threads. A test that uses up what an address may do
      // names another one with `X-Forwarded-For`.
      http: {
        anonymous_calls_per_minute: 60_000,
        listeners: 2,
        trusted_proxies: ['127.0.0.0/8', '::1'],
      },
      plans: PLANS,
      devices: { segments_per_minute: 60_000, segments_burst: 1000, allowed_hosts: ['127.0.0.1'] },
      messages: { default_country: 'IT' },
    },
  })
  atEnd(async () => {
    running = undefined
    await gateway.stop()
  })
  return gateway
}
