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

describe('a text never begins with the good part of a body that has a bad one', () => {
  const textOf = (body: unknown) => renderPreview(body, null).message
  const many = (bad: string, good: string) =>
    Array.from({ length: 70 }, (_, at) => ({ name: `db${at}`, status: at === 40 ? bad : good }))

  test('a certificate that is OK and has two days left', () => {
    const body = (days: number) => ({ monitor: 'Shop', type: 'ssl', status: 'OK', ssl: { daysLeft: days } })
    assert.equal(textOf(body(2)), 'WARN Shop: certificate expires in 2 days')
    assert.deepEqual([stateOf(body(2)), stateOf(body(60))], ['firing', 'recovered'])
  })

  test('disks of which one has failed, in a field that only they have', () => {
    const disks = [
      { disk: 'sda', smart: 'PASSED' },
      { disk: 'sdb', smart: 'FAILED' },
    ]
    assert.match(textOf({ host: 'nas', title: 'SMART report', status: 'PASSED', disks }), /^FAILED sdb /)
  })

  test('messages in one post, of which one is over', () => {
    const attachments = [{ title: '[RESOLVED] Disk full on web1' }, { title: '[CRITICAL] db1 is down' }]
    assert.equal(textOf({ text: 'Alerts', attachments }), 'CRITICAL db1 is down (+1 more)')
    const posts = many('CRITICAL', 'OK').map(({ name, status }) => ({ title: `[${status}] ${name}` }))
    assert.equal(textOf({ attachments: posts }), 'CRITICAL db40 (+69 more)')
  })

  test('item 40 of 70, and of 300', () => {
    assert.equal(textOf({ items: many('CRITICAL', 'OK') }), 'CRITICAL db40 (1 of 70)')
    const more = Array.from({ length: 230 }, (_, at) => ({ name: `web${at}`, status: 'OK' }))
    assert.match(textOf([...more, ...many('CRITICAL', 'OK')]), /^CRITICAL db40 /)
  })

  test('a valve that is closed and has an error, and a count of alerts that are active', () => {
    assert.notEqual(
      stateOf({ status: 'closed', name: 'Valve 3', error: 'pressure sensor failed' }),
      'recovered',
    )
    assert.notEqual(stateOf({ status: 'resolved', name: 'web1', active_alerts: 3 }), 'recovered')
    assert.equal(stateOf({ status: 'resolved', name: 'web1', active_alerts: 0 }), 'recovered')
  })
})

test('a state that was does not count, however its name is written', () => {
  assert.equal(stateOf({ status: 'Up', laststatus: 'Down', sensor: 'Ping', message: 'OK' }), 'recovered')
})
