// Bundles the console (the page at the gateway's address), the page about the API, and the handbook. Each
// becomes one JSON file that contains all files of the page, plain and compressed:
// node scripts/bundle-console.mjs dist
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { handbookIndex, handbookPages } from '#scripts/bundle-handbook.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))
const TYPES = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
  html: 'text/html',
  json: 'application/json',
}

/** Writes `console.json`, `docs.json` and `handbook.json`. Returns the paths of their sources. */
export async function bundleConsole(folder) {
  const main = await bundled(
    { main: 'src/console/main.tsx' },
    { splitting: true, chunkNames: '[name]-[hash]' },
  )
  const rest = await bundled({
    styles: 'src/console/all.css',
    'later-styles': 'src/console/later.css',
    docs: 'src/console/docs.ts',
    'docs-styles': 'node_modules/swagger-ui-dist/swagger-ui.css',
    handbook: 'src/console/handbook-search.ts',
    'handbook-styles': 'src/console/handbook.css',
  })
  const outputFiles = [...main.outputFiles, ...rest.outputFiles]
  const read = name => readFileSync(`${top}src/console/${name}`)
  const text = name => Buffer.from(outputFiles.find(({ path }) => path.endsWith(`/${name}`)).contents)
  const parts = [
    ['main.js', text('main.js')],
    ['main.css', text('styles.css')],
    ['later.css', text('later-styles.css')],
    ['docs.js', text('docs.js')],
    ['docs.css', text('docs-styles.css')],
    ['icon.svg', read('icon.svg')],
    ['icon-trouble.svg', read('icon-trouble.svg')],
    ['icon-192.png', read('icon-192.png')],
    ['icon-512.png', read('icon-512.png')],
    ['handbook.js', text('handbook.js')],
    ['handbook.css', text('handbook-styles.css')],
    ['handbook-index.json', handbookIndex()],
  ].map(([name, body]) => ({ name, path: hashedPath(name, body), body }))
  // The manifest is beside the icons, and names them by their digests.
  let manifest = read('manifest.webmanifest').toString()
  for (const { name, path } of parts) manifest = manifest.replace(`"${name}"`, `"${basename(path)}"`)
  const body = Buffer.from(manifest)
  parts.push({
    name: 'manifest.webmanifest',
    path: hashedPath('manifest.webmanifest', body),
    body,
  })
  // What the first page shares with pages that load later, and those pages. Their names contain a digest.
  const chunks = main.outputFiles
    .filter(({ path }) => !path.endsWith('/main.js'))
    .map(({ path, contents }) => ({ path: `console/${basename(path)}`, body: Buffer.from(contents) }))
  const shared = main.metafile.outputs['console/main.js'].imports.filter(
    ({ kind }) => kind === 'import-statement',
  )
  const preloads = shared.map(({ path }) => `<link rel="modulepreload" href="console/${basename(path)}">`)
  const pages = [
    { name: 'index.html', path: '' },
    { name: 'docs.html', path: 'api/v1/docs' },
  ].map(({ name, path }) => {
    let page = read(name).toString().replace('<!-- preloads -->', preloads.join(''))
    for (const part of parts) page = page.replace(`console/${part.name}`, part.path)
    return { path, body: Buffer.from(page) }
  })
  const assets = Object.fromEntries(parts.map(({ name, path }) => [name, path]))
  const files = [...pages, ...handbookPages(assets), ...parts, ...chunks].map(({ path, body }) =>
    compressed(path, body),
  )
  for (const [name, some] of Object.entries(Object.groupBy(files, fileOf)))
    writeFileSync(join(folder, name), JSON.stringify(some))
  const inputs = { ...main.metafile.inputs, ...rest.metafile.inputs }
  return [...Object.keys(inputs), 'GUIDE.md', 'scripts/bundle-handbook.mjs']
}

function bundled(entryPoints, more = {}) {
  return build({
    ...more,
    absWorkingDir: top,
    entryPoints,
    outdir: 'console',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    banner: { js: '/* Licences: roost version --licenses */' },
    // Images in a style sheet of Swagger UI.
    loader: { '.svg': 'dataurl' },
    write: false,
    metafile: true,
    logLevel: 'warning',
  })
}

function fileOf({ path }) {
  if (path === 'api/v1/docs' || path.startsWith('console/docs-')) return 'docs.json'
  return /^(console\/)?handbook\b/.test(path) ? 'handbook.json' : 'console.json'
}

/** A path that contains a digest of the content, so that browsers may cache the file forever. */
function hashedPath(name, body) {
  const [stem, ending] = name.split('.')
  return `console/${stem}-${createHash('sha256').update(body).digest('hex').slice(0, 10)}.${ending}`
}

function compressed(path, body) {
  // Swagger UI takes 8 s to compress at level 11. Level 9 takes 0.3 s, for 5 % more bytes.
  const quality = body.length > 500_000 ? 9 : 11
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  }
  const type = TYPES[/\.(\w+)$/.exec(path)?.[1] ?? 'html']
  return {
    path,
    contentType: path.endsWith('.png') ? type : `${type}; charset=utf-8`,
    plain: body.toString('base64'),
    gzip: gzipSync(body, { level: 9 }).toString('base64'),
    br: brotliCompressSync(body, { params }).toString('base64'),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv
  if (folder === undefined) {
    process.stderr.write('usage: node scripts/bundle-console.mjs FOLDER\n')
    process.exit(2)
  }
  await bundleConsole(folder)
}
