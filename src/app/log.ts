import type { LogEntry, LogLevel } from '#contracts/thread-frames.ts'
export interface Log {
  write(level: LogLevel, event: string, fields: LogEntry['fields']): void
  entry(entry: LogEntry): void
}
export function createLog(): Log {
  const entry = (e: LogEntry) =>
    void process.stderr.write(
      `${JSON.stringify({ at: new Date().toISOString(), level: e.level, event: e.event, ...e.fields })}\n`,
    )
  return { entry, write: (level, event, fields) => entry({ level, event, fields }) }
}
