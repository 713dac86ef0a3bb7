import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HealthProblem } from '#contracts/health.ts'
import { examine } from '#domain/doctor/examine.ts'
import { HEALTHY, STOPPED } from '#test/kit/healthy-machine.ts'

test('a healthy machine has one line for each check, and no fixes', () => {
  const findings = examine(HEALTHY, [])
  assert.deepEqual([...new Set(findings.map(({ severity }) => severity))], ['ok'])
  assert.ok(findings.every(({ fix }) => fix === null))
  assert.deepEqual(
    findings.map(({ code }) => code),
    [
      ...['CONFIGURATION', 'GATEWAY', 'SERVICE', 'PORT', 'PERMISSIONS', 'DISK', 'DISK_SPEED', 'DATABASE'],
      ...['CARD', 'BACKUP', 'CERTIFICATE', 'CLOCK', 'MEMORY', 'DISCOVERY', 'BROKER', 'MODEM'],
    ],
  )
})

test("the worst findings come first, mixed with the gateway's problems", () => {
  const problem: HealthProblem = {
    ...{ code: 'BATTERY_LOW', severity: 'warning', since: '2026-11-22T11:00:00.000Z', subject: 'dev_1' },
    ...{ message: 'The battery is at 12 %', fix: 'Charge it.' },
    words: {
      message: { english: 'The battery is at 12 %', values: {} },
      fix: { english: 'Charge it.', values: {} },
    },
  }
  const findings = examine(
    { ...HEALTHY, gateway: STOPPED, clock: { isSynchronised: null, steppedMs: null } },
    [problem],
  )
  const severities = findings.map(({ severity }) => severity)
  const order = ['critical', 'warning', 'unknown', 'ok']
  assert.deepEqual(
    severities,
    severities.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
  )
  assert.deepEqual(findings[0]?.code, 'GATEWAY')
  assert.deepEqual(
    findings.find(({ code }) => code === 'BATTERY_LOW'),
    problem,
  )
})
