import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import packageFile from '#package.json' with { type: 'json' }
import { bundled } from '#test/kit/bundle.ts'
import { runHere, runRoost } from '#test/kit/run-roost.ts'

interface Part {
  readonly name: string
  readonly version: string | null
  readonly license: string
  readonly text: string
}

const NATIVE = ['Node.js', 'SQLite', 'uWebSockets.js', 'BoringSSL', 'LSQUIC', 'zlib']

test('the executable contains the licence of every package in it', () => {
  const folder = dirname(bundled('main'))
  const inputs: string[] = JSON.parse(readFileSync(join(folder, 'inputs.json'), 'utf8'))
  const parts: Part[] = JSON.parse(readFileSync(join(folder, 'licenses.json'), 'utf8'))

  const packages = inputs.flatMap(path => path.split('node_modules/')[1] ?? [])
  const names = new Set(packages.map(path => path.split('/', path.startsWith('@') ? 2 : 1).join('/')))
  assert.ok(names.has('valibot') && names.has('ws') && names.has('piscina'), [...names].join(' '))
  for (const name of ['roost', 'uws-pack', '@yao-pkg/pkg', ...NATIVE, ...names]) {
    const part = parts.find(one => one.name === name)
    assert.ok(part !== undefined && part.text.length > 300 && part.license !== '', `${name} has a text`)
  }
  assert.ok(!parts.some(({ name }) => name === 'typescript' || name === 'esbuild'))
})

test('version --licenses prints the texts, of the bundle and of a source checkout', async () => {
  const ofBundle = await runRoost(['version', '--licenses'], { cwd: '/' })
  assert.match(ofBundle.stdout, /^roost \d+\.\d+\.\d+ \(Apache-2\.0\)\n=+\n\n *Apache License/)
  assert.match(ofBundle.stdout, /^valibot [\d.]+ \(MIT\)\n=+\n\n.*copyright/ims)

  const ofCheckout = await runHere(['version', '--licenses', '--json'], { cwd: '/' })
  const { licenses }: { licenses: Part[] } = JSON.parse(ofCheckout.stdout)
  const names = licenses.map(({ name }) => name)
  for (const name of [...NATIVE, ...Object.keys(packageFile.dependencies)])
    assert.ok(names.includes(name), `${name} is listed`)
})
