/** A disk of a few megabytes: a tmpfs in its own mount namespace, kept alive by a waiting process. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { start } from '#test/kit/program.ts'

const MOUNT = 'mount -t tmpfs -o size="$1" none "$2" && echo mounted && exec cat'

export interface SmallDisk {
  /** The data directory as a program started `under` this disk sees it. */
  readonly path: string
  readonly under: readonly string[]
  /** The same directory as this process sees it. */
  readonly here: string
  /** Fills the disk. */
  fill(): void
  /** Frees the space again. */
  free(): void
}

/** Why this machine cannot create such a disk; false if it can. */
export function smallDiskMissing(): string | false {
  try {
    execFileSync('sh', ['-c', 'unshare -m mount -t tmpfs none /mnt'], { stdio: 'ignore' })
    return false
  } catch {
    return 'a small disk needs a mount namespace: run the tests as root'
  }
}

export async function smallDisk(t: Cleaner, size: string): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'roost-disk-'))
  const holder = start(['unshare', '-m', 'sh', '-c', MOUNT, 'sh', size, folder], { cwd: tmpdir() })
  t.after(async () => {
    holder.child.kill('SIGKILL')
    await holder.ended
    rmSync(folder, { recursive: true, force: true })
  })
  await holder.stdout.until(/mounted/)
  const top = `/proc/${holder.pid}/root${folder}`
  mkdirSync(join(top, 'data'))
  const filler = join(top, 'filler')
  return {
    path: join(folder, 'data'),
    here: join(top, 'data'),
    under: ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`, '--'],
    fill: () => fillWith(filler),
    free: () => rmSync(filler),
  }
}

/** Writes to the file until the disk is full. */
export function fillWith(file: string): void {
  const fd = openSync(file, 'a')
  const page = Buffer.alloc(4096)
  try {
    for (;;) writeSync(fd, page)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(fd)
  }
}
