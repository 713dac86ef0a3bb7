import type { ClusterFacts, HealthProblem } from '#contracts/health.ts'
import { sentence } from '#contracts/words.ts'
import { type FoundByRule, findingOf, type GatewayFacts, type Rule } from '#domain/health/facts.ts'
import { instant } from '#domain/time.ts'

/** The problems of a cluster, as one of its members sees them. */
function findClusterProblems({ lagging, aloneSince, noQuorumSince }: ClusterFacts): FoundByRule[] {
  const problems: FoundByRule[] = lagging.map(({ name, since, cause }) => ({
    code: 'CLUSTER_LAGGING',
    since,
    subject: name,
    message: sentence('The gateway {name} of the cluster cannot go on for another: {cause}', { name, cause }),
    fix: sentence('Look at {name}: whether it runs, reaches etcd and has room on its disk.', { name }),
  }))
  if (aloneSince !== null)
    problems.push({
      code: 'CLUSTER_ALONE',
      since: aloneSince,
      message: sentence('No other gateway of the cluster is there: nothing goes on if this one fails'),
      fix: sentence('Start the other gateway, or join one: roost cluster invite.'),
    })
  if (noQuorumSince !== null)
    problems.push({
      code: 'CLUSTER_NO_QUORUM',
      severity: 'critical',
      since: noQuorumSince,
      message: sentence('No majority of etcd answers: nothing is accepted, and nothing is sent'),
      fix: sentence('Start etcd on the other machines, and check the network between them.'),
    })
  return problems
}

/** The same as the API shows them. */
export function clusterProblems(facts: ClusterFacts): HealthProblem[] {
  return findClusterProblems(facts).map(found => {
    return { ...findingOf(found), since: instant(found.since ?? 0) }
  })
}

const inCluster: Rule<GatewayFacts> = ({ cluster }) => (cluster === null ? [] : findClusterProblems(cluster))

export const CLUSTER_RULES: readonly Rule<GatewayFacts>[] = [inCluster]
