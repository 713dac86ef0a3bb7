import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderPreview } from '#domain/alert/render-alert.ts'

const stateOf = (body: unknown) => renderPreview(body, null).state
const keyOf = (body: unknown) => renderPreview(body, null).reading?.key

describe('what an alert is about', () => {
  test('is a check of one machine, not that of another', () => {
    const disk = (host: string) => keyOf({ host, check: 'Disk /', state: 'CRITICAL', message: '91 % used' })
    assert.notEqual(disk('web1'), disk('db1'))
    assert.equal(disk('web1'), keyOf({ host: 'web1', check: 'Disk /', state: 'OK', message: '40 % used' }))
  })
})

describe('a problem is not told as over', () => {
  test('when the sender left out alerts of a group', () => {
    const alert = { status: 'resolved', labels: { alertname: 'Disk' }, startsAt: '2026-11-26T02:00:00Z' }
    const { state, message } = renderPreview(
      { status: 'resolved', alerts: [alert, alert], truncatedAlerts: 1 },
      null,
    )
    assert.notEqual(state, 'recovered')
    assert.match(message, /2 resolved, 1 not shown/)
  })

  test('when only the envelope says that all is well', () => {
    const body = {
      status: 'success',
      previous_status: 'failed',
      message: 'Backup of nas failed: no space left',
    }
    assert.notEqual(stateOf(body), 'recovered')
  })

  test('when the story of an incident is about several things', () => {
    const updates = [
      { name: 'db1', status: 'resolved', date: '2026-11-26T02:01:00Z' },
      { name: 'db2', status: 'down', date: '2026-11-26T02:00:00Z' },
    ]
    assert.notEqual(stateOf({ status: 'resolved', updates }), 'recovered')
  })
})

test('a state that was does not count, however its name is written', () => {
  assert.equal(stateOf({ status: 'Up', laststatus: 'Down', sensor: 'Ping', message: 'OK' }), 'recovered')
})
