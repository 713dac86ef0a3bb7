/** Lists as CSV (RFC 4180), for spreadsheets. */
import type { Answer } from '#transport/http/route.ts'

/** Rows that are read at once: other callers of the listener wait for them, about 2 ms on a small machine. */
export const TABLE_PAGE_ROWS = 50

export type Cell = string | number | boolean | null

/** A spreadsheet may calculate a cell that begins like this, after blanks, too, and run what it says. */
const FORMULA = /^ *[=+\-@\t\r\n＝＋－＠]/
/** A phone number is calculated to itself. */
const NUMBER = /^\+\d+$/
/** The same in the middle of a cell: where lines are split at semicolons, it begins a cell. */
const INNER_FORMULA = /([;\t\r\n]["' ]*)(?=[=@＝＠]|[+\-＋－]+ *[\p{L}\p{N}("=@])/gu

/**
 * Answers with a table, page by page. A fault of the first page is the answer's.
 *
 * @param pages the rows of each page; a page is read when the caller has read those before
 */
export async function csvAnswer(
  name: string,
  headings: readonly string[],
  pages: AsyncIterator<readonly (readonly Cell[])[]>,
): Promise<Answer> {
  const { value: first = [] } = await pages.next()
  return {
    // Without the mark, Excel reads umlauts as another charset.
    raw: `\ufeff${linesOf([headings, ...first])}`,
    more: textsOf(pages),
    contentType: 'text/csv; charset=utf-8; header=present',
    headers: {
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  }
}

interface Page<Place> {
  readonly rows: readonly (readonly Cell[])[]
  readonly next: Place | null
}

/** Reads a list page by page. `read` lets other callers in between. `before`: the `next` of the last page. */
export async function* pageByPage<Place>(
  read: (before: Place | null) => Page<Place> | Promise<Page<Place>>,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  for (let before: Place | null = null; ; ) {
    const { rows, next } = await read(before)
    yield rows
    if (next === null) return
    before = next
  }
}

async function* textsOf(pages: AsyncIterator<readonly (readonly Cell[])[]>): AsyncGenerator<string> {
  for (;;) {
    const { done, value } = await pages.next()
    if (done === true) return
    yield linesOf(value)
  }
}

function linesOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map(cells => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(cell: Cell): string {
  const text = cell === null ? '' : String(cell)
  const safe = typeof cell === 'string' ? withoutFormulas(text) : text
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function withoutFormulas(text: string): string {
  if (NUMBER.test(text)) return text
  return (FORMULA.test(text) ? `'${text}` : text).replace(INNER_FORMULA, "$1'")
}
