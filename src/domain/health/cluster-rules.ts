import type { ClusterFacts, HealthProblem } from '#contracts/health.ts'
import type { Finding, GatewayFacts, Rule } from '#domain/health/facts.ts'
import { instant } from '#domain/time.ts'

/** The problems of a cluster, as one of its members sees them. */
export function findClusterProblems({ lagging, aloneSince, noQuorumSince }: ClusterFacts): Finding[] {
  const problems: Finding[] = lagging.map(({ name, since, cause }) => ({
    code: 'CLUSTER_LAGGING',
    severity: 'warning',
    since,
    subject: name,
    message: `The gateway ${name} of the cluster cannot go on for another: ${cause}`,
    fix: `Look at ${name}: whether it runs, reaches etcd and has room on its disk.`,
  }))
  if (aloneSince !== null)
    problems.push({
      code: 'CLUSTER_ALONE',
      severity: 'warning',
      since: aloneSince,
      subject: null,
      message: 'No other gateway of the cluster is there: nothing goes on if this one fails',
      fix: 'Start the other gateway, or join one: roost cluster invite.',
    })
  if (noQuorumSince !== null)
    problems.push({
      code: 'CLUSTER_NO_QUORUM',
      severity: 'critical',
      since: noQuorumSince,
      subject: null,
      message: 'No majority of etcd answers: nothing is accepted, and nothing is sent',
      fix: 'Start etcd on the other machines, and check the network between them.',
    })
  return problems
}

/** The same as the API shows them. */
export function clusterProblems(facts: ClusterFacts): HealthProblem[] {
  return findClusterProblems(facts).map(({ since, ...problem }) => ({
    ...problem,
    since: instant(since ?? 0),
  }))
}

const inCluster: Rule<GatewayFacts> = ({ cluster }) => (cluster === null ? [] : findClusterProblems(cluster))

export const CLUSTER_RULES: readonly Rule<GatewayFacts>[] = [inCluster]
