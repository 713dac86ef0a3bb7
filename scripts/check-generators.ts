/**
 * Code that generators make from our OpenAPI document: `node scripts/check-generators.ts [NAME…]`. It must
 * pass `tsc --strict` and send a text by a running gateway. Generators are installed from npm into a
 * temporary folder; those that cannot be installed are skipped and named. Ends with 1 when one failed.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { run, TO } from '#scripts/clients/client.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'

interface Generator {
  /** Packages of npm with their versions; the first one names it. */
  readonly npm: readonly string[]
  /** Makes `api.ts` of `openapi.json`. */
  readonly command: readonly string[]
  /** Sends `text` by the code in `api.ts`; throws when that fails. */
  readonly program: string
}

const BEGIN = `
const { ROOST_URL: baseUrl = '', ROOST_SECRET: key = '' } = process.env
const { ROOST_TEXT: message = '', ROOST_TO: phoneNumber = '' } = process.env
`

const GENERATORS: readonly Generator[] = [
  {
    npm: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'],
    command: ['openapi-typescript', 'openapi.json', '-o', 'api.ts'],
    program: `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'
${BEGIN}
const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } })
const { data, error } = await client.POST('/api/v1/sms/send', { body: { phoneNumber, message } })
if (error !== undefined) throw new Error(error.error.message)
const id: string = data.data.messageId
const shown = await client.GET('/api/v1/sms/{messageId}', { params: { path: { messageId: id } } })
if (shown.data?.data.message !== message) throw new Error('another message')
`,
  },
]

const top = mkdtempSync(join(tmpdir(), 'roost-generators-'))
const gateway = await startGateway()
const owner = await gateway.owner()
const phone = await PairedPhone.pair(gateway, owner.accountId)
await phone.connect(gateway.url)
const description = await (await fetch(`${gateway.url}/api/v1/openapi.json`)).text()

const wanted = process.argv.slice(2)
for (const generator of GENERATORS) {
  const [name = ''] = generator.npm
  if (wanted.length > 0 && !wanted.some(word => name.includes(word))) continue
  const folder = mkdtempSync(join(top, 'generator-'))
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
  if (!succeeds('npm', [...install, ...generator.npm], folder)) {
    console.log(`**** SKIPPED ${name}: npm did not install it`)
    continue
  }
  const fault = await faultOf(generator, folder)
  console.log(fault === null ? `ok ${name}` : `FAILED ${name}: ${fault}`)
  if (fault !== null) process.exitCode = 1
}
await phone.disconnect()
await gateway.stop()
rmSync(top, { recursive: true, force: true })

/** What is wrong with the code that it makes; null: nothing. */
async function faultOf({ command, program }: Generator, folder: string): Promise<string | null> {
  writeFileSync(join(folder, 'openapi.json'), description)
  writeFileSync(join(folder, 'send.ts'), program)
  const [tool = '', ...args] = command
  if (!succeeds(join(folder, 'node_modules', '.bin', tool), args, folder)) return 'it makes no code'
  const strict = ['--strict', '--noEmit', '--skipLibCheck', '--allowImportingTsExtensions', '--types', 'node']
  const modern = ['--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler']
  const types = ['--typeRoots', join(import.meta.dirname, '..', 'node_modules', '@types')]
  if (!succeeds('tsc', [...strict, ...modern, ...types, 'send.ts'], folder)) return 'its code has wrong types'
  const outfile = join(folder, 'send.mjs')
  const entryPoints = [join(folder, 'send.ts')]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' })
  const text = `sent by ${tool}`
  const before = phone.sent.length
  const job = { url: gateway.url, secret: owner.liveKey, text, folder }
  if (!(await run(process.execPath, [outfile], job))) return 'its code does not send'
  const [sent] = (await phone.whenSent(before + 1)).slice(before)
  return sent?.message === text && sent.phoneNumber === TO ? null : 'the phone has another text'
}

/** What a command that fails printed goes to the terminal. */
function succeeds(command: string, args: readonly string[], cwd: string): boolean {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) console.error(`${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(0, 20).join('\n'))
  return status === 0
}
