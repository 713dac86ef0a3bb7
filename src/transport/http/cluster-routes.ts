import * as v from 'valibot'
import { ClusterState, COPY_BYTES_HEADER, COPY_ID_HEADER } from '#contracts/cluster.ts'
import { noted } from '#contracts/noted.ts'
import type { CopyPiece, CopyQuestion } from '#contracts/thread-frames.ts'
import { leadsNoLonger, Problem } from '#domain/problem.ts'
import { JSON_TYPE } from '#transport/http/http-answer.ts'
import { TIME } from '#transport/http/openapi/example-values.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { Call, Route } from '#transport/http/route.ts'

export interface ClusterPorts {
  /** Whether this gateway leads. */
  readonly leads: () => boolean
  readonly readState: () => Promise<ClusterState>
  readonly readCopy: (question: CopyQuestion) => Promise<CopyPiece>
}

const Leading = v.object({ status: noted(v.literal('leader'), 'This gateway leads.') })

const EXAMPLE = {
  id: 'clu_5f0c2d9a7b31e84466aa01c2',
  name: 'gw1',
  role: 'leader',
  leader: { name: 'gw1', url: 'https://10.0.0.1:8443' },
  quorum: true,
  log: { head: 4711, applied: 4711 },
  members: [{ name: 'gw1', url: 'https://10.0.0.1:8443', applied: 4711, lastSeen: TIME }],
  problems: [],
}

/** The routes of a gateway that leads its cluster. The others answer in `app/cluster/member-server.ts`. */
export function clusterRoutes(ports: ClusterPorts): Route[] {
  const shared = { method: 'get', access: 'public', body: 'none' } as const
  return [
    {
      ...shared,
      path: '/leaderz',
      operation: {
        id: 'getLeadership',
        tag: 'gateway',
        summary: 'Whether this gateway leads its cluster',
        description: 'For keepalived or a load balancer. 503: another gateway leads, or none.',
        response: Leading,
        problems: [503],
        example: { data: { status: 'leader' } },
      },
      handle: () => {
        if (!ports.leads()) throw leadsNoLonger()
        return { data: { status: 'leader' } }
      },
    },
    {
      ...shared,
      path: '/cluster',
      operation: {
        id: 'getCluster',
        tag: 'gateway',
        summary: 'The cluster as this gateway sees it',
        description: 'Each member answers it, whether it leads or not. The answer has no envelope.',
        response: ClusterState,
        bare: JSON_TYPE,
        problems: [503],
        example: { data: EXAMPLE },
      },
      handle: async () => ({ raw: JSON.stringify(await ports.readState()), contentType: JSON_TYPE }),
    },
    { ...shared, path: '/cluster/copy', counted: false, handle: (call: Call) => handOutCopy(ports, call) },
  ]
}

/** A piece of a copy, for another gateway. A call with a wrong token counts as one of a stranger. */
async function handOutCopy({ readCopy }: ClusterPorts, call: Call) {
  const query = readQuery(call.rawQuery)
  const token = /^Bearer (\S{1,256})$/.exec(call.header('authorization') ?? '')?.[1]
  const offset = Number(query.get('offset') ?? 0)
  if (token === undefined || !call.isSecure() || !Number.isSafeInteger(offset) || offset < 0) {
    call.count(null)
    throw new Problem('UNAUTHORIZED', 'a copy needs HTTPS and the code of an invitation')
  }
  try {
    const { copy, bytes, piece } = await readCopy({ token, copy: query.get('copy') || null, offset })
    const headers: Record<string, string> = { [COPY_ID_HEADER]: copy }
    if (bytes !== null) headers[COPY_BYTES_HEADER] = String(bytes)
    return { raw: piece, contentType: 'application/octet-stream', headers }
  } catch (error) {
    call.count(null)
    throw error
  }
}
