import { ALERT_VALUE_LENGTH_MAX } from '#contracts/bounds.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const COLUMN_GAP = / {2,}|\t+| *\| */

/**
 * The failed rows of a message that is a table with a status column, as backup programs send it. Each row
 * gives its first columns, its status and, if a column has it, its reason. `null` if the message is no such
 * table.
 */
export function failedRows(text: string): readonly string[] | null {
  const rows = text
    .slice(0, ALERT_VALUE_LENGTH_MAX)
    .split(/\r?\n/)
    .map(line => line.trim().split(COLUMN_GAP))
  const head = rows.findIndex(cells => cells.length >= 3 && statusColumn(cells) > 0)
  if (head < 0) return null
  const status = statusColumn(rows[head] ?? [])
  const reason = (rows[head] ?? []).findIndex(cell =>
    /^(?:output|message|reason|details?|error)$/i.test(cell),
  )
  return rows
    .slice(head + 1)
    .filter(cells => cells.length > status && readState(cells[status] ?? '')?.kind === 'bad')
    .map(cells => {
      const start = cells.slice(0, status).filter(cell => cell !== '')
      const row = [...start.slice(0, 2), cells[status]].join(' ')
      const why = reason < 0 ? '' : (cells[reason] ?? '')
      return why === '' ? row : `${row}: ${why}`
    })
}

function statusColumn(cells: readonly string[]): number {
  return cells.findIndex(cell => /^(?:status|state|result)$/i.test(cell))
}
