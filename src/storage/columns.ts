/** Records as rows: each field is a column, `sentAt` the column `sent_at`. A table of fields says how. */
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { Row } from '#storage/row.ts'

export interface Codec {
  readonly read: (value: SQLOutputValue) => unknown
  readonly write: (value: never) => SQLInputValue
}

const CODECS = {
  plain: null,
  flag: { read: value => value === 1, write: value => (value ? 1 : 0) },
  'flag or null': {
    read: value => (value === null ? null : value === 1),
    write: value => (value === null ? null : Number(value)),
  },
  json: {
    read: value => (value === null ? null : JSON.parse(String(value))),
    write: value => (value === null ? null : JSON.stringify(value)),
  },
} satisfies Record<string, Codec | null>

/** How a column keeps its field. `plain`: numbers, texts, bytes and null as they are. */
export type Kept = keyof typeof CODECS | Codec

interface Named {
  readonly name: string
}

export interface Column<T> extends Named {
  readonly field: keyof T
  /** Null: the value is kept as it is. */
  readonly codec: Codec | null
}

/** The columns of some fields, in their order. */
export function columnsOf<T>(fields: { readonly [K in keyof T]-?: Kept }): readonly Column<T>[] {
  return Object.entries<Kept>(fields).map(([field, kept]) => ({
    field: field as keyof T,
    name: field.replace(/[A-Z]/g, capital => `_${capital.toLowerCase()}`),
    codec: typeof kept === 'string' ? CODECS[kept] : kept,
  }))
}

export function without<T>(columns: readonly Column<T>[], ...fields: (keyof T)[]): readonly Column<T>[] {
  return columns.filter(({ field }) => !fields.includes(field))
}

export function namesOf(columns: readonly Named[]): string {
  return columns.map(({ name }) => name).join(', ')
}

/** The SQL that inserts a row with these columns; their values are its parameters. */
export function insertInto(table: string, columns: readonly Named[], or: '' | 'OR REPLACE' = ''): string {
  return `INSERT ${or} INTO ${table} (${namesOf(columns)}) VALUES (${columns.map(() => '?').join(', ')})`
}

/** The SQL that sets these columns of a row; their values are its parameters, then the id. */
export function updateOf(table: string, columns: readonly Named[]): string {
  return `UPDATE ${table} SET ${columns.map(({ name }) => `${name} = ?`).join(', ')} WHERE id = ?`
}

export function columnValue<T>(record: T, { field, codec }: Column<T>): SQLInputValue {
  const value = record[field] as never
  return codec === null ? value : codec.write(value)
}

export function valuesOf<T>(record: T, columns: readonly Column<T>[]): SQLInputValue[] {
  const values: SQLInputValue[] = []
  for (const column of columns) values.push(columnValue(record, column))
  return values
}

export function recordOf<T>(row: Row, columns: readonly Column<T>[]): T {
  const record: Partial<Record<keyof T, unknown>> = {}
  for (const { field, name, codec } of columns) {
    const value = row[name] ?? null
    record[field] = codec === null ? value : codec.read(value)
  }
  return record as T
}
