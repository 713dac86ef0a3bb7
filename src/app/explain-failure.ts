/** Failures that the owner can fix: one sentence that says what is wrong and how to fix it. */
import { userInfo } from 'node:os'

const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
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

/** Null for an unknown failure, which is printed with its stack. */
export function explainFailure(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code, path, port, address, errcode: extended } = error as Partial<SystemFault>
  // The low byte is the kind of failure. @see https://www.sqlite.org/rescode.html
  const errcode = extended === undefined ? undefined : extended & 0xff
  if (code === 'EADDRINUSE' && port !== undefined)
    return (
      `cannot listen on ${address ?? '*'}:${port}: the address is in use; stop the program that has it, ` +
      `or take another port: roost serve --port ${port + 1}`
    )
  if (code === 'EACCES' && port !== undefined)
    return (
      `cannot listen on port ${port}: ports below 1024 are for root; take a higher one ` +
      '(roost serve --port 8080), or give the service CAP_NET_BIND_SERVICE'
    )
  if (code === 'EACCES' || code === 'EPERM') return noPermission(path)
  if (code === 'EROFS' || errcode === SQLITE_READONLY)
    return `${path ?? 'the data directory'} is read-only: make it writable, or name another with --data DIR`
  if (code === 'ENOSPC' || errcode === SQLITE_FULL)
    return 'the disk is full: make room on the disk of the data directory, then try again'
  if (errcode === SQLITE_CORRUPT || errcode === SQLITE_NOTADB)
    return (
      'the database is damaged (roost.db in the data directory): keep the folder as it is, and restore a ' +
      'backup into a new one: roost restore FILE --data DIR'
    )
  if (errcode === SQLITE_IOERR)
    return (
      'the disk of the data directory is full or fails: make room on it, and look for its errors in the ' +
      'log of the system (dmesg)'
    )
  if (code === 'NEWER_SCHEMA') return error.message
  if (errcode === SQLITE_CANTOPEN) return noPermission(undefined)
  if (code !== undefined && CERTIFICATE_CODES.includes(code))
    return (
      'the certificate of the other side is not trusted: name the file of its authority in ' +
      'NODE_EXTRA_CA_CERTS=/path/ca.pem'
    )
  return explainFailure(error.cause)
}

interface SystemFault {
  readonly code: string
  readonly path: string
  readonly port: number
  readonly address: string
  /** Of SQLite. */
  readonly errcode: number
}

function noPermission(path: string | undefined): string {
  return (
    `no permission for ${path ?? 'a file of the data directory'} as the user ${userInfo().username}: ` +
    'run this as its owner or as root (sudo), or change its owner'
  )
}
