/** What others wrote (names, texts, reasons) must not control the owner's terminal or forge a line. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import type { Command } from 'commander'
import { buildProgram } from '#app/commands/run-command.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { type RoostRun, runHere } from '#test/kit/run-roost.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

/** Sets the title, clears the screen, begins a C1 sequence, turns the writing around, forges lines. */
const HOSTILE = 'a\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eb\nFORGED one\rFORGED two\u2028FORGED\u0085c'
const options = { timeout: HANGS_AFTER_MS }

/** Fills the database with hostile data, past all checks of the gateway. */
function plant(dataDir: string, owner: string): void {
  const database = new DatabaseSync(join(dataDir, 'roost.db'))
  const run = (sql: string, ...values: (string | number)[]) => database.prepare(sql).run(...values)
  const now = Date.now()
  for (const id of ['dev_1', 'dev_2'])
    run(
      `INSERT INTO device (id, account_id, name, platform, app_version, sims, paused, paired_at, last_seen_at,
       announced_online, sent_day, sent_count, protocol, driver)
     VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, 0, 0, 0, 'roost', ?)`,
      ...[id, owner, HOSTILE, HOSTILE, HOSTILE, '[]', now - 3_600_000, now - 3_600_000, HOSTILE],
    )
  run(
    "UPDATE message SET text = ?, status = 'failed', device_id = 'dev_1', failure = ?",
    ...[HOSTILE, JSON.stringify({ code: 'RADIO_FAILURE', message: HOSTILE })],
  )
  run(
    `INSERT INTO received (id, device_id, account_id, phone_message_id, sender, text, received_at)
     VALUES ('rcv_1', 'dev_1', ?, 'x', ?, ?, ?)`,
    ...[owner, HOSTILE, HOSTILE, now],
  )
  run('UPDATE api_key SET name = ?, hint = ?', HOSTILE, HOSTILE)
  run('UPDATE webhook SET name = ?, token_hint = ?, recipients = ?', HOSTILE, '\u009b2J', `["\\u009b2J"]`)
  const settings = { timeZone: null, quiet: null, createdAt: now }
  const person = { id: 'per_1', accountId: owner, name: HOSTILE, phoneNumber: HOSTILE, ...settings }
  const turns = { people: ['per_1'], days: 7, handover: 'mon 09:00', anchorAt: 0, overrides: [] }
  const rota = { id: 'rot_1', accountId: owner, name: HOSTILE, ...turns, ...settings }
  run('INSERT INTO person VALUES (?, ?, ?)', 'per_1', owner, JSON.stringify(person))
  run('INSERT INTO rota VALUES (?, ?, ?)', 'rot_1', owner, JSON.stringify(rota))
  const group = { id: 'grp_1', accountId: owner, name: HOSTILE, people: ['per_1'], createdAt: now }
  run('INSERT INTO people_group VALUES (?, ?, ?)', 'grp_1', owner, JSON.stringify(group))
  const fallback = { fallback: 'any', fallbackAfterMinutes: 5, downSince: null }
  const phones = { ...group, id: 'dgr_1', devices: ['dev_1'], ...fallback }
  run('INSERT INTO device_group VALUES (?, ?, ?)', 'dgr_1', owner, JSON.stringify(phones))
  for (const id of ['inc_1', 'inc_2']) {
    const incident = { id, accountId: owner, webhookId: null, policyId: 'pol_1', ...INCIDENT }
    const columns = 'id, account_id, state, opened_at, content'
    const values = [id, owner, 'open', 0, JSON.stringify(incident)]
    database.prepare(`INSERT INTO incident (${columns}) VALUES (?, ?, ?, ?, ?)`).run(...values)
  }
  database.close()
}

const INCIDENT = {
  plan: { steps: [], rounds: 1, takenForMinutes: 60 },
  ...{ state: 'open', number: 2, text: HOSTILE, key: HOSTILE, things: [], severity: null, alerts: 1 },
  ...{ isRehearsal: false, openedAt: 0, alertAt: 0, takenBy: null, takenAt: null, takenUntil: null },
  ...{ closedAt: null, closedBy: null, round: 1, nextStep: 0, roundAt: 0, dueAt: null, texts: 0, rings: 0 },
  ...{
    endings: [],
    quietUntil: null,
    refused: [],
    ringAgain: [],
    told: ['per_1'],
    pending: [],
    timeline: [],
  },
}

/** An argument as a script may pass it on. */
const GIVEN = HOSTILE.replaceAll('\n', ' ')

