/**
 * Bundles of the programs that tests start. A gateway starts from its bundle in a fifth of the time that its
 * sources take, and the bundle is what ships. `npm test` makes the bundle once and passes its folder. A test
 * file that runs by itself makes the bundle if the sources have changed.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GatewayOptions } from '#app/threads/gateway-options.ts'

const BUNDLER = fileURLToPath(import.meta.resolve('#scripts/bundle-tests.mjs'))

let folder: string | undefined

/**
 * The absolute path of a bundled program or thread: `main`, `listener`, `writer`, `pool`, or the name of a
 * `test/**\/<name>.entry.ts` or `<name>.program.ts`.
 *
 * @throws Error when the bundle cannot be made
 */
export function bundled(name: string): string {
  folder ??= process.env['TEST_BUNDLE'] ?? makeBundle()
  return join(folder, `${name}.js`)
}

/** The threads of a gateway that runs in the test's own process, with cheap password hashes. */
export function bundledThreads(): NonNullable<GatewayOptions['entries']> {
  const [listener, writer, pool, phone] = ['listener', 'writer', 'quick-pool', 'phone'].map(bundled)
  return { listener, writer, pool, phone } as NonNullable<GatewayOptions['entries']>
}

function makeBundle(): string {
  const result = spawnSync(process.execPath, [BUNDLER], { encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`the tests' bundle could not be made: ${result.stderr}`)
  return result.stdout.trim()
}
