import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { linesBesideEnds } from '#domain/alert/read/ended-lines.ts'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'

const CLEARED = ['--- Cleared ---', '[WARN] OSD_DOWN: 1 osds down']

suite('what stands below a heading of ends is over, if the report has nothing else', () => {
  const rows: readonly (readonly [lines: readonly string[], kept: readonly string[] | null])[] = [
    [CLEARED, []],
    [['ceph on pve1', ...CLEARED, '=== Full health status ===', '(none)'], ['ceph on pve1']],
    [[...CLEARED, '=== Full health status ===', '[WARN] MON_DOWN: 1 mons down'], null],
    [['--- New ---', 'osd.3 is down', ...CLEARED], null],
    [['--- Cleared ---', '', '(none)'], null],
    [['--- Not cleared ---', 'osd.3 is down'], null],
    [['Cleared', 'osd.3 is down'], null],
  ]
  for (const [lines, kept] of rows)
    test(JSON.stringify(lines), () => assert.deepEqual(linesBesideEnds(lines), kept))
})

test('a report of nothing but ended problems can be held back, and one with others cannot', () => {
  const told = (...lines: string[]) => {
    const body = `Subject: HEALTH\n\n${lines.join('\n')}`
    const { message, state } = renderAlert(triggerRequest({ body, contentType: 'text/plain' }), null)
    return { message, state }
  }
  assert.deepEqual(told(...CLEARED), { message: 'CLEAR HEALTH: OSD_DOWN: 1 osds down', state: 'recovered' })
  assert.notEqual(told('--- New ---', '[WARN] MON_DOWN: 1 mons down', ...CLEARED).state, 'recovered')
  assert.notEqual(told(...CLEARED, '--- Still ---', '[ERR] PG_DAMAGED: 1 pg').state, 'recovered')
})
