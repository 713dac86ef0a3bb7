/** Converts values of SQLite columns. */
import type { SQLOutputValue } from 'node:sqlite'

/** A row from SQLite: values by column name. */
export type Row = Record<string, SQLOutputValue>

export function text(value: SQLOutputValue | undefined): string {
  return String(value)
}

export function textOrNull(value: SQLOutputValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

export function numberOrNull(value: SQLOutputValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value)
}

/** What a query found; undefined: no row. */
export function optional<T>(row: Row | undefined, make: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : make(row)
}
