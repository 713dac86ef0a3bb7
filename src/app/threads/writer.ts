import { readFileSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import { systemNow } from '#app/clock.ts'
import { writeCompileCacheLater } from '#app/compile-cache.ts'
import { settingsWithAuthority } from '#app/config/settings.ts'
import { watchThread } from '#app/metrics/watch-thread.ts'
import type {
  LogEntry,
  LogFrame,
  WriterCluster,
  WriterControl,
  WriterData,
  WriterNews,
} from '#contracts/thread-frames.ts'
import { causeOf } from '#domain/cause.ts'
import { openGeneration } from '#rate-limit/generation.ts'
import { type Leadership, openLeadership } from '#rate-limit/leadership.ts'
import type { LogAccess } from '#storage/change-log.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { openStorage } from '#storage/open-storage.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { systemSource } from '#storage/source.ts'
import { hasRoom } from '#storage/spare-room.ts'
import { AnotherWriter, LeadershipLost } from '#storage/sqlite-fault.ts'
import { WriterLoop } from '#storage/writer-loop.ts'
import { WriterMetrics } from '#storage/writer-metrics.ts'

const DISK_FULL: LogEntry = {
  level: 'error',
  event: 'disk.full',
  fields: { hint: 'no message is accepted until the disk has space: free some' },
}
const DISK_FREE: LogEntry = {
  level: 'info',
  event: 'disk.has_room',
  fields: { hint: 'messages are accepted again' },
}

/** Hands entries to the main thread, which appends them, and waits. */
function logAccess(
  directory: DataDirectory,
  { port, salt }: WriterCluster,
  leadership: Leadership,
): LogAccess {
  const append = (number: number, value: Uint8Array) =>
    leadership.awaitAppend(() => port.postMessage({ number, value } satisfies LogFrame))
  const clusterKey = readFileSync(directory.clusterKey)
  return { clusterKey, salt, append, hasRoom: () => hasRoom(directory.path) }
}

/** Opens the database and runs the writer until `stop`. `port` connects to the main thread. */
export function runWriter(data: WriterData, port: Pick<MessagePort, 'on' | 'postMessage' | 'close'>): void {
  const tell = (news: WriterNews) => port.postMessage(news)
  const logFault = (error: unknown, event: string, fields: LogEntry['fields'] = {}) => {
    tell({ kind: 'log', entry: { level: 'error', event, fields: { ...fields, cause: causeOf(error) } } })
  }
  const directory = dataDirectory(data.config.data_dir)
  const commits = openGeneration(data.commits)
  const leadership = data.cluster && openLeadership(data.cluster.leadership)
  const storage = openStorage(directory, {
    settings: settingsWithAuthority(data.config, data.publicUrl),
    source: systemSource(loadSecret(directory.codeKey)),
    now: systemNow,
    migrating: progress => tell({ kind: 'migrating', ...progress }),
    committed: () => commits.advance(),
    log: data.cluster && leadership && logAccess(directory, data.cluster, leadership),
    faulted: (error, command) => logFault(error, 'command.failed', { command }),
  })
  const credentials = openGeneration(data.credentials)
  const metrics = new WriterMetrics()
  const watch = watchThread('writer')
  const loop = new WriterLoop({
    batch: storage.batch,
    monoMs: () => performance.now(),
    batched: (commands, ms) => metrics.batched(commands, ms),
    log: entry => tell({ kind: 'log', entry }),
    diskFull: isFull => {
      tell({ kind: 'log', entry: isFull ? DISK_FULL : DISK_FREE })
      tell({ kind: 'disk', isFull })
    },
    notificationsDue: () => tell({ kind: 'notifications' }),
    reachedPhonesChanged: () => tell({ kind: 'reached-phones' }),
    configurationChanged: () => tell({ kind: 'configuration' }),
    credentialsChanged: () => credentials.advance(),
    mayLeave: leadership === null ? undefined : () => leadership.holds(),
    databaseFailed: error => {
      if (error instanceof LeadershipLost) return tell({ kind: 'leadership-lost' })
      logFault(error, 'database.failed')
      tell({ kind: 'database-failed', held: error instanceof AnotherWriter })
    },
  })
  port.on('message', (control: WriterControl) => {
    if (control.kind === 'attach') loop.attach(control.client, control.port)
    else if (control.kind === 'forget') loop.forget(control.client)
    else if (control.kind === 'metrics') {
      const { id } = control
      tell({ kind: 'metrics', id, metrics: [...metrics.read(storage, loop), ...watch.read()] })
    } else if (control.kind === 'reconfigure') {
      storage.batch.reconfigure(settingsWithAuthority(control.config, data.publicUrl))
      tell({ kind: 'reconfigured', id: control.id, fault: null })
    } else if (control.kind === 'drain') storage.batch.stopping = true
    else {
      watch.stop()
      loop.end()
      storage.close()
      tell({ kind: 'stopped' })
      port.close()
    }
  })
  tell({ kind: 'ready', lost: storage.lost, copied: storage.copied })
  writeCompileCacheLater()
}
