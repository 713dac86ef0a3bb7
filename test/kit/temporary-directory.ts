import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a directory that is removed after the test; returns its path. */
export function temporaryDirectory(test: { after(done: () => void): void }): string {
  const path = mkdtempSync(join(tmpdir(), 'roost-test-'))
  test.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}
