/**
 * Checks our OpenAPI document with other tools: `node scripts/check-generators.ts [NAME…]`. Generated clients
 * must pass `tsc --strict` and send a text through a running gateway. Linters must find no error and no
 * warning. The tools are installed from npm into a temporary folder; those that cannot be installed are
 * skipped and named. Exit code 1: a tool failed.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { printed, run, TO } from '#scripts/clients/client.ts'
import { GENERATORS, type Generator, LINTERS, type Linter } from '#scripts/generators/generators.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'

/** Time limit of one installation and of one tool. */
const COMMAND_MS_MAX = 300_000
const PRINTED_BYTES_MAX = 64_000_000
const NODE_MODULES = join(import.meta.dirname, '..', 'node_modules')

const top = mkdtempSync(join(tmpdir(), 'roost-generators-'))
const gateway = await startGateway()
const owner = await gateway.owner()
const phone = await PairedPhone.pair(gateway, owner.accountId)
await phone.connect(gateway.url)
const description = await (await fetch(`${gateway.url}/api/v1/openapi.json`)).text()

const wanted = process.argv.slice(2)
for (const tool of [...LINTERS, ...GENERATORS]) {
  const [name = ''] = tool.npm
  if (wanted.length > 0 && !wanted.some(word => name.includes(word))) continue
  const folder = mkdtempSync(join(top, 'tool-'))
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
  if (!(await succeeds('npm', [...install, ...tool.npm], folder))) {
    console.log(`**** SKIPPED ${name}: npm did not install it`)
    continue
  }
  const fault = await faultOf(tool, folder)
  console.log(fault === null ? `ok ${name}` : `FAILED ${name}: ${fault}`)
  if (fault !== null) process.exitCode = 1
}
await phone.disconnect()
await gateway.stop()
rmSync(top, { recursive: true, force: true })

/** Runs the tool. Returns what is wrong with the document or with the generated code; null: nothing. */
async function faultOf(tool: Generator | Linter, folder: string): Promise<string | null> {
  const files = { 'openapi.json': description, ...tool.files }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const [command = '', ...args] = tool.command
  const worked = await succeeds(join(folder, 'node_modules', '.bin', command), args, folder)
  if (!('program' in tool)) return worked ? null : 'it finds faults'
  return worked
    ? await faultOfCode(tool.program, { folder, text: `sent by ${command}` })
    : 'it generates no code'
}

async function faultOfCode(
  program: string,
  { folder, text }: { readonly folder: string; readonly text: string },
): Promise<string | null> {
  const source = join(folder, 'send.ts')
  writeFileSync(source, program)
  const strict = ['--strict', '--noEmit', '--skipLibCheck', '--allowImportingTsExtensions', '--types', 'node']
  const modern = ['--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler']
  const types = ['--typeRoots', join(NODE_MODULES, '@types')]
  if (!(await succeeds(join(NODE_MODULES, '.bin', 'tsc'), [...strict, ...modern, ...types, source], folder)))
    return 'its code has type errors'
  const outfile = join(folder, 'send.mjs')
  await build({ entryPoints: [source], outfile, bundle: true, platform: 'node', format: 'esm' })
  const before = phone.sent.length
  const job = { url: gateway.url, secret: owner.liveKey, text, folder }
  if (!(await run(process.execPath, [outfile], job))) return `its code does not send: ${printed}`
  const [sent] = (await phone.whenSent(before + 1)).slice(before)
  return sent?.message === text && sent.phoneNumber === TO ? null : 'the phone got another text'
}

/**
 * Runs a command, and prints its output if it fails. Does not block this process, because the phone in it
 * must answer the gateway.
 */
async function succeeds(command: string, args: readonly string[], cwd: string): Promise<boolean> {
  try {
    await promisify(execFile)(command, args, { cwd, timeout: COMMAND_MS_MAX, maxBuffer: PRINTED_BYTES_MAX })
    return true
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    console.error(`${stdout}${stderr}`.trim().split('\n').slice(0, 20).join('\n'))
    return false
  }
}
