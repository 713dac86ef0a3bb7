import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TOP = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The main file of a checkout's bundle, which the executable is made of, too. It is made when the sources
 * changed.
 *
 * @throws Error when the checkout cannot be bundled
 */
export function bundleMain(checkout = TOP): string {
  const script = join(checkout, 'scripts', 'bundle-tests.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${checkout} could not be bundled: ${stderr}`)
  return join(stdout.trim(), 'main.js')
}
