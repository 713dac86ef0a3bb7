/** Searches texts in SQL. A search reads a bounded number of bytes. */
import { containsAll, type SearchedText } from '#domain/message/search.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Bytes of text that one page searches: 9 ms at worst. 5,000 usual texts have as many. */
export const SEARCHED_BYTES_MAX = 524_288

/**
 * SQL that is true if the columns contain what was searched for (`$search`), or if `$search` is null.
 *
 * @param number the column with the phone number or the sender's name
 */
export function contains(database: DatabaseSync, { text, number }: { text: string; number: string }): string {
  let last: { readonly json: string; readonly search: SearchedText } | null = null
  database.function('contains_all', { deterministic: true }, (json, text, number) => {
    if (last?.json !== json) last = { json: String(json), search: JSON.parse(String(json)) as SearchedText }
    return containsAll(last.search, String(text), String(number)) ? 1 : 0
  })
  return `($search IS NULL OR contains_all($search, ${text}, ${number}))`
}

/**
 * SQL for the last row that a page may read of the rows that `rows` selects, in their order: row `$rows`, or
 * the one with which their texts have `$bytes`. None: the page may read them all. `rows` selects `place` and
 * `bytes`, at most `$rows` of them.
 */
export function lastRow(rows: string): string {
  return `
    SELECT place FROM (
      SELECT place, row_number() OVER newer AS row, sum(bytes) OVER newer AS total FROM (${rows})
      WINDOW newer AS (ORDER BY place DESC ROWS UNBOUNDED PRECEDING))
    WHERE row = $rows OR total >= $bytes LIMIT 1`
}

/** The value of `$search`. */
export function searchedText(search: SearchedText | null): string | null {
  return search === null ? null : JSON.stringify(search)
}
