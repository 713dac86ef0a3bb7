import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DRIVERS } from '#agent/drivers/drivers.ts'
import { AGENT_FLAGS } from '#agent/flags.ts'

const names = Object.keys(DRIVERS)

test('the handbook and the pairing steps name only drivers that exist', () => {
  for (const file of ['GUIDE.md', 'src/contracts/pairing-address.ts']) {
    const found = [...readFileSync(file, 'utf8').matchAll(/--driver ([\w-]+)/g)].map(([, name = '']) => name)
    assert.notEqual(found.length, 0, file)
    for (const name of found) assert.ok(names.includes(name), `${file}: --driver ${name}`)
  }
})

test('the section of the handbook about drivers names only drivers and flags that exist', () => {
  const [, section = ''] = /\n### Drivers\n([\s\S]*?)\n### /.exec(readFileSync('GUIDE.md', 'utf8')) ?? []
  const rows = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name)
  const flags = [...section.matchAll(/`--([\w-]+)/g)].map(([, name = '']) => name)
  assert.ok(rows.length > 0 && flags.length > 0, section)
  for (const name of rows) assert.ok(names.includes(name), name)
  for (const name of flags) assert.ok(Object.hasOwn(AGENT_FLAGS, name), name)
})
