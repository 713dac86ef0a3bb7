import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { VERSION } from '#contracts/version.ts'

const notesFor = (tag: string) => {
  const script = fileURLToPath(import.meta.resolve('#scripts/release-notes.mjs'))
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, tag], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('the notes of a release are the part of the changelog about this version', () => {
  const { status, stdout } = notesFor(`v${VERSION}`)
  assert.equal(status, 0)
  assert.match(stdout, /^\S[\s\S]*\S\n$/)
  assert.doesNotMatch(stdout, /^## |^\[[^\]]+\]: /m)
})

test('a tag of another version is refused', () => {
  const { status, stdout, stderr } = notesFor('v99.0.0')
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /the tag v99\.0\.0 is not v\d/)
})
