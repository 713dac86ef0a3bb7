/**
 * Runs real clients against a gateway with a phone: `node scripts/check-clients.ts [NAME…]`. With a valid
 * credential each client must report success, and the phone must get one text. With a wrong credential the
 * client must report a failure, and the phone must get nothing. Packages of npm are installed into a
 * temporary folder. Those of Debian are unpacked there, or installed with apt-get, which needs root. A client
 * that cannot be installed is skipped and named. Exit code 1: a client failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, printed } from '#scripts/clients/client.ts'
import { SENDERS } from '#scripts/clients/senders.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

/** Milliseconds left for all installations together. A client that is not installed by then is skipped. */
let installMs = 400_000
const INVALID = { key: `sk_live_${'0'.repeat(38)}`, webhook: 'x'.repeat(40) }

const top = mkdtempSync(join(tmpdir(), 'roost-clients-'))
const gateway = await startGateway({ config: { notifications: { allowed_hosts: ['127.0.0.1'] } } })
const owner = await gateway.owner()
const phone = await PairedPhone.pair(gateway, owner.accountId)
await phone.connect(gateway.url)
const { url } = await new WebhookCalls(gateway, owner.token).create({ maxPerHour: 1000 })
const VALID = { key: owner.liveKey, webhook: url.split('/').at(-1) ?? '' }
const events = { token: owner.token, json: { url: 'https://events.invalid/' } }
const set = await gateway.call('PUT', '/api/v1/notifications', events)
// What signs callbacks, for clients that check it. Every client inherits it.
process.env['ROOST_SIGNING'] = String(set.json?.data['secret'])
const results: string[] = []

const wanted = process.argv.slice(2)
const clients = SENDERS.filter(({ name }) => wanted.length === 0 || wanted.some(word => name.includes(word)))
await installDebian(clients)
for (const [index, client] of clients.entries()) {
  const folder = mkdtempSync(join(top, 'client-'))
  const notInstalled = await installClient(client, folder)
  const startedAt = performance.now()
  const fault = notInstalled ?? (await faultOf(client, { folder, text: `Backup ${index} done` }))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  let result = fault === null ? 'ok' : 'FAILED'
  if (notInstalled !== null) result = '**** SKIPPED'
  results.push(result)
  console.log(`${result} ${client.name} (${seconds} s)${fault === null ? '' : `: ${fault}`}`)
}
await phone.disconnect()
await gateway.stop()
rmSync(top, { recursive: true, force: true })
if (results.includes('FAILED')) process.exitCode = 1

/** Runs the client; returns what it did wrong, or null. */
async function faultOf(
  { credential, send }: Client,
  { folder, text }: { readonly folder: string; readonly text: string },
): Promise<string | null> {
  const job = { url: gateway.url, folder, text }
  try {
    const before = phone.sent.length
    if (!(await send({ ...job, secret: VALID[credential] }))) return `it reports a failure: ${printed}`
    const [sent] = (await phone.whenSent(before + 1)).slice(before)
    if (!sent?.message.includes(text)) return `the phone got ${JSON.stringify(sent?.message)}`
    if (await send({ ...job, secret: INVALID[credential] })) return 'it reports success for a refused request'
    return phone.sent.length === before + 1 ? null : 'a request with a wrong credential sent a text'
  } catch (error) {
    return String(error)
  }
}

/**
 * Installs or unpacks the client, or checks that its Debian package is installed. Returns why the client
 * cannot run; null if it can.
 */
async function installClient({ needs }: Client, folder: string): Promise<string | null> {
  if ('npm' in needs) {
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...needs.npm]
    return (await install('npm', args, folder)) ? null : `npm did not install ${needs.npm.join(' ')}`
  }
  if ('unpacked' in needs) {
    const commands = `apt-get download ${needs.unpacked} && dpkg-deb --extract ${needs.unpacked}_*.deb .`
    return (await install('sh', ['-c', commands], folder))
      ? null
      : `Debian's ${needs.unpacked} cannot be downloaded`
  }
  return (await install('sh', ['-c', needs.test], folder))
    ? null
    : `Debian's ${needs.debian} is not installed: apt-get install ${needs.debian}`
}

/** Installs the Debian packages that are missing, if this process is root. */
async function installDebian(clients: readonly Client[]): Promise<void> {
  const missing: string[] = []
  for (const client of clients)
    if ('debian' in client.needs && (await installClient(client, top)) !== null)
      missing.push(client.needs.debian)
  if (missing.length === 0 || process.getuid?.() !== 0) return
  await install('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...new Set(missing)], top)
}

/**
 * Runs a command; resolves to whether it succeeded. Does not block this process, because the phone in it must
 * answer the gateway.
 */
async function install(command: string, args: readonly string[], cwd: string): Promise<boolean> {
  if (installMs <= 0) return false
  const startedAt = performance.now()
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const child = spawn(command, args, { cwd, env, stdio: 'ignore', timeout: installMs })
  const [status] = (await once(child, 'close')) as [number | null]
  installMs = Math.floor(installMs - (performance.now() - startedAt))
  return status === 0
}
