import { call } from '#console/api.ts'
import { keeper } from '#console/use-resource.ts'

/** Makes an entry of a list, or changes it. `known`: the entry; null: there is none yet. */
export async function save<T extends { readonly id: string }>(
  list: string,
  known: { readonly id: string } | null,
  body: object,
): Promise<T> {
  const keep = keeper()
  const saved = await (known === null
    ? call<T>('POST', list, body)
    : call<T>('PATCH', `${list}/${known.id}`, body))
  // Its page begins with what was fetched last, so a form would begin with what was there before.
  keep(`${list}/${saved.id}`, saved)
  return saved
}
