import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const leftOver: string[] = []
process.once('exit', () => leftOver.splice(0).forEach(remove))

/** Makes a directory that is removed after the test; returns its path. */
export function temporaryDirectory(test: { after(done: () => void): void }): string {
  const path = mkdtempSync(join(tmpdir(), 'roost-test-'))
  test.after(() => remove(path))
  return path
}

/**
 * The hooks of a test run in the order in which they were added, so its programs may still write here. If a
 * hook throws, Node runs no more of them, and those programs would go on for ever.
 */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    leftOver.push(path)
  }
}
