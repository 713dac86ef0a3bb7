import { statSync } from 'node:fs'
import { lookAtCluster } from '#app/cluster/cluster-desk.ts'
import { errandOf } from '#app/cluster/run-errand.ts'
import type { ClusterRequest } from '#app/control/cluster-requests.ts'
import { connectControl } from '#app/control/control-client.ts'
import { reachOrHold } from '#app/hold-data-directory.ts'
import type { Config } from '#contracts/config.ts'
import { Problem } from '#domain/problem.ts'
import { dataDirectory } from '#storage/data-directory.ts'

/** Asks the running gateway, or does it here if none runs. */
export async function carryOut(
  config: Config,
  request: ClusterRequest,
  tell: (sentence: string) => void,
): Promise<unknown> {
  const directory = dataDirectory(config.data_dir)
  const held = await reachOrHold(directory, () =>
    connectControl(directory.controlSocket, statSync(directory.path).uid),
  )
  if ('reached' in held)
    try {
      return await held.reached.askCluster(request)
    } finally {
      held.reached.close()
    }
  const desk = { config, directory, tell }
  try {
    if (request.do === 'status') return await lookAtCluster(desk)
    const errand = errandOf(desk, request)
    if (errand !== null) return await errand()
    throw new Problem('CONFLICT', 'no gateway runs here: run this on the gateway that leads')
  } finally {
    held.lock.release()
  }
}
