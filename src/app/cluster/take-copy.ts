/** Takes a copy of the database from the leader. What was in the data directory is moved aside. */
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { COPY_BYTES_HEADER, COPY_ID_HEADER } from '#contracts/cluster.ts'
import { adoptCopiedFile } from '#storage/adopt-copy.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { syncDirectory } from '#storage/sync-directory.ts'

/** A piece that does not arrive in this time has failed. */
const PIECE_MS_MAX = 30_000
/** Pause while the leader makes the copy. */
const READY_ASKED_EVERY_MS = 500
/** What stays in the data directory of a running gateway. */
const STAYS = new Set(['lock', 'control.sock', 'backups'])

export interface CopySource {
  /** The leader's own address, https. */
  readonly url: string
  /** The authority of the leader's certificate (PEM). */
  readonly authority: string
  /** A one-time code, or the token of a member. */
  readonly token: string
}

/** The name of a folder with what a gateway had before it joined. It may be all there is: it stays. */
const OWN = 'aside'
/** The name of a folder with a copy that differed. Only the newest one is kept: each is a whole copy. */
const DIFFERED = 'aside-copy'

/** In place of a copy that differs from the log. As `takeCopy`. */
export function renewCopy(directory: DataDirectory, source: CopySource): Promise<string | null> {
  // Before the new copy comes, which needs the room.
  for (const name of readdirSync(directory.path))
    if (name.startsWith(`${DIFFERED}-`)) rmSync(join(directory.path, name), { recursive: true })
  return takeCopy(directory, source, DIFFERED)
}

/**
 * Takes a copy, checks it, moves what is in the directory to `aside-…` in it, and puts the copy in its place.
 * Returns the name of that folder; null: there was nothing. The caller holds the lock, and has the database
 * closed.
 */
export async function takeCopy(
  directory: DataDirectory,
  source: CopySource,
  aside = OWN,
): Promise<string | null> {
  const draft = join(directory.path, 'copy-from-leader')
  rmSync(draft, { force: true })
  try {
    await download(source, draft)
    return adopt(directory, draft, aside)
  } finally {
    rmSync(draft, { force: true })
  }
}

function adopt(directory: DataDirectory, draft: string, name: string): string | null {
  // Checks the copy before anything is moved.
  const copied = adoptCopiedFile(draft)
  const aside = moveAside(directory, name)
  copied.install(directory)
  return aside
}

/** Moves all that belongs to the gateway to a folder of the data directory. */
export function moveAside({ path }: DataDirectory, as: string): string | null {
  const names = readdirSync(path).filter(name => !STAYS.has(name) && !/^(aside-|copy-)/.test(name))
  if (names.length === 0) return null
  const aside = `${as}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  mkdirSync(join(path, aside), { mode: 0o700 })
  for (const name of names) renameSync(join(path, name), join(path, aside, name))
  syncDirectory(path)
  return existsSync(join(path, aside)) ? aside : null
}

async function download(source: CopySource, file: string): Promise<void> {
  const fd = openSync(file, 'wx', 0o600)
  try {
    let { copy } = await ask(source, { copy: '', offset: 0 })
    for (let offset = 0, bytes: number | null = null; bytes === null || offset < bytes; ) {
      const piece = await ask(source, { copy, offset })
      copy = piece.copy
      bytes = piece.bytes
      if (bytes === null) {
        await pause(READY_ASKED_EVERY_MS)
        continue
      }
      if (piece.body.length === 0) throw new Error('the copy ended early')
      writeSync(fd, piece.body)
      offset += piece.body.length
    }
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

async function ask(
  { url, authority, token }: CopySource,
  { copy, offset }: { copy: string; offset: number },
) {
  const query = `copy=${copy}&offset=${offset}`
  const outgoing = request(`${url.replace(/\/+$/, '')}/cluster/copy?${query}`, {
    agent: false,
    ca: authority,
    // The authority is the owner's own and has issued nothing but certificates of gateways.
    checkServerIdentity: () => undefined,
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(PIECE_MS_MAX),
  })
  outgoing.end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (response.statusCode !== 200) throw new Error(refusalIn(response.statusCode ?? 0, body))
  const { [COPY_ID_HEADER]: id, [COPY_BYTES_HEADER]: bytes } = response.headers
  return { copy: String(id), bytes: bytes === undefined ? null : Number(bytes), body }
}

function refusalIn(status: number, body: Buffer): string {
  try {
    return String(JSON.parse(body.toString()).error.message)
  } catch {
    return `HTTP ${status}`
  }
}
