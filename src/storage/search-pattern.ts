/**
 * Searches texts in SQL. A search reads a bounded number of bytes, and `instr` compares at memory speed: LIKE
 * needed seconds for 5,000 long texts, because it begins again at every character.
 */

/** Bytes of text that one page searches: 6 ms at worst. 5,000 usual texts have half as many. */
export const SEARCHED_BYTES_MAX = 1_048_576

/** SQL that is true if one of the columns contains `$search`, or if `$search` is null. */
export function contains(...columns: readonly string[]): string {
  const each = columns.map(column => `instr(lower(${column}), $search) > 0`)
  return `($search IS NULL OR ${each.join(' OR ')})`
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

/** The value of `$search`: ASCII letters match in either case. */
export function searchedText(search: string | null): string | null {
  return search === null ? null : search.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
