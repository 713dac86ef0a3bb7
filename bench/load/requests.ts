/**
 * Measures what one request costs at worst, for every route: processor time of the listener and of the whole
 * process, with and without a credential, for bodies that take as much time as possible. BENCH_CHECKOUT names
 * another checkout to measure in place of this one. BENCH_ROUTE: only routes with this in their path.
 */
import { createHmac } from 'node:crypto'
import { Agent, request } from 'undici'
import { bundleMain } from '#bench/load/bundle-main.ts'
import { type BenchGateway, startGateway } from '#bench/load/gateway.ts'
import { type CostlyBody, costlyBodies, costlyHooks } from '#bench/load/request-bodies.ts'
import { nameThreads, type ThreadNames } from '#bench/load/thread-cpu.ts'
import { DIALECTS } from '#contracts/config.ts'
import { CloudApp } from '#test/kit/cloud-app.ts'
import { appRoutes, declaredRoutes } from '#test/kit/routes.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { dialectRoutes } from '#transport/http/dialects/dialect-routes.ts'
import type { Route } from '#transport/http/route.ts'

const OWNER = 'owner@localhost'
const HOOK = '/smsgate/v1/hook/{device}/{secret}'
/** Sizes of bodies: just within the limits of callers that are unknown or known, and of alerts. */
const SIZES = [65_536, 262_144]
const ALERT_SIZE = 2_097_152
const HOOK_SIZES = [65_536, 8_388_608]
const UNMEASURED = 2
const MEASURED = 5
const AGENT = new Agent({ connections: 1, pipelining: 1 })

interface Cost {
  readonly name: string
  readonly status: number
  readonly listenerMs: number
  readonly processMs: number
}

interface Rig {
  readonly gateway: BenchGateway
  readonly threads: ThreadNames
  readonly token: string
  readonly key: string
  readonly app: CloudApp
  newWebhook(): Promise<string>
  newPhone(): Promise<CloudApp>
}

type Caller = 'stranger' | 'known'

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

export async function benchRequests(): Promise<void> {
  const rig = await openRig()
  process.stdout.write('\nOne request at worst: ms of the listener, and of the process\n')
  const only = process.env['BENCH_ROUTE'] ?? ''
  for (const route of (await allRoutes()).filter(({ path }) => path.includes(only))) {
    if (route.method === 'delete' || route.path.endsWith('/logout')) continue
    const name = `${route.method} ${route.path}`
    for (const caller of ['stranger', 'known'] as const) {
      if (caller === 'known' && route.access === 'public' && route.body === 'none') continue
      const costs = route.path === HOOK ? await hookCosts(rig, caller) : await costsOf(rig, route, caller)
      const [worst] = costs.sort((a, b) => b.processMs - a.processMs)
      if (worst === undefined) continue
      const times = [worst.listenerMs, worst.processMs].map(ms => ms.toFixed(2).padStart(8))
      const listener = Math.max(...costs.map(({ listenerMs }) => listenerMs)).toFixed(2)
      const what = `${worst.status} ${worst.name} (at most ${listener} of the listener)`
      process.stdout.write(`${name.padEnd(52)} ${caller.padEnd(8)} ${times.join(' ')}  ${what}\n`)
    }
  }
  await rig.gateway.stop()
  rig.threads.remove()
}

async function allRoutes(): Promise<readonly Route[]> {
  const ports = new Proxy(() => undefined, { get: () => () => undefined }) as unknown as DialectPorts
  return [...(await declaredRoutes()), ...dialectRoutes(DIALECTS, ports), ...appRoutes()]
}

