import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPayload } from '#domain/alert/read/read-payload.ts'
import { bodiesToMatch, bodyOf } from '#domain/alert/read-alert.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { alertGroup } from '#domain/alert/senders/alert-group.ts'
import { certificate } from '#domain/alert/senders/certificate.ts'
import { codeHost, codeHostPing } from '#domain/alert/senders/code-host.ts'
import { dashboardRule } from '#domain/alert/senders/dashboard-rule.ts'
import { smartd } from '#domain/alert/senders/disk-health.ts'
import { heartbeat } from '#domain/alert/senders/heartbeat.ts'
import { logLines } from '#domain/alert/senders/log-lines.ts'
import { systemd } from '#domain/alert/senders/systemd.ts'
import { uptimeMonitor } from '#domain/alert/senders/uptime-monitor.ts'
import { SENDERS } from '#domain/alert/senders.ts'
import { corpus, isChanged, type RenderedCase } from '#test/kit/rendered-corpus.ts'
import { sized } from '#test/kit/test-size.ts'

/** Pairs of senders that match the same bodies: the one that must be tried first, the other, and why. */
const ORDERED: readonly (readonly [first: Sender, second: Sender, why: string])[] = [
  [alertGroup, dashboardRule, 'Grafana’s groups have a title and a state as its old rules had'],
  [codeHostPing, codeHost, 'the first event of a hook names its repository, too'],
  [heartbeat, uptimeMonitor, 'Uptime Kuma’s monitor is an object with a name'],
  [smartd, logLines, 'smartd writes to the log'],
  [systemd, logLines, 'systemd writes to the log how a unit ended'],
  [certificate, uptimeMonitor, 'a certificate that runs out is told by the monitor of its site'],
]

const order = SENDERS as Sender[]
const asKnown = [...order]

/** The names of the cases whose text changes with this order of senders. */
function changedBy(senders: readonly Sender[], look: readonly RenderedCase[]): readonly string[] {
  order.splice(0, order.length, ...senders)
  const changed = look.filter(isChanged)
  order.splice(0, order.length, ...asKnown)
  return changed.map(({ one }) => one.name)
}

/** The places of the senders that match a body, for each body of the corpus. */
const matched = corpus.map(known => ({
  known,
  bodies: bodiesToMatch(bodyOf(readPayload(known.request))).map(body =>
    asKnown.flatMap((sender, place) => (sender.matches(body) ? [place] : [])),
  ),
}))
/** The cases that both senders of a pair match, by pair. */
const shared = new Map<string, RenderedCase[]>()
for (const { known, bodies } of matched) {
  for (const at of bodies) {
    for (const [first, second] of at.flatMap((one, rank) => at.slice(rank + 1).map(other => [one, other]))) {
      const key = `${first} ${second}`
      shared.set(key, [...(shared.get(key) ?? []), known])
    }
  }
}

function keyOf(first: Sender, second: Sender): string {
  return `${asKnown.indexOf(first)} ${asKnown.indexOf(second)}`
}

test('a body matches one sender, or a pair of senders listed here', () => {
  const listed = new Set(ORDERED.map(([first, second]) => keyOf(first, second)))
  const others = [...shared].filter(([key]) => !listed.has(key))
  const shown = others.map(([key, at]) => [key, at.map(({ one }) => one.name)])
  assert.deepEqual(shown, [], 'narrow one of the two in `matches`, or list the pair above')
})

for (const [first, second, why] of ORDERED) {
  test(`the order of a pair matters: ${why}`, () => {
    const swapped = asKnown.map(sender => (sender === first ? second : sender === second ? first : sender))
    assert.notDeepEqual(changedBy(swapped, shared.get(keyOf(first, second)) ?? []), [])
  })
}

test('every text stays the same if all senders except these pairs are in the opposite order', () => {
  const backwards = asKnown.toReversed()
  for (const [first, second] of ORDERED) {
    backwards.splice(backwards.indexOf(first), 1)
    backwards.splice(backwards.indexOf(second), 0, first)
  }
  // The order can matter only to a body that several senders match.
  const several = matched.filter(({ bodies }) => bodies.some(at => at.length > 1)).map(({ known }) => known)
  assert.ok(several.length > 0)
  assert.deepEqual(changedBy(backwards, sized(0, 1) === 0 ? several : corpus), [])
})

test('every sender matches a body of the corpus', () => {
  const used = new Set(matched.flatMap(({ bodies }) => bodies.flat()))
  const idle = asKnown.filter((_, place) => !used.has(place))
  assert.deepEqual(idle, [])
})
