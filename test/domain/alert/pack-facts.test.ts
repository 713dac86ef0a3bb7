/** What a text of an unknown sender is filled with, and what it never tells. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { renderPreview } from '#domain/alert/render-alert.ts'

const told = (fields: object) =>
  renderPreview({ event: 'backup.failed', host: 'nas', ...fields }, null).message

suite('a text is not filled with', () => {
  const rows: readonly (readonly [what: string, fields: object])[] = [
    [
      'secrets by their names',
      { passphrase: 'Zzq horse', pin: 'Zzq7', license: 'k2Zzq91xx', config: { pass: 'Zzq9' } },
    ],
    ['secrets by their names in other languages', { kennwort: 'Zzq', mot_de_passe: 'Zzq1', senha: 'Zzq2' }],
    [
      'values with a password',
      { dbconn: 'pg://u:Zzq@db/x', command: 'mysql -uroot -pZzq', arg: '--password Zzq' },
    ],
    ['keys of services', { a: 'ghp_ZzqEFGHijkl', b: 'xoxb-Zzq-abcd', c: 'Bearer Zzq', d: 'eyJZzq' }],
    ['people', { guest: 'Zzq Muster', driver: 'Max Zzq', card: { holder: 'Hans Zzq' }, opened_by: 'Zzq' }],
    [
      'telephone numbers, addresses and mail',
      { tel: '0171 2345678', street: 'Zzqstr. 5', note: 'zzq@example.com' },
    ],
    ['links and days', { more: 'https://zzq.example/a', begun: 'since 2026-11-29 Zzq' }],
  ]
  for (const [what, fields] of rows) {
    test(what, () => {
      const message = told({ room: 'Cellar', ...fields })
      assert.doesNotMatch(message, /zzq|2345678/i)
      assert.match(message, /^FAILED backup.*nas.*Cellar/)
    })
  }
})

test('a place and a measured value are told while there is room, and nothing twice', () => {
  const message = told({ room: 'Cellar', temperature: 71.25, machine: 'nas' })
  assert.match(message, /^FAILED backup.*Cellar/)
  assert.match(message, /temperature 71\.25/)
  assert.equal(message.match(/nas/g)?.length, 1)
})
