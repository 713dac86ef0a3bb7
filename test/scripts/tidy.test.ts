import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { tidy } from '#scripts/tidy.ts'
import { type Files, plantTree } from '#test/scripts/planted-tree.ts'

const top = join(import.meta.dirname, '..', '..')
const longFunction = `function long() {\n${'  void 0\n'.repeat(70)}}`

/** Each row breaks one rule once: the file, its text, then `line rule` of the only finding. */
const BROKEN: readonly (readonly [path: string, text: string | null, found: string])[] = [
  ['src/domain/up.ts', "import { read } from '#storage/read.ts'\nread({})\n", '1 arrow'],
  ['src/storage/across.ts', "\nimport { a } from '#rate-limit/a.ts'\na()\n", '2 arrow'],
  ['src/storage/up.entry.ts', "import { a } from '#rate-limit/a.ts'\na()\n", '1 arrow'],
  ['src/storage/lazy.ts', "export const a = () => import('#app/serve.ts')\n", '1 arrow'],
  ['src/agent/up.ts', "import { rule } from '#domain/rule.ts'\nrule(1)\n", '1 arrow'],
  ['src/main.ts', "import { read } from '#storage/read.ts'\nread({})\n", '1 arrow'],
  [
    'src/domain/wire.ts',
    "import type { A } from '#contracts/device-frames.ts'\nexport type B = A\n",
    '1 arrow',
  ],
  ['src/domain/near.ts', "import { rule } from './rule.ts'\nrule(1)\n", '1 import-form'],
  ['test/domain/far.ts', "import { rule } from '../../src/domain/rule.ts'\nrule(1)\n", '1 import-form'],
  ['src/domain/bare.ts', "import { rule } from '#domain/rule'\nrule(1)\n", '1 import-form'],
  ['src/app/uws.ts', "import { App } from 'uWebSockets.js'\nApp()\n", '1 third-party'],
  [
    'src/app/sql.ts',
    "import type { DatabaseSync } from 'node:sqlite'\nexport type A = DatabaseSync\n",
    '1 third-party',
  ],
  [
    'src/storage/sql.ts',
    "import { DatabaseSync } from 'node:sqlite'\nnew DatabaseSync('')\n",
    '1 third-party',
  ],
  ['src/app/pool.ts', "import { Piscina } from 'piscina'\nnew Piscina()\n", '1 third-party'],
  ['src/storage/toml.ts', "import { parse } from 'smol-toml'\nparse('')\n", '1 third-party'],
  ['src/app/phone.ts', "import parse from 'libphonenumber-js/max'\nparse('')\n", '1 third-party'],
  ['src/agent/http.ts', "import { request } from 'undici'\nrequest('')\n", '1 third-party'],
  ['src/storage/cli.ts', "import { Command } from 'commander'\nnew Command()\n", '1 third-party'],
  ['src/app/memory.ts', 'export const a = new SharedArrayBuffer(8)\n', '1 shared-memory'],
  ['src/storage/atomic.ts', 'export const a = (b: Int32Array) => Atomics.load(b, 0)\n', '1 shared-memory'],
  ['src/app/leave.ts', '\nexport const a = () => process.exit(1)\n', '2 process'],
  ['src/app/peek.ts', "export const a = process['env']\n", '1 process'],
  ['src/app/take.ts', 'export const { env } = process\n', '1 process'],
  ['src/app/load.ts', "import { env } from 'node:process'\nexport const a = () => env\n", '1 process'],
  ['src/domain/clock.ts', 'export const a = () => Date.now()\n', '1 pure'],
  ['src/domain/now.ts', 'export const a = () => new Date()\n', '1 pure'],
  ['src/domain/dice.ts', 'export const a = () => Math.random()\n', '1 pure'],
  ['src/domain/timer.ts', 'export const a = () => setTimeout(() => {}, 1)\n', '1 pure'],
  ['src/domain/wait.ts', 'export async function a() {}\n', '1 pure'],
  ['src/domain/io.ts', "import { readFileSync } from 'node:fs'\nreadFileSync('')\n", '1 pure'],
  ['src/domain/id.ts', "import { randomUUID } from 'node:crypto'\nrandomUUID()\n", '1 pure'],
  ['src/app/default.ts', 'export default 1\n', '1 default-export'],
  ['src/app/renamed.ts', 'const a = 1\nexport { a as default }\n', '2 default-export'],
  ['src/app/all.ts', "export * from '#app/serve.ts'\n", '1 barrel'],
  ['src/app/some.ts', "export { serve } from '#app/serve.ts'\n", '1 barrel'],
  ['src/app/pass.ts', "import { serve } from '#app/serve.ts'\nexport { serve }\n", '2 barrel'],
  ['src/app/many.ts', 'export function a(b: 1, c: 1, d: 1, e: 1) { return [b, c, d, e] }\n', '1 parameters'],
  ['src/app/made.ts', 'export class A {\n  constructor(_b: 1, _c: 1, _d: 1, _e: 1) {}\n}\n', '2 parameters'],
  ['src/app/long.ts', `\n${longFunction}\nlong()\n`, '2 function-length'],
  ['src/app/tall.ts', 'void 0\n'.repeat(301), '301 file-length'],
  ['src/app/wide.ts', `\n// ${'x'.repeat(108)}\n`, '2 line-length'],
  ['src/pool/pool.entry.ts', 'void 0\n'.repeat(40), '40 file-length'],
  ['src/app/string-utils.ts', 'export const a = 1\n', '1 name'],
  ['src/app/helpers/a.ts', 'export const a = 1\n', '1 name'],
  ['src/app/aManager.ts', 'export const a = 1\n', '1 name'],
  ['src/app/broken.ts', 'export const = 1\n', '1 syntax'],
  ['test/app/sleep.test.ts', 'await new Promise(done => setTimeout(done, 5))\n', '1 sleep'],
  ['test/app/timers.test.ts', "import { setTimeout } from 'node:timers/promises'\n", '1 sleep'],
  ['test/app/tick.test.ts', 'setInterval(() => {}, 5)\n', '1 sleep'],
  [
    'test/app/only.test.ts',
    "import { test } from 'node:test'\ntest.only('a', () => {})\n",
    '2 test-left-out',
  ],
  [
    'test/app/skip.test.ts',
    "import { test } from 'node:test'\ntest('a', { skip: true }, () => {})\n",
    '2 test-left-out',
  ],
  ['src/storage/migrations/003-gap.ts', "export const sql = ''\n", '1 migration'],
  ['src/storage/migrations/initial.ts', "export const sql = ''\n", '1 migration'],
  ['src/extra/a.ts', 'export const a = 1\n', '1 floor'],
  ['docs/a.md', '', '1 top-level'],
  ['README.md', null, '1 top-level'],
  ['ARCHITECTURE.md', '`app` and `storage/migrations`\n', '1 architecture'],
  ['ARCHITECTURE.md', `\`app\` \`domain\` \`storage/migrations\`${' word'.repeat(4000)}\n`, '1 architecture'],
  ['ARCHITECTURE.md', '`app` `domain` `storage`\n', '1 architecture'],
]

