import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { hashPassword, verifyPassword } from '#pool/tasks/hash-password.ts'
import { quickPasswordHash } from '#test/kit/quick-password.ts'

test('a password matches only its own hash, however its accents are encoded', async () => {
  const stored = await hashPassword('caf\u00e9 au lait')
  assert.match(stored, /^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  const tries = ['caf\u00e9 au lait', 'cafe\u0301 au lait', 'cafe au lait', '']
  const found = await Promise.all(tries.map(password => verifyPassword(password, stored)))
  assert.deepEqual(found, [true, true, false, false])
})

test('the same password never has the same hash', async () => {
  const [one, two] = await Promise.all([quickPasswordHash('password'), quickPasswordHash('password')])
  assert.notEqual(one, two)
})

test('the parameters of the stored hash are used, which may be those of an older version', async () => {
  const salt = Buffer.alloc(16, 7)
  const hash = scryptSync('password', salt, 32, { N: 1024, r: 8, p: 1 })
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const stored = `$scrypt$ln=10,r=8,p=1$${plain(salt)}$${plain(hash)}`
  assert.equal(await verifyPassword('password', stored), true)
  assert.equal(await verifyPassword('Password', stored), false)
})

test('an invalid hash, or one with excessive cost, matches nothing', async () => {
  const body = `${'A'.repeat(22)}$${'A'.repeat(43)}`
  const stored = ['', '$2b$10$x', `$scrypt$ln=24,r=8,p=1$${body}`, `$scrypt$ln=10,r=8,p=9$${body}`]
  for (const text of [...stored, `$scrypt$ln=0,r=8,p=1$${body}`, `$scrypt$ln=10,r=9,p=1$${body}`])
    assert.equal(await verifyPassword('password', text), false, text)
})
