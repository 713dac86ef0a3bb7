/**
 * Hands out copies of the database with its secrets: to a gateway that joins, for a one-time code, and to a
 * member, for a token that only members can make.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UpkeepThread } from '#app/threads/upkeep-thread.ts'
import type { CopyPiece, CopyQuestion } from '#contracts/thread-frames.ts'
import { Problem } from '#domain/problem.ts'
import type { DataDirectory } from '#storage/data-directory.ts'

/** How long a code can be used. */
export const INVITATION_MS = 600_000
const INVITATIONS_MAX = 16
/** Bytes of one answer. */
const PIECE_BYTES_MAX = 1_048_576

/** The token with which a member asks for a new copy. */
export function memberToken(clusterKey: Uint8Array): string {
  return createHmac('sha256', clusterKey).update('a member asks for a copy').digest('hex')
}

interface CopyFile {
  readonly id: string
  readonly path: string
  /** Null: it is being made. */
  fd: number | null
  failure: string | null
}

export interface CopyDeskPorts {
  readonly directory: DataDirectory
  readonly clusterKey: Uint8Array
  readonly monoMs: () => number
}

export class CopyDesk {
  readonly #ports: CopyDeskPorts
  /** Until when each code is valid. */
  readonly #invitations = new Map<string, number>()
  readonly #thread = new UpkeepThread()
  /** One copy at a time: a new one replaces it. */
  #copy: CopyFile | null = null

  constructor(ports: CopyDeskPorts) {
    this.#ports = ports
  }

  /** Makes a one-time code. */
  invite(): string {
    const code = randomBytes(16).toString('base64url')
    this.#invitations.set(code, this.#ports.monoMs() + INVITATION_MS)
    for (const [old] of this.#invitations)
      if (this.#invitations.size > INVITATIONS_MAX) this.#invitations.delete(old)
    return code
  }

  /**
   * Begins a copy (`copy` null), or reads a piece of it. The token is checked once; after that, the id of the
   * copy is the credential.
   *
   * @throws Problem UNAUTHORIZED, or NOT_FOUND when another copy was begun since
   */
  answer({ token, copy, offset }: CopyQuestion): CopyPiece {
    if (copy === null) return this.#begin(token)
    const current = this.#copy
    if (current === null || current.id !== copy)
      throw new Problem('NOT_FOUND', 'this copy is gone: ask for another')
    if (current.failure !== null) throw new Problem('INTERNAL_ERROR', `the copy failed: ${current.failure}`)
    const { fd, id } = current
    if (fd === null) return { copy: id, bytes: null, piece: new Uint8Array() }
    const piece = Buffer.alloc(PIECE_BYTES_MAX)
    return {
      copy: id,
      bytes: statSync(current.path).size,
      piece: piece.subarray(0, readSync(fd, piece, { position: offset })),
    }
  }

  async stop(): Promise<void> {
    await this.#thread.stop()
    this.#drop()
  }

  #begin(token: string): CopyPiece {
    if (!this.#admits(token))
      throw new Problem('UNAUTHORIZED', 'this code was used, is over, or is of another gateway')
    this.#drop()
    const { directory } = this.#ports
    const id = randomBytes(32).toString('hex')
    const path = join(directory.path, `copy-for-member-${id.slice(0, 8)}`)
    const copy: CopyFile = { id, path, fd: null, failure: null }
    this.#copy = copy
    this.#thread.run({ kind: 'copy', dataDir: directory.path, file: path }).then(
      () => {
        if (this.#copy === copy) copy.fd = openSync(path, 'r')
        else rmSync(path, { force: true })
      },
      error => {
        copy.failure = String(error)
      },
    )
    return { copy: id, bytes: null, piece: new Uint8Array() }
  }

  #admits(token: string): boolean {
    const own = memberToken(this.#ports.clusterKey)
    if (token.length === own.length) return timingSafeEqual(Buffer.from(token), Buffer.from(own))
    const until = this.#invitations.get(token)
    this.#invitations.delete(token)
    return until !== undefined && this.#ports.monoMs() < until
  }

  #drop(): void {
    if (this.#copy?.fd != null) closeSync(this.#copy.fd)
    if (this.#copy !== null) rmSync(this.#copy.path, { force: true })
    this.#copy = null
  }
}
