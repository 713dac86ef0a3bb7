import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CodeWorld } from '#test/kit/code-world.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

function makeDirectory(t: { after(end: () => void): void }): string {
  const folder = temporaryDirectory(t)
  return folder
}

test('the bytes of wiped texts are gone from the file, short ones and long ones', t => {
  const file = join(makeDirectory(t), 'roost.db')
  const world = new CodeWorld(file)
  for (let i = 0; i < 40; i++) {
    const template = `{code}${'é'.repeat(i * 11)}`
    world.issue({ code: `Sesame${i}`, template, phoneNumber: `+1415555${1000 + i}` })
  }
  world.advance(2000)
  world.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  world.database.close()
  const bytes = readFileSync(file, 'latin1')
  assert.ok(bytes.includes('+14155551000'))
  assert.ok(!bytes.includes('Sesame'))
})

test('after lost commits no code is valid, and no text of a code is kept', () => {
  const world = new CodeWorld()
  world.connectPhone()
  const { messageId } = world.issue({ test: false, code: 'Sesame7' }).answer
  world.restart()
  assert.equal(world.ask('gateway.quarantine', {}).messages, 1)
  assert.ok(!world.dump().includes('Sesame7'))
  assert.equal(world.reasonFor('Sesame7', { test: false, by: { messageId } }), 'EXPIRED')
})
