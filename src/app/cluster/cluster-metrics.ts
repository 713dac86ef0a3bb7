import type { ClusterState } from '#contracts/cluster.ts'

/** The metrics of a member, in Prometheus' text format. The leader adds them to all others. */
export function metricsOf({ role, quorum, log, problems }: ClusterState): string {
  const lines = [
    ['leader', 'Whether this gateway leads its cluster.', Number(role === 'leader')],
    ['quorum', 'Whether a majority of etcd answers.', Number(quorum)],
    ['entries', 'The last entry of the log.', log.head],
    ['entries_applied', 'The last entry of the log in this copy.', log.applied],
    ['problems', 'Problems of the cluster that this gateway sees.', problems.length],
  ] as const
  return lines
    .map(([name, help, value]) => {
      const metric = `roost_cluster_${name}`
      return `# HELP ${metric} ${help}\n# TYPE ${metric} gauge\n${metric} ${value}\n`
    })
    .join('')
}