/** The arguments of each command that prints what others wrote. The last ones change the data. */
const PRINTING: Readonly<Record<string, readonly string[]>> = {
  'account list': [],
  'alarm test': [],
  'device find': ['dev_1'],
  'device drill': ['dev_1'],
  'device list': [],
  'incident list': [],
  'incident take': ['inc_1'],
  'incident close': ['inc_2'],
  'key list': [],
  'message cancel': ['ID'],
  'message list': [],
  'message show': ['ID'],
  oncall: [],
  'person list': [],
  'forward list': [],
  'user list': [],
  'group list': [],
  'group remove': ['grp_1'],
  'person remove': ['per_1'],
  'received list': [],
  send: ['+14155550123', 'hello', '--device', GIVEN],
  status: [],
  'webhook list': [],
  'webhook readings': [GIVEN],
  'webhook triggers': [GIVEN],
  'webhook settle': [GIVEN, '7', '--thing', HOSTILE],
  'webhook forget': [GIVEN, HOSTILE],
  'webhook update': [GIVEN, '--no-policy'],
  'webhook remove': [GIVEN],
  'webhook rotate': ['door'],
  doctor: [],
  report: [],
  'device group list': [],
  'device group remove': ['dgr_1'],
  'device pair': ['--name', 'kitchen'],
  'device add': ['smsgate', GIVEN, '--password-stdin'],
  'device pause': ['dev_1'],
  'device cap': ['dev_1', '--month', '100'],
  'device resume': ['dev_1'],
  'device rename': ['dev_1', 'kitchen'],
  'device remove': ['dev_2'],
}

/** These print only what the owner gave, what Roost made, or the state of the machine. */
const OTHERS =
  'account create,account remove,account set-password,account set-plan,agent,backup,certificate create,' +
  'certificate renew,certificate show,check-config,clock confirm,cluster create,cluster invite,' +
  'cluster join,cluster leave,cluster recover,cluster status,completion,demo,device group create,' +
  'forward test,group create,help,key create,key revoke,' +
  'opt-out add,opt-out list,opt-out remove,' +
  'person add,restore,serve,service install,service remove,service status,setup-link,token,' +
  'user disable,user enable,user invite,user remove,version,webhook create'

function leavesOf(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')]
  return command.commands.flatMap(child => leavesOf(child, [...path, child.name()]))
}

describe('no command prints hostile data as it is', () => {
  let gateway: TestGateway
  let folder: string
  const runs = new Map<string, RoostRun>()

  before(async () => {
    const keeper = { after }
    folder = temporaryDirectory(keeper)
    const dataDir = join(folder, 'data')
    const first = await startGateway({ dataDir })
    const { accountId } = await first.owner()
    // The QR code of a pairing is drawn in colours of our own.
    const roost = (args: readonly string[]) =>
      runHere([...args, '--data', dataDir], { cwd: folder, isTTY: true, env: { NO_COLOR: '1' }, input: 'x' })
    await roost(['webhook', 'create', 'door', '--recipient', '+14155550123'])
    const sent = []
    for (let count = 1; count <= 3; count++)
      sent.push(await roost(['send', '+14155550123', 'hello', '--queue']))
    const id = sent[0]?.stdout.trim() ?? ''
    await first.stop()
    plant(dataDir, accountId)
    gateway = await startGateway({ dataDir })
    for (const [path, args] of Object.entries(PRINTING))
      for (const json of [[], ['--json']]) {
        const run = await roost([...path.split(' '), ...args.map(arg => (arg === 'ID' ? id : arg)), ...json])
        runs.set([path, ...json].join(' '), run)
      }
  })
  after(() => gateway.stop())

  test('every command stands in one of the two lists', () => {
    const nothing = { write: () => true }
    const io = { stdout: nothing, stderr: nothing, program: ['roost'] } as never
    const leaves = leavesOf(buildProgram({ io, canvas: nothing, exitCode: 0 }))
    assert.deepEqual(leaves.sort(), [...Object.keys(PRINTING), ...OTHERS.split(',')].sort())
  })

  test('neither stream contains a character that controls a terminal', options, () => {
    for (const [name, { stdout, stderr }] of runs) {
      const printed = stdout + stderr
      assert.deepEqual(printed.match(/[[\p{Cc}\p{Cf}\u2028\u2029]--[\n\t]]/gv), null, `${name}: ${printed}`)
      assert.doesNotMatch(printed, /^FORGED/m, name)
    }
  })

  test('the data is shown, and JSON keeps it exactly', options, () => {
    const shown = ['status', 'device list', 'message show', 'message list', 'received list', 'key list']
    for (const name of shown) {
      assert.match(runs.get(name)?.stdout ?? '', /owned/, name)
      const { stdout } = runs.get(`${name} --json`) ?? { stdout: '' }
      assert.ok(JSON.stringify(JSON.parse(stdout)).includes(JSON.stringify(HOSTILE).slice(1, -1)), name)
    }
  })
})
