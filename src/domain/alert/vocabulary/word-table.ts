/**
 * A table in which words of senders are looked up. A plain object would also find the members that every
 * object inherits, such as `constructor`.
 */
export function wordTable<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), entries)
}
