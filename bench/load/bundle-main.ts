import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TOP = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The path of the main file in a checkout's bundle. The executable is made of the same bundle. Bundles the
 * checkout first if its sources have changed since the last time.
 *
 * @throws Error when the checkout cannot be bundled
 */
export function bundleMain(checkout = TOP): string {
  const script = join(checkout, 'scripts', 'bundle-tests.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${checkout} could not be bundled: ${stderr}`)
  return join(stdout.trim(), 'main.js')
}
