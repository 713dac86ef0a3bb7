import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'
import { corpus } from '#test/kit/rendered-corpus.ts'

/** One problem a line, as JSON or as text with `\n` for line breaks. */
const PROBLEMS = readFileSync(join(import.meta.dirname, '../../kit/problems.txt'), 'utf8')
  .trimEnd()
  .split('\n')

function factsOf(line: string, headers: Record<string, string> = {}) {
  const body = /^(?:\{|\[\{)/.test(line) ? line : line.replaceAll('\\n', '\n')
  const { severity, state } = renderAlert(triggerRequest({ body, headers }), null)
  return { severity, state }
}

test('no filter holds back a problem, whatever good words stand beside it', () => {
  const held = PROBLEMS.filter(line => {
    const { severity, state } = factsOf(line)
    return state === 'recovered' || (severity !== null && severity !== 'critical')
  })
  assert.ok(PROBLEMS.length > 600)
  assert.deepEqual(held, [])
})

suite('a body that only says that a problem is over is a recovery', () => {
  for (const line of [
    'UP nas',
    '[UP] Nextcloud: 200 - OK',
    'nas is back up',
    'nas is back online',
    'web01 is up again after 12 minutes',
    'Router is online',
    'RESOLVED: disk full on nas',
    '[RESOLVED] High CPU on web-1',
    'Resolved: certificate of shop.example.com',
    'Recovered: nas is reachable',
    'OK: backup of nas',
    'OK - load average 0.4',
    'Server pve is reachable again',
    'The disk alert on nas has been resolved',
    'Internet has recovered',
    'CRITICAL -> OK: Filesystem /var on server1',
    'Mail queue is back to normal',
    'Service nginx has recovered',
    'PING OK - Packet loss = 0%, RTA = 0.80 ms',
    '{"status":"resolved","alertname":"DiskFull","severity":"critical","description":"disk is full"}',
    '{"state":"ok","check":"disk","host":"nas"}',
    '{"status":"up","monitor":"web"}',
    '{"event":"incident.resolved","incident":{"title":"Database failed"}}',
    '{"previous":"down","status":"up","name":"web"}',
    '{"old_state":"critical","new_state":"ok","service":"web"}',
    '{"from":"down","to":"up","state":"up","monitor":"web"}',
    '[{"name":"a","status":"up"},{"name":"b","status":"up"}]',
    '{"status":"success","job":"backup","errors":0}',
    '{"title":"Backup","status":"ok","failed":0}',
    '{"name":"web","status":"UP","last_error":"timeout"}',
    '{"host":"nas","status":"online","previous_status":"offline"}',
    '{"status":"ok","results":[{"check":"ping","state":"ok"},{"check":"http","state":"ok"}]}',
    'Subject: RECOVERED nas\\n\\nThe problem is over.',
    'Host: nas\\nState: OK\\nInfo: 41 GB free',
    '{"resolved":true,"name":"Disk full"}',
    '{"status":"closed","title":"Pump failed"}',
    'RESOLVED: disk full on nas. Duration: 12 min',
    '{"status":"resolved","name":"Disk","summary":"2 of 3 disks are missing"}',
    '{"alerts":[{"name":"a","status":"resolved"},{"name":"b","status":"resolved"}]}',
    '{"status":"ok","host":"nas","failed_disks":0,"disk_full":false,"saveErrorResponse":true}',
    '{"status":"ok","host":"nas","open_incidents":[],"down_since":1795348021}',
    'Störung behoben: Heizkessel läuft wieder',
    'Entwarnung: Kühlhaus 3 wieder im Normalbereich (3,8 °C)',
    'Retour à la normale : température salle serveur 22 °C',
    'Проблема решена: сервер db1 снова доступен',
    'Vyřešeno: čerpadlo 2 opět běží',
    'Opgelost: pinautomaat kassa 4 werkt weer',
    'Alarm cleared: sump level',
    'INC-77 closed: VPN tunnel HQ',
    'All clear: gas level normal again, building C',
    'State changed from CRITICAL to OK - HTTP www3',
    'Monitor is UP: Portal (https://portal.example). It was down for 5 minutes and 12 seconds.',
    '[Resolved on host:web-3] Disk full',
    '{"title":"Back to normal: CPU of nas","severity":"critical"}',
    '{"triggerType":"ResolvedWarning","name":"api","description":"too many errors"}',
    '{"AlarmName":"rds","OldStateValue":"ALARM","NewStateValue":"OK","NewStateReason":"not below 5"}',
  ]) {
    test(line, () => assert.equal(factsOf(line).state, 'recovered'))
  }
})

test('what begins as a recovery in the corpus can be held back', () => {
  const good = /^(?:OK|UP|RESOLVED|RECOVERED|CLEAR|PASSED|CLOSED|RESTORED) /
  const texts = corpus.filter(({ one }) => good.test(one.text) && one.state !== 'notice')
  const sent = texts.filter(({ alert }) => alert.state !== 'recovered')
  assert.ok(texts.length > 90)
  assert.deepEqual(
    sent.map(({ one }) => one.name),
    [],
    'the text says that it is over, the filters do not',
  )
})

suite('only a severity that the sender states can hold an alert back', () => {
  const rows: readonly (readonly [line: string, severity: string | null])[] = [
    ['{"name":"web","severity":"warning","status":"failed"}', 'warning'],
    ['{"name":"web","severity":"info","status":"failed"}', null],
    ['{"name":"web","severity":"warning","state":"CRITICAL"}', null],
    ['{"status":"warning","host":"nas","message":"load 9"}', 'warning'],
    ['[WARNING] nas: load 9', 'warning'],
    ['{"status":"degraded","service":"api"}', null],
    ['[{"severity":"warning","name":"a"},{"severity":"info","name":"b"}]', 'warning'],
    ['[{"severity":"info","name":"a"},{"severity":"warning","name":"b"}]', 'warning'],
    ['[{"severity":"warning","name":"a"},{"severity":"critical","name":"b"}]', null],
    ['[{"severity":"warning","name":"a"},{"name":"b"}]', null],
    ['[{"severity":"warning","name":"a"},{"severity":"page","name":"b"}]', null],
    ['{"priority":"P3","message":"Disk at 80 %","alias":"disk","action":"Create"}', null],
    ['Certificate of shop.example.com will expire in 14 days', null],
    ['{"status":"degraded","pool":"tank"}', 'critical'],
    ['md0 on nas is degraded', 'critical'],
  ]
  for (const [line, severity] of rows) test(line, () => assert.equal(factsOf(line).severity, severity))
  test('a priority of ntfy is none if the text tells of a fault', () => {
    assert.equal(factsOf('Update of nas', { priority: '4' }).severity, 'warning')
    assert.equal(factsOf('acme.sh: error renewing nas.lan', { priority: '4' }).severity, null)
    assert.equal(factsOf('acme.sh: error renewing nas.lan', { priority: '2' }).severity, null)
  })
})

test('a body too large to look at all of it is no recovery', () => {
  const items = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, status: 'up', name: 'web' })))
  assert.equal(factsOf(`{"status":"up","monitor":"web","items":${items(100)}}`).state, 'recovered')
  assert.equal(factsOf(`{"status":"up","monitor":"web","items":${items(4000)}}`).state, 'firing')
  const mild = (count: number) => `{"severity":"info","name":"web","items":${items(count)}}`
  assert.equal(factsOf(mild(100)).severity, 'info')
  assert.equal(factsOf(mild(4000)).severity, null)
})

