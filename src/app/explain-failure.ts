/** Explains failures that the owner can fix: in one sentence that says what is wrong and how to fix it. */

import { nameUser } from '#app/name-user.ts'
import { causeOf, messageOf } from '#domain/cause.ts'

const SQLITE_READONLY = 8
/** A read-only connection found a rollback journal. */
const SQLITE_READONLY_ROLLBACK = 776
const SQLITE_IOERR = 10
/** No room for the index of the log: the only I/O error by which SQLite reports a full disk. */
const SQLITE_IOERR_SHMSIZE = 4874
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26

const CERTIFICATE_CODES = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

/** Explains an error. Null: the error is not known here; the caller should show its stack. */
export function explainFailure(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code, path, port, address, errcode: extended } = error as Partial<SystemFault>
  // The low byte of SQLite's extended code is its primary code. @see https://www.sqlite.org/rescode.html
  const errcode = extended === undefined ? undefined : extended & 0xff
  if (code === 'EADDRINUSE' && port !== undefined)
    return (
      `cannot listen on ${address ?? '*'}:${port}: the address is in use; stop the program that uses it, ` +
      `or use another port: roost serve --port ${port + 1}`
    )
  if (code === 'EACCES' && port !== undefined)
    return (
      `cannot listen on port ${port}: only root may use ports below 1024; use a higher port ` +
      '(roost serve --port 8080), or give the service CAP_NET_BIND_SERVICE'
    )
  if (code === 'EACCES' || code === 'EPERM') return noPermission(path)
  if (extended === SQLITE_READONLY_ROLLBACK)
    return (
      'a power cut or a crash interrupted a write to the database: start the gateway once (roost serve), ' +
      'which undoes that write'
    )
  if (code === 'EROFS' || errcode === SQLITE_READONLY)
    return `${path ?? 'the data directory'} is read-only: make it writable, or name another with --data DIR`
  if (code === 'ENOSPC' || errcode === SQLITE_FULL)
    return 'the disk is full: make room on the disk of the data directory, then try again'
  if (code === 'DATABASE_DAMAGED')
    return (
      `${error.message}: keep this directory, and restore a backup into a new one: ` +
      'roost restore FILE --data DIR'
    )
  if (errcode === SQLITE_CORRUPT || errcode === SQLITE_NOTADB)
    return (
      'the database is damaged (roost.db in the data directory): keep this directory, and restore a backup ' +
      'into a new one: roost restore FILE --data DIR'
    )
  if (extended === SQLITE_IOERR_SHMSIZE)
    return (
      'the disk of the data directory is full or has failed: make room on it, and look for disk errors in ' +
      'the system log (dmesg)'
    )
  if (errcode === SQLITE_IOERR)
    return (
      'the disk of the data directory has failed, or the system made it read-only: look for disk errors in ' +
      'the system log (dmesg), and mount the disk read-write'
    )
  if (code === 'NEWER_SCHEMA' || code === 'BELONGS_TO_CLUSTER') return error.message
  if (errcode === SQLITE_CANTOPEN) return noPermission(undefined)
  if (code !== undefined && CERTIFICATE_CODES.includes(code))
    return (
      'the certificate of the other side is not trusted: pass the file of its certificate authority in ' +
      'NODE_EXTRA_CA_CERTS=/path/ca.pem'
    )
  return explainFailure(error.cause)
}

interface SystemFault {
  readonly code: string
  readonly path: string
  readonly port: number
  readonly address: string
  /** SQLite's extended result code. */
  readonly errcode: number
}

function noPermission(path: string | undefined): string {
  const uid = process.getuid?.()
  const who = uid === undefined ? 'this user' : `the user ${nameUser(uid)}`
  return (
    `no permission for ${path ?? 'a file of the data directory'} as ${who}: ` +
    'run this as the owner of the file or as root (sudo), or change its owner'
  )
}

/** The cause and its fix if they are known, or else the first line of the error. */
export function sentenceOf(error: unknown): string {
  return explainFailure(error) ?? messageOf(error).split('\n')[0] ?? ''
}

/** Explains an error in a sentence if possible, or else gives its stack. */
export function explain(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(explain))].join('; ')
  return explainFailure(error) ?? causeOf(error)
}