test('a tree that keeps every rule has no findings', t => {
  assert.deepEqual(tidy(plantTree(t)), [])
})

for (const [path, text, expected] of BROKEN) {
  test(`${path} is reported to break "${expected.split(' ')[1]}" where it does: ${firstLine(text)}`, t => {
    const found = findingsOf(plantTree(t, floorsNamed({ [path]: text })))
    const at = expected.startsWith('1 top-level') ? (path.split('/')[0] ?? path) : path
    assert.deepEqual(found, [`${at}:${expected}`])
  })
}

for (const name of ['libphonenumber-js/max', 'temporal-polyfill/fns/Instant']) {
  test(`only one file of domain uses ${name}`, t => {
    const text = `import parse from '${name}'\nparse('')\n`
    assert.deepEqual(findingsOf(plantTree(t, { 'src/domain/a.ts': text })), [])
    const both = plantTree(t, { 'src/domain/a.ts': text, 'src/domain/b.ts': text })
    assert.deepEqual(findingsOf(both), ['src/domain/b.ts:1 third-party'])
  })
}

test('a room of more than a thousand lines needs a document', t => {
  const code = Object.fromEntries(
    [1, 2, 3, 4].map(number => [`src/app/room/${number}.ts`, 'void 0\n'.repeat(251)]),
  )
  const files = floorsNamed(code)
  assert.deepEqual(findingsOf(plantTree(t, files)), ['src/app/room/README.md:1 room'])
  assert.deepEqual(findingsOf(plantTree(t, { ...files, 'src/app/room/README.md': '' })), [])
})

