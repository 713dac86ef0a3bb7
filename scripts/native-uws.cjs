/* global __UWS_SHA256__ */
// Replaces the package uWebSockets.js in the bundle. The system cannot load a native file from inside the
// executable, so this module unpacks the file into a cache folder, or into a temporary folder if no cache
// folder can be made (a user without a home). The file is written under another name and then renamed: other
// threads and instances may unpack it at the same time, and a process crashes when a file that it has loaded
// is overwritten.
const { createHash } = require('node:crypto')
const {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require('node:fs')
const { homedir, tmpdir } = require('node:os')
const { join } = require('node:path')
const { threadId } = require('node:worker_threads')

const SOURCE = join(__dirname, 'uws.node')
const PIECE_BYTES = 65_536

module.exports = process.pkg ? loadUnpacked() : load(SOURCE)

/** Loads a native file without pkg's own loader, which may leave a half-written file. */
function load(file) {
  const nativeModule = { exports: {} }
  process.dlopen(nativeModule, file)
  return nativeModule.exports
}

function loadUnpacked() {
  let file
  try {
    file = unpack()
  } catch (cause) {
    return loadTemporary(cause)
  }
  return load(file)
}

/** Loads the native file from a temporary folder. Then removes the file: the loaded code stays in memory. */
function loadTemporary(cause) {
  let folder
  try {
    folder = mkdtempSync(join(tmpdir(), 'roost-'))
    const file = join(folder, 'uws.node')
    writeFileSync(file, readFileSync(SOURCE), { mode: 0o700 })
    return load(file)
  } catch (error) {
    throw new Error(`${cause.message}; the temporary folder ${tmpdir()} failed as well: ${error.message}`, {
      cause,
    })
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

function unpack() {
  const folder = join(cacheFolder(), 'roost')
  const file = join(folder, `uws-${__UWS_SHA256__}.node`)
  if (isWhole(file)) return file
  try {
    mkdirSync(folder, { recursive: true })
    const partial = `${file}.${process.pid}.${threadId}`
    const descriptor = openSync(partial, 'w', 0o755)
    writeFileSync(descriptor, readFileSync(SOURCE))
    fsyncSync(descriptor)
    closeSync(descriptor)
    renameSync(partial, file)
  } catch (cause) {
    throw new Error(`${folder} cannot be written: set PKG_NATIVE_CACHE_PATH to a folder that is writable`, {
      cause,
    })
  }
  return file
}

/**
 * The folder for the caches of this user. systemd sets CACHE_DIRECTORY from `CacheDirectory=` of the unit.
 */
function cacheFolder() {
  const { PKG_NATIVE_CACHE_PATH, CACHE_DIRECTORY, XDG_CACHE_HOME } = process.env
  return PKG_NATIVE_CACHE_PATH || CACHE_DIRECTORY || XDG_CACHE_HOME || join(homedir(), '.cache')
}

function isWhole(file) {
  let descriptor
  try {
    descriptor = openSync(file, 'r')
    return digestOf(descriptor) === __UWS_SHA256__
  } catch {
    return false
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Reads in pieces: 7 MB in one piece would stay in memory until the next large garbage collection. */
function digestOf(descriptor) {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  for (;;) {
    const bytes = readSync(descriptor, piece)
    if (bytes === 0) return hash.digest('hex')
    hash.update(piece.subarray(0, bytes))
  }
}
