import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'

const GUIDE = readFileSync(new URL('../../GUIDE.md', import.meta.url), 'utf8')
const [, alerts = ''] = /\n## Alerts\n([\s\S]*?)\n## /.exec(GUIDE) ?? []

/** What a sender makes of the body that the GUIDE tells people to paste. */
function filled(marker: string, values: Readonly<Record<string, string>>): string {
  const body = (alerts.match(/\{"[^`\n]*"\}/g) ?? []).find(text => text.includes(marker))
  assert.ok(body, `the guide has a body with ${marker}`)
  return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), body)
}

const pasted: readonly [string, string, string][] = [
  ['Healthchecks', filled('$NAME', { $NAME: 'Nightly backup', $STATUS: 'down' }), 'DOWN Nightly backup'],
  [
    'Proxmox',
    filled('{{ severity }}', {
      '{{ escape title }}': 'vzdump backup failed',
      '{{ escape message }}': 'VM 101: out of space',
      '{{ severity }}': 'error',
    }),
    'ERROR vzdump backup failed: VM 101: out of space',
  ],
  [
    'Gatus',
    filled('[ENDPOINT_NAME]', {
      '[ENDPOINT_NAME]': 'web',
      '[ALERT_TRIGGERED_OR_RESOLVED]': 'TRIGGERED',
      '[RESULT_ERRORS]': 'connection refused',
    }),
    'TRIGGERED web: connection refused',
  ],
]
for (const [sender, body, text] of pasted)
  test(`the body that the guide has ${sender} send gives a readable text`, () => {
    assert.equal(renderAlert(triggerRequest({ body }), null).message, text)
  })

test('a line of curl and a query, as in the guide, are read', () => {
  const [, data = ''] = /curl -d '([^']+)' ADDRESS/.exec(alerts) ?? []
  const contentType = 'application/x-www-form-urlencoded'
  assert.equal(renderAlert(triggerRequest({ body: data, contentType }), null).message, 'Backup failed on nas')
  const [, query = ''] = /`ADDRESS\?([^`]+)`/.exec(alerts) ?? []
  assert.equal(renderAlert(triggerRequest({ method: 'GET', query }), null).message, 'Backup failed')
})