async function openRig(): Promise<Rig> {
  const threads = nameThreads()
  const gateway = await startGateway(
    {
      ...threads.env,
      ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '1000000',
      ROOST_HTTP__ANONYMOUS_CALLS_PER_MINUTE: '1000000',
      ROOST_HTTP__LISTENERS: '1',
      ROOST_LOG__LEVEL: 'error',
    },
    bundleMain(process.env['BENCH_CHECKOUT']),
  )
  const token = await gateway.roost('token', '--account', OWNER)
  const key = await gateway.roost('key', 'create', '--account', OWNER, '--test')
  const post = async (path: string, json: object): Promise<Record<string, string>> => {
    const { body } = await request(`${gateway.url}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    })
    const { data } = (await body.json()) as { data: Record<string, string> }
    return data
  }
  const newPhone = async () => {
    const app = new CloudApp(`${gateway.url}/smsgate/v1`)
    const { status } = await app.register(`Code ${(await post('/devices/pairings', {}))['code']}`)
    if (status !== 201) throw new Error(`a registration was answered ${status}`)
    return app
  }
  const newWebhook = async () => {
    const made = await post('/webhooks', { name: 'bench', recipients: ['+15005550006'], maxPerHour: 1000 })
    return String(made['token'])
  }
  return { gateway, threads, token, key, app: await newPhone(), newWebhook, newPhone }
}

async function costsOf(rig: Rig, route: Route, caller: Caller): Promise<Cost[]> {
  const isAlert = route.path.includes('{token}') || route.path === '/message'
  const sizes = isAlert && caller === 'known' ? [...SIZES, ALERT_SIZE] : SIZES
  const nothing: CostlyBody = { name: 'no body', headers: {}, bytes: Buffer.alloc(0) }
  const bodies = route.body === 'none' ? [nothing] : sizes.flatMap(size => costlyBodies(size))
  const costs: Cost[] = []
  for (const body of bodies) {
    const secret = isAlert && caller === 'known' ? await rig.newWebhook() : rig.key
    const asked = {
      ...askFor(rig, route, { caller, secret }),
      body: route.body === 'none' ? null : body.bytes,
    }
    const headers = { ...asked.headers, ...body.headers }
    costs.push(await measure(rig, `${body.name} ${body.bytes.length}`, () => ({ ...asked, headers })))
  }
  return costs
}

function askFor(
  rig: Rig,
  { path, method, access }: Route,
  { caller, secret }: { caller: Caller; secret: string },
) {
  const isApp = path.startsWith('/smsgate/')
  const isKnown = caller === 'known'
  const token = isKnown ? secret : 'x'.repeat(40)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'token' || name === 'key' ? token : `${name}1`,
  )
  const bearer = isApp ? rig.app.token : rig.token
  // A stranger sends a token of the right form, so that its signature is checked.
  const wrong = `${rig.token.slice(0, -4)}AAAA`
  const basic = `Basic ${Buffer.from(`user:${isKnown ? secret : 'sk_live_wrong'}`).toString('base64')}`
  const authorization = access === 'public' && !isApp ? basic : `Bearer ${isKnown ? bearer : wrong}`
  const headers: Record<string, string> = { Authorization: authorization, 'X-Gotify-Key': token }
  if (path === '/smsgate/v1/device' && method === 'post' && !isKnown)
    headers['Authorization'] = 'Code 00000000'
  const query = path === '/cgi-bin/sendsms' && isKnown ? `?password=${secret}` : ''
  return { method: method.toUpperCase(), path: filled + query, headers }
}

async function hookCosts(rig: Rig, caller: Caller): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const { name, text } of HOOK_SIZES.flatMap(size => costlyHooks(size))) {
    const app = await rig.newPhone()
    const key = (await app.settings()).webhooks.signing_key
    const [hook] = await app.webhooks()
    const path = new URL(hook?.url ?? '').pathname
    costs.push(
      await measure(rig, `${name} ${text.length}`, () => {
        const timestamp = String(Math.floor(Date.now() / 1000))
        const signature = createHmac('sha256', key).update(text).update(timestamp).digest('hex')
        const headers = { 'X-Timestamp': timestamp, 'X-Signature': signature }
        const asked = caller === 'known' ? path : `${path.slice(0, -4)}xxxx`
        return { method: 'POST', path: asked, headers, body: Buffer.from(text) }
      }),
    )
  }
  return costs
}

async function measure({ gateway, threads }: Rig, name: string, ask: () => Asked): Promise<Cost> {
  let status = 0
  const once = async () => {
    const { method, path, headers, body } = ask()
    try {
      const answer = await request(`${gateway.url}${path}`, {
        method: method as 'POST',
        headers,
        body,
        dispatcher: AGENT,
      })
      status = answer.statusCode
      await answer.body.dump()
    } catch {
      // The gateway closes the connection of a body that is too long.
    }
  }
  for (let at = 0; at < UNMEASURED; at += 1) await once()
  const before = threads.read(gateway.pid)
  for (let at = 0; at < MEASURED; at += 1) await once()
  const after = threads.read(gateway.pid)
  const ms = (thread: string) => ((after.get(thread) ?? 0) - (before.get(thread) ?? 0)) / 1e6 / MEASURED
  const processMs = [...after.keys()].reduce((sum, thread) => sum + ms(thread), 0)
  return { name, status, listenerMs: ms('listener'), processMs }
}
