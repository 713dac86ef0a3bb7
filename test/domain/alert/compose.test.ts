import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { compose, type Report } from '#domain/alert/compose.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const UPTIME = { format: 'uptime-monitor' } as const

suite('a report becomes one text', () => {
  const rows: readonly (readonly [
    name: string,
    report: Omit<Report, 'format'> & Partial<Report>,
    text: string,
  ])[] = [
    [
      'state, what, reason',
      { state: readState('down'), subject: 'nas', reason: 'timeout' },
      'DOWN nas: timeout',
    ],
    ['without a state', { state: null, subject: 'nas', reason: 'timeout' }, 'nas: timeout'],
    ['without a reason', { state: readState('down'), subject: 'nas', reason: '' }, 'DOWN nas'],
    [
      'with a detail',
      { state: readState('up'), subject: 'nas', reason: '', lasted: 740_000, extras: [''] },
      'UP nas (down 12m)',
    ],
    [
      'a name that the reason contains',
      { state: readState('down'), subject: 'nas', reason: 'the nas is down' },
      'DOWN the nas is down',
    ],
    [
      'a reason that the name contains',
      { state: readState('down'), subject: 'The nas is down', reason: 'nas is down.' },
      'DOWN The nas is down',
    ],
    [
      'a state that appears twice',
      { state: readState('test'), subject: 'Test message', reason: 'hi' },
      'TEST message: hi',
    ],
    [
      'a reason that is the state',
      { state: readState('failed'), subject: 'Backup', reason: ['failed', 'disk full'] },
      'FAILED Backup: disk full',
    ],
    [
      'a state that the name ends with',
      { state: readState('critical'), subject: 'Disk on nas is CRITICAL!', reason: '2% free;' },
      'CRITICAL Disk on nas: 2% free',
    ],
    [
      'a name whose words a sentence says in another order',
      {
        state: readState('warn'),
        subject: 'High CPU utilization',
        reason: 'CPU utilization is high on nas.',
      },
      'WARN CPU utilization is high on nas.',
    ],
    [
      'a sentence that says the words of the name with another state',
      { state: null, subject: 'Disk sda1 full', reason: 'sda1 is no full disk' },
      'Disk sda1 full: sda1 is no full disk',
    ],
    [
      'a sentence that another one contains',
      {
        state: null,
        subject: 'Job',
        reason: ['Disk sda1 full.', 'Free space is low. Disk sda1 of nas is full.'],
      },
      'Job: Free space is low. Disk sda1 of nas is full.',
    ],
    [
      'sentences about two things',
      {
        state: null,
        subject: 'Rack',
        reason: ['Fan 2 stopped.', 'Fan 1 runs, fan 2 of rack stopped, fan 3 stopped.'],
      },
      'Rack: Fan 1 runs, fan 2 of rack stopped, fan 3 stopped.',
    ],
    [
      'a sentence without a fault beside one with a fault',
      {
        state: null,
        subject: 'Nas',
        reason: ['Backup of photos to nas.', 'Backup of photos to nas not done.'],
      },
      'Nas: Backup of photos to nas. Backup of photos to nas not done.',
    ],
    [
      'a sentence that only repeats the name',
      {
        state: readState('failed'),
        subject: 'Backup [photos] failed',
        reason: 'Backup [photos] has failed. Disk full.',
      },
      'FAILED Backup [photos]: Disk full.',
    ],
    [
      'a name with a colon',
      { state: null, subject: 'job (pve): failed', reason: 'VM 1' },
      'job (pve): failed - VM 1',
    ],
    [
      "the sender's own words for the duration",
      { format: 'generic', state: readState('ok'), subject: 'job', reason: '', lasted: 'two minutes' },
      'OK job (after two minutes)',
    ],
    [
      'lines',
      { state: null, subject: 'UPS', reason: ['On battery', '12 min left'] },
      'UPS: On battery. 12 min left',
    ],
  ]
  for (const [name, report, text] of rows)
    test(name, () => assert.equal(compose({ ...UPTIME, ...report }), text))

  test('the duration always fits into the text', () => {
    const reason = `${'x'.repeat(70)}. ${'y'.repeat(75)}`
    const text = compose({ ...UPTIME, state: readState('up'), subject: 'nas', reason, lasted: 740_000 })
    assert.equal(text, `UP nas: ${'x'.repeat(70)} (down 12m)`)
  })

  test('a long remark in brackets is dropped first if there is no room', () => {
    const reason = `${'x'.repeat(130)} (${'y'.repeat(30)}).`
    const text = compose({ ...UPTIME, state: readState('alarm'), subject: 'disk', reason })
    assert.equal(text, `ALARM disk: ${'x'.repeat(130)}.`)
  })

  test('whole lines are dropped to stay within one segment', () => {
    const lines = Array.from({ length: 9 }, (_, index) => `${'x'.repeat(30)}${index}`)
    const text = compose({
      ...UPTIME,
      state: readState('warn'),
      subject: 'log',
      reason: lines,
      extras: ['y'.repeat(60)],
    })
    assert.equal(text, `WARN log: ${lines.slice(0, 4).join('. ')}`)
  })
})