test('files that import each other are reported once, also if they only share types', t => {
  const tree = plantTree(t, {
    'src/app/a.ts': "import type { B } from '#app/b.ts'\nexport type A = B | 1\n",
    'src/app/b.ts': "import type { C } from '#app/c.ts'\nexport type B = C | 2\n",
    'src/app/c.ts': "export type C = import('#app/a.ts').A | 3\n",
    'src/app/d.ts': "import type { A } from '#app/a.ts'\nexport type D = A\n",
  })
  assert.deepEqual(findingsOf(tree), ['src/app/a.ts:1 circle'])
})

test('rooms of domain whose files import each other are reported', t => {
  const files: Files = {
    'src/domain/up/a.ts': "import { b } from '#domain/down/b.ts'\nexport const a = b\n",
    'src/domain/up/c.ts': 'export const c = 1\n',
    'src/domain/down/b.ts': 'export const b = 1\n',
  }
  assert.deepEqual(findingsOf(plantTree(t, floorsNamed(files))), [])
  const back = { 'src/domain/down/d.ts': "\nimport { c } from '#domain/up/c.ts'\nexport const d = c\n" }
  const tree = plantTree(t, floorsNamed({ ...files, ...back }))
  assert.deepEqual(findingsOf(tree), ['src/domain/down/d.ts:2 circle'])
})

test('code that breaks no rule is not reported', t => {
  const files: Files = {
    'src/pool/pool.entry.ts': "import { Piscina } from 'piscina'\nexport const runTask = () => Piscina\n",
    'src/rate-limit/table.ts': 'export const a = Atomics.load(new Int32Array(new SharedArrayBuffer(8)), 0)\n',
    'src/storage/sqlite.ts': "import { DatabaseSync } from 'node:sqlite'\nnew DatabaseSync('')\n",
    'src/app/threads/writer.entry.ts': "import { read } from '#storage/read.ts'\nread({})\n",
    'test/app/turn.test.ts': "import { setImmediate as turn } from 'node:timers/promises'\nawait turn()\n",
    'src/app/memory.ts': 'export const a = (b: SharedArrayBuffer) => b.byteLength\n',
    'src/app/agent.ts': "import { a } from '#agent/standalone.ts'\nimport '#agent/journal.ts'\na()\n",
    'src/agent/standalone.ts': 'export const a = () => process.exit(Number(process.env.A))\n',
    'src/agent/journal.ts': "import WebSocket from 'ws'\nexport const a = { env: WebSocket, setTimeout }\n",
    'src/contracts/frame.ts':
      "import type { MessagePort } from 'node:worker_threads'\nexport type A = MessagePort\n",
    'src/domain/hash.ts': "import { createHash } from 'node:crypto'\nexport const a = createHash('sha256')\n",
    'test/app/clock.test.ts': 'export const a = { setTimeout: 1 }\nexport const b = a.setTimeout\n',
    'config.toml': '',
    'roost-agent.json': '{}',
    'roost-agent.json.journal': '',
    'roost-agent.json.lock': '',
    'dist/helpers.js': 'export default 1\n',
    '.ci/run': '',
  }
  assert.deepEqual(findingsOf(plantTree(t, floorsNamed(files))), [])
})

test('the command prints path, line, rule and advice, and fails', t => {
  const tree = plantTree(t, { 'src/app/default.ts': 'export default 1\n' })
  const script = join(top, 'scripts/tidy.ts')
  const failed = spawnSync(process.execPath, [script, tree], { encoding: 'utf8' })
  assert.equal(failed.stdout, 'src/app/default.ts:1 default-export: export it by its name\n')
  assert.equal(failed.status, 1)
  assert.equal(execFileSync(process.execPath, [script, plantTree(t)], { encoding: 'utf8' }), '')
})

test('this repository keeps its own rules', () => {
  const found = tidy(top).map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message}`)
  assert.deepEqual(found, [])
})

function findingsOf(tree: string): string[] {
  return tidy(tree).map(({ path, line, rule }) => `${path}:${line} ${rule}`)
}

function firstLine(text: string | null): string {
  return text?.trim().split('\n')[0]?.slice(0, 60) ?? 'it is missing'
}

/** Names the floors and rooms of `files` in ARCHITECTURE.md, so that a row breaks one rule only. */
function floorsNamed(files: Files): Files {
  const folders = [/^src\/([^/]+)\//, /^src\/([^/]+\/[^/]+)\//].flatMap(folder =>
    Object.keys(files).flatMap(path => folder.exec(path)?.[1] ?? []),
  )
  const always = ['app', 'domain', 'storage', 'storage/migrations']
  const named = [...always, ...folders].map(folder => `\`${folder}\``).join(' ')
  return { 'ARCHITECTURE.md': `${named}\n`, ...files }
}
