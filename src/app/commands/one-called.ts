import { notFound, Problem } from '#domain/problem.ts'

interface Called {
  readonly id: string
  readonly name: string
}

/**
 * The item with this id, or else the only one with this name. `what`: the word for one and for several.
 *
 * @throws Problem NOT_FOUND; CONFLICT: several have that name
 */
export function oneCalled<T extends Called>(
  items: readonly T[],
  idOrName: string,
  [what, several]: readonly [what: string, several: string],
): T {
  const byId = items.filter(({ id }) => id === idOrName)
  const [found, second] = byId.length > 0 ? byId : items.filter(({ name }) => name === idOrName)
  if (found === undefined) throw notFound(what)
  if (second !== undefined)
    throw new Problem('CONFLICT', `several ${several} are called ${idOrName}: give the id`)
  return found
}
