import { EXIT } from '#app/exit-code.ts'
import { explain } from '#app/explain-failure.ts'
import { DataDirectoryHeld } from '#app/hold-data-directory.ts'
import type { Log } from '#app/log.ts'
import type { ServiceReport } from '#app/service/service-report.ts'
import { ANOTHER_WRITER } from '#app/threads/writer-thread.ts'
import { DatabaseEmptied } from '#storage/commit-loss.ts'

/** Reports why a gateway ends that has started. */
export function reportEnd(ended: string, { log, report }: { log: Log; report: ServiceReport }): void {
  if (ended === 'stop') return report.stopping()
  log.write('error', 'gateway.ended', { reason: ended })
  report.failed(ended)
}

/** Returns the exit code. */
export function logStopped(ended: string, log: Log): number {
  log.write('info', 'stopped', {})
  if (ended === ANOTHER_WRITER) return EXIT.anotherInstance
  return ended === 'stop' ? EXIT.ok : EXIT.failed
}

/** Returns the exit code. */
export function logFailure(log: Log, error: unknown): number {
  if (error instanceof DataDirectoryHeld) {
    log.write('error', 'gateway.already_running', { cause: error.message })
    return EXIT.anotherInstance
  }
  if (error instanceof DatabaseEmptied) log.write('error', 'database.missing', { cause: error.message })
  else log.write('error', 'gateway.failed', { cause: explain(error) })
  return EXIT.failed
}
