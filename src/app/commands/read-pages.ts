interface PageRequest<Position> {
  /** Where the page begins; null: at the newest item. */
  readonly before: Position | null
  readonly limit: number
}

interface ListPage<T, Position> {
  readonly items: readonly T[]
  /** Where the next page begins; null: this is the last page. */
  readonly next: Position | null
}

/**
 * Reads pages of a list until it has `limit` items or the list ends. A page may have fewer items than asked
 * for although more pages follow.
 */
export function readPages<T, Position>(
  { before, limit }: PageRequest<Position>,
  readPage: (request: PageRequest<Position>) => ListPage<T, Position>,
): T[] {
  const found: T[] = []
  let position = before
  do {
    const { items, next } = readPage({ before: position, limit: limit - found.length })
    found.push(...items)
    position = next
  } while (position !== null && found.length < limit)
  return found
}
