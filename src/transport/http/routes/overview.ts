import * as v from 'valibot'
import { OVERVIEW, OVERVIEW_PHONES_MAX } from '#contracts/overview.ts'
import { Problem } from '#domain/problem.ts'
import { refuseRole } from '#transport/http/authenticate.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'

export interface OverviewPorts {
  /** All routes of the gateway. */
  readonly routes: () => readonly Route[]
}

/** What a call of its own would have answered. */
interface Page {
  readonly data: unknown
  readonly nextCursor: string | null
}

const HISTORY = '/api/v1/devices/{deviceId}/history'

/** What the console begins with, in one answer: the answers of other calls by their paths. */
export function overviewRoutes({ routes }: OverviewPorts): Route[] {
  return knownRoutes({ tag: 'account', access: 'session', role: 'viewer' }, [
    {
      method: 'get',
      path: '/api/v1/overview',
      operation: {
        id: 'getOverview',
        summary: 'What the page Now of the console shows',
        description: 'Only for the console: it may change at any time. What is refused is left out.',
        response: v.record(v.string(), v.object({ data: v.unknown(), nextCursor: v.nullable(v.string()) })),
        example: { data: { devices: { data: [], nextCursor: null } } },
      },
      async handle(call) {
        const answers = new Map<string, Page>()
        const ask = async (path: string, pattern = `/api/v1/${path.split('?')[0]}`, ids: string[] = []) => {
          const [, rawQuery = ''] = path.split('?')
          const page = await answerOf(routes(), pattern, { ...call, rawQuery, parameters: ids })
          if (page !== null) answers.set(path, page)
        }
        await Promise.all([...OVERVIEW, 'configuration'].map(path => ask(path).catch(refusedAlone)))
        const phones = (answers.get('devices')?.data ?? []) as readonly { readonly deviceId: string }[]
        await Promise.all(
          phones
            .slice(0, OVERVIEW_PHONES_MAX)
            .map(({ deviceId }) =>
              ask(`devices/${deviceId}/history?days=1`, HISTORY, [deviceId]).catch(refusedAlone),
            ),
        )
        return { data: Object.fromEntries(answers) }
      },
    },
  ])
}

/** What one call refuses is missing in the answer. @throws faults */
function refusedAlone(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}

/** Null: the route does not answer with data. @throws what the route throws */
async function answerOf(routes: readonly Route[], path: string, call: AuthorizedCall): Promise<Page | null> {
  const route = routes.find(one => one.method === 'get' && one.path === path)
  if (route?.access !== 'key' && route?.access !== 'account') throw new Error(`no route answers ${path}`)
  refuseRole(call.principal, route.role)
  const answer = await route.handle(call)
  if (!('data' in answer)) return null
  return { data: answer.data, nextCursor: answer.page?.nextCursor ?? null }
}
