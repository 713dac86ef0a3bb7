/** What few gateways need is loaded only by those: their packages take megabytes of memory. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SRC = join(import.meta.dirname, '../../../src')
/** Imports and exports of other files; not those of types, and not `import()`. */
const STATIC = /^(?:import|export) (?!type )(?:[\w\s{},*]*? from )?'([^']+)'/gm
const ON_DEMAND = ['mqtt', 'nodemailer', 'smtp-server', 'undici']

/** The packages that are loaded together with a file of `src`. */
function packagesOf(entry: string): ReadonlySet<string> {
  const packages = new Set<string>()
  const files = new Set([entry])
  for (const file of files)
    for (const [, name = ''] of readFileSync(join(SRC, file), 'utf8').matchAll(STATIC))
      if (/^#.*\.ts$/.test(name)) files.add(name.slice(1))
      else packages.add(name)
  return packages
}

for (const entry of [
  'main.ts',
  'app/commands/serve.ts',
  'app/threads/gateway.ts',
  'app/threads/listener.entry.ts',
])
  test(`${entry} loads no package for mails, Home Assistant or a cluster`, () => {
    const packages = packagesOf(entry)
    for (const name of ON_DEMAND) assert.ok(!packages.has(name), name)
  })

test('the files that need these packages are found to load them', () => {
  assert.ok(packagesOf('app/cluster/lead-cluster.ts').has('undici'))
  assert.ok(packagesOf('app/home-assistant/home-bridge.ts').has('mqtt'))
  assert.ok(packagesOf('transport/notification/send-mail.ts').has('nodemailer'))
  assert.ok(packagesOf('transport/smtp/mail-server.ts').has('smtp-server'))
})
