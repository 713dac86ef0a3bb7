import type { OnCallReference } from '#contracts/on-call.ts'
import type { AuthorizedCall } from '#transport/http/route.ts'

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The fields that a change sets. */
export function withoutUndefined<T extends object>(value: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Partial<
    Defined<T>
  >
}

/** The person, rota, policy or group in a path. */
export function onCallReference({ principal, parameters }: AuthorizedCall): OnCallReference {
  return { accountId: principal.accountId, id: parameters[0] ?? '' }
}
