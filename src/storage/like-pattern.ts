/**
 * The pattern for `LIKE … ESCAPE '\'` that matches any text with these characters in it. Null: no search.
 */
export function likePattern(search: string | null): string | null {
  return search === null ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`
}
