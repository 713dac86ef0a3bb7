import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GatewayFacts } from '#domain/health/facts.ts'
import { findGatewayProblems } from '#domain/health/find-problems.ts'
import { COMMITS_MEASURED, HealthMemory } from '#domain/health/health-memory.ts'
import { DAY_MS as DAY } from '#domain/time.ts'
import { HEALTHY_MACHINE } from '#test/kit/watched-world.ts'

const NOW = Date.UTC(2026, 10, 1)
const HOUR = 3_600_000
const WELL: GatewayFacts = {
  ...HEALTHY_MACHINE,
  now: NOW,
  diskFullSince: null,
  commitMs: null,
  lost: null,
  mailRefusedSince: null,
  clock: { behindMs: 0, aheadMs: 0, jump: null },
}
const CERTIFICATE = { file: '/cert.pem', expiresAt: NOW, isOwn: true, authority: null }
const codes = (facts: Partial<GatewayFacts>) =>
  findGatewayProblems({ ...WELL, ...facts }).map(({ code }) => code)

test('a certificate is reported two weeks before it expires, and critical afterwards', () => {
  const ends = (inMs: number) =>
    findGatewayProblems({ ...WELL, certificate: { ...CERTIFICATE, expiresAt: NOW + inMs } }).map(
      ({ code, severity, since }) => [code, severity, since],
    )
  assert.deepEqual(ends(14 * DAY), [])
  assert.deepEqual(ends(14 * DAY - 1), [['CERTIFICATE_EXPIRING', 'warning', NOW - 1]])
  assert.deepEqual(ends(-HOUR), [['CERTIFICATE_EXPIRING', 'critical', NOW - HOUR]])
  const fixOf = (isOwn: boolean) =>
    findGatewayProblems({ ...WELL, certificate: { ...CERTIFICATE, isOwn } })[0]?.fix ?? ''
  assert.match(fixOf(true), /^Run: roost certificate renew\./)
  assert.match(fixOf(false), /^Replace the certificate, then reload/)
})

test('the end of the own authority is reported 90 days before, with what helps', () => {
  const ends = (inMs: number) => {
    const expiresAt = NOW + inMs
    const authority = { file: '/authority.pem', expiresAt }
    // The certificate ends with its authority.
    const certificate = { file: '/cert.pem', expiresAt, isOwn: true, authority }
    const found = findGatewayProblems({ ...WELL, certificate })
    return found.map(({ severity, subject, fix }) => [severity, subject, fix])
  }
  const fix =
    'Remove /authority.pem, run roost certificate create, and install the new authority (/ca) on each ' +
    'phone and computer.'
  assert.deepEqual(ends(90 * DAY), [])
  assert.deepEqual(ends(90 * DAY - 1), [['warning', '/authority.pem', fix]])
  assert.deepEqual(ends(DAY), [['warning', '/authority.pem', fix]])
  assert.deepEqual(ends(-HOUR), [['critical', '/authority.pem', fix]])
})

test('a disk is slow when commits take more than 250 ms, and one slow commit says nothing', () => {
  assert.deepEqual(codes({ commitMs: 250 }), [])
  assert.deepEqual(codes({ commitMs: 251 }), ['DISK_SLOW'])
  const memory = new HealthMemory()
  const after = (...times: readonly number[]) => {
    for (const ms of times) memory.noteCommit(ms)
    return memory.commitMs
  }
  assert.equal(after(...Array(COMMITS_MEASURED - 1).fill(900)), null, 'too few are known')
  assert.equal(after(900), 900)
  assert.equal(after(...Array(COMMITS_MEASURED).fill(2)), 2)
  assert.equal(after(900), 2)
})

const KNOWN = 'the last time that was known'
test('a clock that is off or has jumped is wrong, and the problem says how', () => {
  const at = NOW - 60_000
  const ahead = `The clock says 2026-11-01, 8 days after ${KNOWN}: nothing old is removed`
  for (const [facts, since, message] of [
    [{ now: 0 }, null, 'The clock says 1970'],
    [{ clock: { ...WELL.clock, behindMs: HOUR } }, null, `The clock is 60 minutes behind ${KNOWN}`],
    [{ clock: { ...WELL.clock, jump: { at, ms: 2 * DAY } } }, at, 'The clock jumped 2 days ahead'],
    [{ clock: { ...WELL.clock, jump: { at, ms: -3 * HOUR } } }, at, 'The clock jumped 3 hours back'],
    [{ clock: { ...WELL.clock, aheadMs: 8 * DAY, jump: { at, ms: 8 * DAY } } }, null, ahead],
  ] as const) {
    const [problem] = findGatewayProblems({ ...WELL, ...facts })
    assert.deepEqual([problem?.code, problem?.since, problem?.message], ['CLOCK_WRONG', since, message])
  }
  assert.deepEqual(codes({}), [])
})
