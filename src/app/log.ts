/** The log: one line for each event on standard error, as JSON for programs or text for a terminal. */
import { redact } from '#app/redact.ts'
import { printableJson } from '#contracts/printable.ts'
import type { LogEntry, LogLevel } from '#contracts/thread-frames.ts'
import { instant } from '#domain/time.ts'

/** Log bytes that may wait for a slow reader of standard output; further lines are counted and dropped. */
export const LOG_BACKLOG_BYTES_MAX = 1_048_576

export type LogFields = LogEntry['fields']

export interface Log {
  write(level: LogLevel, event: string, fields: LogFields): void
  /** Writes an entry from another thread. */
  entry(entry: LogEntry): void
}

interface LogStream {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  /** Bytes that are written but not yet read. For a pipe, they wait in memory. */
  readonly writableLength?: number | undefined
}

/** A log whose level and format a reload can change. */
export interface AdjustableLog extends Log {
  adjust(settings: Pick<LogOptions, 'level' | 'format'>): void
}

export interface LogOptions {
  /** The lowest level that is written. */
  readonly level: LogLevel
  /** `auto`: text when the stream is a terminal. */
  readonly format: 'auto' | 'json' | 'text'
  readonly stream: LogStream
  readonly wallMs?: () => number
}

const LEVELS: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

/** A log that writes to a stream. */
export function createLog({ stream, wallMs = Date.now, ...settings }: LogOptions): AdjustableLog {
  let { level, line } = readSettings(settings, stream)
  let lost = 0
  const print = (entry: Line) => stream.write(`${line(instant(wallMs()), entry)}\n`)
  const entry = ({ level: entryLevel, event, fields }: LogEntry) => {
    if (LEVELS[entryLevel] < LEVELS[level]) return
    if ((stream.writableLength ?? 0) > LOG_BACKLOG_BYTES_MAX) {
      lost += 1
      return
    }
    if (lost > 0) print({ level: 'warn', event: 'log.lines_lost', fields: [['lines', lost]] })
    lost = 0
    const safe = Object.entries(fields).map(([name, value]): Field => {
      return [name, typeof value === 'string' ? redact(value) : value]
    })
    print({ level: entryLevel, event, fields: safe })
  }
  return {
    entry,
    write: (level, event, fields) => entry({ level, event, fields }),
    adjust(settings) {
      ;({ level, line } = readSettings(settings, stream))
    },
  }
}

function readSettings({ level, format }: Pick<LogOptions, 'level' | 'format'>, stream: LogStream) {
  const asText = format === 'text' || (format === 'auto' && stream.isTTY === true)
  return { level, line: asText ? textLine : jsonLine }
}

type Field = readonly [name: string, value: string | number | boolean | null]

interface Line {
  readonly level: LogLevel
  readonly event: string
  readonly fields: readonly Field[]
}

function jsonLine(at: string, { level, event, fields }: Line): string {
  const head = { at, level, event }
  // The first `head` puts its keys at the start of the line. The second one wins over fields of these names.
  return printableJson({ ...head, ...Object.fromEntries(fields), ...head })
}

function textLine(at: string, { level, event, fields }: Line): string {
  const words = fields.map(([name, value]) => `${name}=${typeof value === 'string' ? word(value) : value}`)
  return [at, level.toUpperCase().padEnd(5), event, ...words].join(' ')
}

/** Quotes and escapes anything but a plain word: untrusted text must not control the terminal. */
function word(text: string): string {
  if (/^[^\s"'=\p{C}]+$/u.test(text)) return text
  return printableJson(text)
}
