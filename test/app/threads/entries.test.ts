import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { test } from 'node:test'
import { assetFile, entryFile } from '#app/threads/entries.ts'

for (const name of ['listener', 'writer', 'pool'] as const) {
  test(`the ${name} thread starts from a file that exists`, () => {
    assert(isAbsolute(entryFile(name)))
    assert(existsSync(entryFile(name)), entryFile(name))
  })
}

test('a source checkout reads its assets from dist', () => {
  assert.match(assetFile('agent.mjs'), /\/dist\/agent\.mjs$/)
})
