import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Deadlines } from '#domain/deadlines.ts'
import { Fleet } from '#domain/fleet.ts'
import { runDeadlines } from '#domain/run-deadlines.ts'
import { OpenCodes } from '#domain/two-factor/open-codes.ts'
import type { World } from '#domain/world.ts'

test('the deadlines of finished messages are removed early', () => {
  const world = {
    deadlines: new Deadlines(16),
    fleet: new Fleet(),
    openCodes: new OpenCodes(),
    now: { wallMs: 0, monoMs: 0 },
  }
  const { deadlines, fleet, openCodes } = world
  fleet.messages.set('msg_open', {} as never)
  fleet.phones.set('dev_here', {} as never)
  openCodes.add('msg_code', 60_000)
  const kept = [
    ['expire', 'msg_open'],
    ['offline', 'dev_here'],
    ['code', 'msg_code'],
    ['retention', ''],
  ] as const
  for (const [kind, id] of kept) deadlines.add(60_000, kind, id)
  for (let n = 0; n < 10; n++) {
    for (const kind of ['expire', 'lease', 'unknown', 'code', 'pace'] as const)
      deadlines.add(60_000, kind, `gone_${n}`)
    runDeadlines(world as unknown as World)
    assert.ok(deadlines.length < 16 + 5, `${deadlines.length}`)
  }
  const left = deadlines.takeDue(60_000, 100).map(({ kind, id }) => `${kind} ${id}`)
  for (const [kind, id] of kept) assert.ok(left.includes(`${kind} ${id}`), `${kind} ${id}`)
})
