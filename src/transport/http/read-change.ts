import type { OwnedReference } from '#contracts/owned.ts'
import type { AuthorizedCall } from '#transport/http/route.ts'

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The fields that a change sets. */
export function withoutUndefined<T extends object>(value: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Partial<
    Defined<T>
  >
}

/** What the id in a path names. */
export function referenceOf({ principal, parameters }: AuthorizedCall): OwnedReference {
  return { accountId: principal.accountId, id: parameters[0] ?? '' }
}

/** The same for commands that call the id by this name. */
export function referenceAs<Name extends string>(name: Name, call: AuthorizedCall) {
  const { accountId, id } = referenceOf(call)
  return { accountId, [name]: id } as { readonly accountId: string } & Readonly<Record<Name, string>>
}
