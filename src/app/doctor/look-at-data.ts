/** Examines the data directory and its disk: permissions, free space and speed. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { nameUser } from '#app/name-user.ts'
import type {
  DatabaseFacts,
  DiskFacts,
  DiskSpeedFacts,
  FileOwner,
  PermissionFacts,
} from '#domain/doctor/facts.ts'
import { checkDatabase } from '#storage/check-database.ts'
import { type DataDirectory, journalOf } from '#storage/data-directory.ts'
import { DatabaseDamaged } from '#storage/sqlite-fault.ts'

/** Synced writes that measure the disk: enough for a median, and only 80 KB of wear. */
const FSYNC_PROBES_MAX = 20
/** Bytes of one such write: a database page. */
const FSYNC_PROBE_BYTES = 4096
/** The measurement stops after this time: the disk is clearly slow. */
const FSYNC_PROBE_MS_MAX = 3_000

export function lookAtPermissions(directory: DataDirectory): PermissionFacts {
  const { path, database, commitMark, endedCredentials, lock, secrets } = directory
  const all = [
    ...[path, database, `${database}-wal`, `${database}-shm`, commitMark, endedCredentials, lock, secrets],
    ...(existsSync(secrets) ? readdirSync(secrets).map(name => join(secrets, name)) : []),
  ]
  const files = all.flatMap(file => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found === undefined ? [] : [{ path: file, mode: found.mode & 0o777, owner: ownerOf(found) }]
  })
  return { path, owner: ownerOf(statSync(path)), canWrite: canWrite(path), files }
}

function ownerOf({ uid }: { readonly uid: number }): FileOwner {
  return { uid, name: nameUser(uid) }
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Reads the whole database, beside a running gateway or without one. */
export function lookAtDatabase({ database: path }: DataDirectory): DatabaseFacts | null {
  if (!existsSync(path)) return null
  // A running gateway works on its database in WAL mode and has no such file.
  if ((statSync(journalOf(path), { throwIfNoEntry: false })?.size ?? 0) > 0)
    return { path, damage: null, isInterrupted: true }
  try {
    checkDatabase(path)
    return { path, damage: null, isInterrupted: false }
  } catch (error) {
    if (error instanceof DatabaseDamaged) return { path, damage: error.message, isInterrupted: false }
    throw error
  }
}

/** File systems by their magic numbers. @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const KINDS = new Map<number, DiskFacts['kind']>([
  [0x01021994, 'memory'],
  [0x858458f6, 'memory'],
  [0x6969, 'network'],
  [0xff534d42, 'network'],
  [0xfe534d42, 'network'],
  [0x794c7630, 'container'],
])

export function lookAtDisk({ path }: DataDirectory): DiskFacts {
  const { type, bavail, bsize, files, ffree } = statfsSync(path)
  const kind = KINDS.get(type >>> 0) ?? 'disk'
  return { path, freeBytes: bavail * bsize, freeFiles: files > 0 ? ffree : null, kind }
}

/** Measures synced writes of single pages to a new file, and removes the file. */
export function measureDisk({ path }: DataDirectory): DiskSpeedFacts {
  const file = join(path, 'doctor-probe')
  const page = Buffer.alloc(FSYNC_PROBE_BYTES, 1)
  const timesMs: number[] = []
  const begunAt = performance.now()
  try {
    const fd = openSync(file, 'w', 0o600)
    try {
      while (timesMs.length < FSYNC_PROBES_MAX && performance.now() - begunAt < FSYNC_PROBE_MS_MAX) {
        const at = performance.now()
        writeSync(fd, page)
        fsyncSync(fd)
        timesMs.push(performance.now() - at)
      }
    } finally {
      closeSync(fd)
      rmSync(file, { force: true })
    }
    return { path, timesMs, fault: null }
  } catch (error) {
    return {
      path,
      timesMs,
      fault: error instanceof Error && 'code' in error ? String(error.code) : `${error}`,
    }
  }
}
