import type { HealthProblem, MachineFacts } from '#contracts/health.ts'
import { HEALTH_SEVERITIES } from '#contracts/health.ts'
import { watchAlarms } from '#domain/alarm/watch-alarms.ts'
import type { Finding } from '#domain/health/facts.ts'
import { findAccountProblems, findGatewayProblems } from '#domain/health/find-problems.ts'
import { gatherAccountFacts, gatherGatewayFacts, waitingByAccount } from '#domain/health/gather-facts.ts'
import { GATEWAY } from '#domain/health/health-memory.ts'
import type { World } from '#domain/world.ts'

/** Accounts checked in one run; the next run continues after them. Each account takes a few small reads. */
export const HEALTH_ACCOUNTS_PER_CHECK_MAX = 50

/**
 * The current problems of the gateway and of one account; with null, of every account. The worst come first,
 * and of equally bad ones the oldest.
 */
export function listProblems(world: World, accountId: string | null): HealthProblem[] {
  const { health, healthRows, tx } = world
  const accountIds = accountId === null ? healthRows.accountIds(tx) : [accountId]
  checkGateway(world)
  checkAccounts(world, accountIds)
  return [GATEWAY, ...accountIds].flatMap(owner => health.problemsOf(owner)).sort(worstFirst)
}

/** Checks the gateway and, in rotation, some accounts. Metrics and open pages use the stored findings. */
export function checkHealth(world: World, machine: MachineFacts): void {
  const { health, healthRows, tx } = world
  health.machine = machine
  checkGateway(world)
  const all = healthRows.accountIds(tx)
  // Continue after the account that was checked last; after the last one, begin again.
  const next = Math.max(
    all.findIndex(accountId => accountId > health.lastAccountId),
    0,
  )
  const rotated = [...all.slice(next), ...all.slice(0, next)]
  const accountIds = rotated.slice(0, HEALTH_ACCOUNTS_PER_CHECK_MAX)
  health.lastAccountId = accountIds.at(-1) ?? ''
  checkAccounts(world, accountIds)
  watchAlarms(world, [GATEWAY, ...accountIds])
  health.endCheck()
}

function checkGateway(world: World): void {
  const findings = findGatewayProblems(gatherGatewayFacts(world))
  const changed = record(world, GATEWAY, findings)
  for (const accountId of world.watched.accounts()) publishChanges(world, accountId, changed)
}

function checkAccounts(world: World, accountIds: readonly string[]): void {
  const waiting = waitingByAccount(world)
  for (const accountId of accountIds) {
    const findings = findAccountProblems(gatherAccountFacts(world, accountId, waiting))
    publishChanges(world, accountId, record(world, accountId, findings))
  }
}

function record({ health, alarms, tx, now }: World, owner: string, findings: readonly Finding[]) {
  return health.record(owner, findings, { wallMs: now.wallMs, alarms: () => alarms.list(tx, owner) })
}

/** Sends the account's open pages the codes of changed problems, so that they fetch the problems again. */
function publishChanges({ watched, effects }: World, accountId: string, codes: readonly string[]): void {
  if (!watched.has(accountId)) return
  const listeners = watched.listenersOf(accountId)
  for (const id of codes) effects.push({ kind: 'news', accountId, news: { type: 'problem', id }, listeners })
}

function worstFirst(one: HealthProblem, other: HealthProblem): number {
  const rank = ({ severity }: HealthProblem) => HEALTH_SEVERITIES.indexOf(severity)
  return rank(one) - rank(other) || Date.parse(one.since) - Date.parse(other.since)
}
