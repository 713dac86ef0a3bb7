import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LaneAgenda, type LaneDue } from '#domain/notification/lane-agenda.ts'

const KNOWN_MAX = 4

/** A model of the stored rows: when the first row of each lane is due. */
class Rows {
  readonly dueAt = new Map<string, number>()

  lanesDue(limit: number): LaneDue[] {
    const all = [...this.dueAt].map(([lane, at]) => ({ lane, at }))
    return all.sort((a, b) => a.at - b.at || (a.lane < b.lane ? -1 : 1)).slice(0, limit)
  }

  /** Takes every lane that is due at `now`, and removes or postpones it, as the writer does. */
  takeAll(agenda: LaneAgenda, now: number, putOffMs: number): string[] {
    const taken: string[] = []
    for (;;) {
      const lane = agenda.next(now)
      if (lane === undefined) {
        if (!agenda.mustReload(now)) return taken
        if (this.lanesDue(1).every(({ at }) => at > now)) {
          agenda.load(this.lanesDue(KNOWN_MAX + 1))
          return taken
        }
        agenda.load(this.lanesDue(KNOWN_MAX + 1))
        continue
      }
      const at = this.dueAt.get(lane)
      if (at === undefined) continue
      if (at <= now) {
        taken.push(lane)
        if (putOffMs === 0) {
          this.dueAt.delete(lane)
          continue
        }
        this.dueAt.set(lane, now + putOffMs)
      }
      agenda.addLater(lane, this.dueAt.get(lane) ?? now)
    }
  }
}

const Step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), lane: fc.nat(11), inMs: fc.nat(20) }),
  fc.record({ kind: fc.constant('take' as const), afterMs: fc.nat(15), putOffMs: fc.nat(9) }),
  fc.record({ kind: fc.constant('forget' as const) }),
)

test('every due lane is found, after any writes and evictions', () => {
  fc.assert(
    fc.property(fc.array(Step, { maxLength: 60 }), steps => {
      const agenda = new LaneAgenda(KNOWN_MAX)
      const rows = new Rows()
      let now = 100
      for (const step of steps) {
        if (step.kind === 'forget') agenda.forget()
        else if (step.kind === 'write') {
          const lane = `lane ${step.lane}`
          const at = now + step.inMs
          if ((rows.dueAt.get(lane) ?? Number.POSITIVE_INFINITY) <= at) continue
          rows.dueAt.set(lane, at)
          if (step.inMs === 0) agenda.addReady(lane)
          else agenda.addLater(lane, at)
        } else {
          now += step.afterMs
          const due = [...rows.dueAt].filter(([, at]) => at <= now).map(([lane]) => lane)
          const taken = rows.takeAll(agenda, now, step.putOffMs)
          assert.deepEqual([...taken].sort(), due.sort())
          const nextDue = Math.min(...rows.dueAt.values())
          assert.ok((agenda.nextAt ?? Number.POSITIVE_INFINITY) <= nextDue, 'the agenda wakes too late')
        }
      }
    }),
    { verbose: true },
  )
})

test('lanes take turns in the order in which they became ready', () => {
  const agenda = new LaneAgenda(KNOWN_MAX)
  agenda.load([{ lane: 'early', at: 5 }])
  agenda.addReady('b')
  agenda.addReady('a')
  agenda.addReady('b')
  assert.deepEqual(
    Array.from({ length: 4 }, () => agenda.next(5)),
    ['b', 'a', 'early', undefined],
  )
})

test('the agenda is empty before the rows are read, and complete afterwards', () => {
  const agenda = new LaneAgenda(KNOWN_MAX)
  agenda.addReady('a')
  assert.deepEqual([agenda.next(0), agenda.mustReload(0)], [undefined, true])
  agenda.load([{ lane: 'a', at: 0 }])
  assert.deepEqual([agenda.next(0), agenda.mustReload(0), agenda.nextAt], ['a', false, null])
})
