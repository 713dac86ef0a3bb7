import { type DeskPorts, foundCluster, joinCluster, leaveCluster } from '#app/cluster/cluster-desk.ts'
import type { ClusterRequest } from '#app/control/cluster-requests.ts'

/**
 * Does what the owner asks for, while the database is closed and the lock is held. Null: it needs the gateway
 * that leads.
 */
export function errandOf(desk: DeskPorts, request: ClusterRequest): (() => Promise<object>) | null {
  switch (request.do) {
    case 'create':
      return async () => ({ id: await foundCluster(desk, false) })
    case 'recover':
      return async () => ({ id: await foundCluster(desk, true) })
    case 'join':
      return async () => ({ aside: await joinCluster(desk, request.code) })
    case 'leave':
      return async () => ({ id: await leaveCluster(desk) })
    default:
      return null
  }
}