test('a long list is over when each of its items says so', () => {
  const group = (count: number, last: object = {}) => {
    const alerts = Array.from({ length: count }, (_, at) => ({
      status: 'resolved',
      labels: { alertname: 'InstanceDown', instance: `host-${at}:9100`, severity: 'critical' },
      annotations: { summary: `Instance host-${at}:9100 of job node down` },
      ...(at === count - 1 && last),
    }))
    return JSON.stringify({ status: 'resolved', alerts, groupKey: '{}:{alertname="InstanceDown"}' })
  }
  assert.equal(factsOf(group(300)).state, 'recovered')
  assert.equal(factsOf(group(300, { status: 'firing' })).state, 'firing')
  assert.equal(factsOf(group(300, { state: 'down' })).state, 'firing')
  assert.equal(factsOf(group(2000)).state, 'firing')
})

test('an alert of which only the beginning can be read is never over', () => {
  const rest = `"log":"${'x '.repeat(2000)}","alerts":[{"status":"firing"}],}`
  assert.equal(factsOf(`{"status":"resolved","name":"nas","n":1,${rest}`).state, 'firing')
  const many = `"list":[${'[],'.repeat(40_000)}0],"state":"down"}`
  assert.equal(factsOf(`{"status":"resolved","name":"nas",${many}`).state, 'firing')
})

suite('a word that only means over outweighs what repeats the problem', () => {
  for (const line of [
    '{"event":"resolved","level":"critical"}',
    '{"event":"resolved","level":"critical","message":"nas disk is 97% full"}',
    '{"status":"back to normal","level":"critical","name":"pump"}',
    '{"action":"resolved","level":"error","issue":"TypeError"}',
    '{"kind":"closed","severity":"critical","title":"CPU high on web-1"}',
    '{"result":"recovered","priority":"P1","name":"nas"}',
    '{"monitor":{"status":"cleared"},"labels":{"severity":"critical"},"description":"nas is down"}',
    '{"condition":"resolved","severity":"critical","title":"CPU high"}',
    '{"status":"incident_closed","urgency":"high","summary":"Service is unreachable"}',
  ])
    test(line, () => assert.equal(factsOf(line).state, 'recovered'))
})

suite('the end of something else is not the end of the problem', () => {
  for (const line of [
    '{"message":"disk full on nas","history":[{"status":"resolved"}]}',
    '{"message":"nas is down","related":{"status":"closed"}}',
    '{"condition":"clear","alert":"Frost warning tonight"}',
    '{"event":"resolved","message":"nas is down again"}',
    '{"monitor":{"status":"resolved"},"status":"down","name":"nas"}',
    '{"kind":"resolved","level":"critical","state":"firing","message":"disk"}',
  ])
    test(line, () => assert.notEqual(factsOf(line).state, 'recovered'))
})
