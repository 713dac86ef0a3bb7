import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'

function textOf(body: unknown): string {
  return renderAlert(triggerRequest({ body }), null).message
}

suite('a problem is told, although another field says that all is well', () => {
  const rows: readonly (readonly [body: unknown, text: string])[] = [
    [{ state: 'ok', level: 'error', message: 'cannot mount /srv' }, 'ERROR cannot mount /srv'],
    [{ code: 200, status: 'ok', result: { check: 'nas', state: 'CRITICAL' } }, 'CRITICAL nas'],
    [
      { status: 'success', data: { alert: 'disk full on nas', level: 'critical' } },
      'CRITICAL disk full on nas',
    ],
    [{ status: 'UP', components: { db: { status: 'DOWN' }, disk: { status: 'UP' } } }, 'DOWN db'],
    [{ status: 'ok', checks: { db: 'ok', redis: 'fail' } }, 'FAILED redis'],
    [{ status: 'pass', checks: { disk: { status: 'warn' }, db: { status: 'fail' } } }, 'FAILED db'],
    [{ status: 'completed', conclusion: 'failure', workflow: 'deploy' }, 'FAILED deploy'],
    [{ status: 'success', data: { host: 'nas', healthy: false } }, 'UNHEALTHY nas'],
    [
      {
        results: [
          { name: 'disk', status: 'ok' },
          { name: 'raid', status: 'faulted' },
        ],
      },
      'raid: faulted (disk)',
    ],
  ]
  for (const [body, text] of rows) test(JSON.stringify(body), () => assert.equal(textOf(body), text))
})

suite('a list is told by its worst item, with the number of the others', () => {
  const rows: readonly (readonly [body: unknown, text: string])[] = [
    [
      [
        { name: 'a', status: 'up' },
        { name: 'b', status: 'down' },
      ],
      'DOWN b (+1 more)',
    ],
    [
      [
        { status: 'resolved', host: 'a' },
        { status: 'open', host: 'b' },
      ],
      'OPEN b (+1 more)',
    ],
    [
      {
        hosts: [
          { host: 'a', status: 'OK' },
          { host: 'b', status: 'UNREACHABLE' },
        ],
      },
      'UNREACHABLE b (1 of 2)',
    ],
    [
      {
        items: [
          { state: 'resolved', name: 'web' },
          { state: 'firing', name: 'db' },
        ],
      },
      'FIRING db (1 of 2)',
    ],
  ]
  for (const [body, text] of rows) test(JSON.stringify(body), () => assert.equal(textOf(body), text))
})

suite('noise is left out', () => {
  const rows: readonly (readonly [name: string, body: unknown, text: string])[] = [
    [
      'a salutation',
      'Sehr geehrter Benutzer,\n\nDer Speicher auf nas ist voll.',
      'Der Speicher auf nas ist voll.',
    ],
    [
      'the time of a line of a log',
      '02:13:05.221930381: Notice A shell was spawned in db',
      'A shell was spawned in db',
    ],
    [
      'the labels of buttons',
      '<p>Anna cannot log in.</p><a href="https://a.lan/1">Enable</a> | <a href="https://a.lan/2">Reset</a>',
      'Anna cannot log in.',
    ],
    ['hidden text', '<div style="display:none">Preview</div><p>Disk full on nas</p>', 'Disk full on nas'],
    [
      'what ping prints',
      {
        title: 'nas',
        message:
          'PING 10.0.0.9 (10.0.0.9) 56(84) bytes of data.\n\n--- 10.0.0.9 ping statistics ---\n' +
          '5 packets transmitted, 0 received, 100% packet loss, time 4088ms',
      },
      'nas: 100% packet loss',
    ],
  ]
  for (const [name, body, text] of rows) test(name, () => assert.equal(textOf(body), text))
})
