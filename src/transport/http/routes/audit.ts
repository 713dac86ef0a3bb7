import * as v from 'valibot'
import { PAGE_SIZE_DEFAULT } from '#contracts/bounds.ts'
import { AuditEntry } from '#contracts/user.ts'
import type { AuditReader } from '#domain/audit/audit-store.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import { encodeCursor, LIST_FIELDS, readList } from '#transport/http/list-query.ts'
import { TIME, USER_ID, WEBHOOK_ID } from '#transport/http/openapi/example-values.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'

const { since, limit, cursor } = LIST_FIELDS
const AuditQuery = v.object({ since, limit, cursor })

/** The route of the list of what was done by whom. */
export function auditRoutes({ audit }: { readonly audit: AuditReader }): Route[] {
  return knownRoutes({ tag: 'users', role: 'owner' }, [
    {
      method: 'get',
      path: '/api/v1/audit',
      operation: {
        id: 'listAudit',
        summary: 'List what was done by whom, newest first',
        description:
          'Every change and every text by a user, by an API key, on the command line or by Home Assistant, ' +
          'kept for 400 days. What keys send is in the list of messages only. It has no text, number or ' +
          'secret.',
        query: AuditQuery,
        response: v.array(AuditEntry),
        example: {
          data: [
            {
              id: '1042',
              when: TIME,
              who: USER_ID,
              name: 'ada@example.com',
              what: 'webhook.update',
              which: WEBHOOK_ID,
              whichName: 'Uptime monitor',
            },
          ],
        },
      },
      handle: call => listAudit(audit, call),
    },
  ])
}

function listAudit(audit: AuditReader, call: AuthorizedCall) {
  const { query, before } = readList(AuditQuery, call)
  const { since: from = 0, limit: most = PAGE_SIZE_DEFAULT } = query
  const entries = audit({
    accountId: call.principal.accountId,
    since: from,
    before: before === null ? null : Number(before),
    limit: most + 1,
  })
  const data = entries.slice(0, most)
  const next = entries.length > most ? (data.at(-1)?.id ?? null) : null
  return { data, page: { nextCursor: encodeCursor(next) } }
}
