import { readSync, writeSync } from 'node:fs'

const CHUNK_BYTES = 1_048_576

/** Copies an open file from its beginning into another. Calls `copied` after each mebibyte. */
export function copyContents(source: number, target: number, copied: () => void = () => {}): void {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (let position = 0; ; ) {
    const length = readSync(source, chunk, 0, chunk.length, position)
    if (length === 0) return
    for (let written = 0; written < length; ) written += writeSync(target, chunk, written, length - written)
    position += length
    copied()
  }
}
