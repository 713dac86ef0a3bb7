import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const top = fileURLToPath(new URL('..', import.meta.url))

/** Packages that are not bundled, because they find their files or native code relative to their own path. */
const EXTERNAL = [
  'uWebSockets.js',
  'piscina',
  'esbuild',
  'playwright-core',
  'axe-core',
  'oxc-parser',
  '@seriousme/openapi-schema-validator',
]

/** Bundled CommonJS packages call `require`. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

const folderOf = floor => join(top, floor === 'test' ? 'test' : `src/${floor}`)

/**
 * Replaces `import.meta.url` and its like by the original path of the source, because the files that a source
 * reads from its own folder (recordings, programs, documents) are not bundled. `import.meta.resolve` needs no
 * change, because the bundle is in the same package.
 */
const originalPaths = {
  name: 'original-paths',
  setup(build) {
    build.onLoad({ filter: /\/(src|test|scripts)\/.*\.tsx?$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!/import\.meta\.|import\(`#/.test(source)) return
      const contents = source
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        // esbuild can follow an import path that is built at run time only if it is relative.
        .replaceAll(
          /import\(`#(\w+)\//g,
          (_, floor) => `import(\`${relative(dirname(path), folderOf(floor))}/`,
        )
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
}

/**
 * Bundles test files for one run, because loading the sources for each file takes longer than most tests.
 *
 * @param {readonly string[]} files relative to the top, `test/….test.ts`
 * @returns {Promise<string>} a new folder below `dist/test` with a `.js` file for each test file, at the same
 * path
 */
export async function bundleTestFiles(files) {
  const { build } = await import('esbuild')
  const home = join(top, 'dist/test')
  mkdirSync(home, { recursive: true })
  const folder = mkdtempSync(join(home, 'files-'))
  await build({
    absWorkingDir: top,
    entryPoints: [...files],
    outbase: '.',
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    external: EXTERNAL,
    banner: { js: REQUIRE },
    plugins: [originalPaths],
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  })
  return folder
}
