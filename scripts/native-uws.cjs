/* global __UWS_SHA256__ */
// Stands in for the package uWebSockets.js within the bundle. The system cannot load a native file from
// inside the executable, so it is unpacked into a cache folder: whole and under its final name in one step,
// for listeners and other instances may be doing the same, and one that is half written or overwritten kills
// who has it loaded. Where no such folder can be made (a user without a home), a temporary one does.
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

/** Past pkg's own way of loading native files, which is neither whole nor in one step. */
function load(file) {
  const loaded = { exports: {} }
  process.dlopen(loaded, file)
  return loaded.exports
}

function loadUnpacked() {
  let file
  try {
    file = unpacked()
  } catch (cause) {
    return loadTemporary(cause)
  }
  return load(file)
}

/** What is loaded stays loaded when its file is gone, so nothing is left behind. */
function loadTemporary(cause) {
  let folder
  try {
    folder = mkdtempSync(join(tmpdir(), 'roost-'))
    const file = join(folder, 'uws.node')
    writeFileSync(file, readFileSync(SOURCE), { mode: 0o700 })
    return load(file)
  } catch (error) {
    throw new Error(`${cause.message} (nor can ${tmpdir()}: ${error.message})`, { cause })
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

function unpacked() {
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
    throw new Error(`${folder} cannot be written: set PKG_NATIVE_CACHE_PATH to a folder that can`, { cause })
  }
  return file
}

/** systemd names CACHE_DIRECTORY after the unit's `CacheDirectory=`. */
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

/** In pieces: read whole, its 7 MB would stay in memory until the next large collection of garbage. */
function digestOf(descriptor) {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  for (;;) {
    const bytes = readSync(descriptor, piece)
    if (bytes === 0) return hash.digest('hex')
    hash.update(piece.subarray(0, bytes))
  }
}
