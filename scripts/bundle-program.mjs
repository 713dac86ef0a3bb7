// Bundles the program into a folder that runs with `node FOLDER/main.js`. The folder contains a CommonJS file
// for each thread, the native file of uWebSockets.js, and the agent. build.mjs packs such a folder into the
// executable. The tests start their gateways and commands from such a folder, too.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licensesOfBundle } from '#scripts/collect-licenses.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))

/** SHA-256 of the native files of uWebSockets.js for Node 22 (ABI 127), in the version of package.json. */
const NATIVE_SHA256 = {
  x64: '8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af',
  arm64: 'd4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d',
}

/**
 * Replaces the package's own loader, which builds the name of the native file at run time. The bundler can
 * only follow a fixed name.
 */
const nativeUws = {
  name: 'native-uws',
  setup(build) {
    const path = join(top, 'scripts/native-uws.cjs')
    build.onResolve({ filter: /^uWebSockets\.js$/ }, () => ({ path }))
  },
}

/**
 * V8 caches compiled code only for files that are loaded after main.js has set the cache folder. So main.js
 * is small, and loads the rest of the program from a second file.
 */
const restOfMain = {
  name: 'rest-of-main',
  setup(build) {
    build.onResolve({ filter: /^#app\/commands\/run-command\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './run-command.js', external: true } : undefined,
    )
  },
}

/**
 * Packages that a thread loads when it first needs them, or never. Each becomes a file of its own, because a
 * thread reads and keeps the whole of a file from which it needs a part.
 */
const LATER = [
  'undici',
  'nodemailer',
  'smtp-server',
  'mqtt',
  'dbus-native',
  '@peculiar/x509',
  'prom-client',
  'jose',
  'bonjour-service',
  '@valibot/to-json-schema',
]

const packagesLater = {
  name: 'packages-later',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^(?:${LATER.join('|')})$`) }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: `./${fileOf(path)}.js`, external: true },
    )
  },
}

/**
 * Large tables (phone numbers, sentences) become text that is parsed. As code each of their objects would be
 * compiled, kept in the compile cache, and read from there by each thread.
 */
const tablesAsText = {
  name: 'tables-as-text',
  setup(build) {
    build.onLoad({ filter: /\.json$/ }, ({ path }) => {
      const table = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))
      if (table.length < 10_000) return undefined
      return { contents: `module.exports = JSON.parse(${JSON.stringify(table)})`, loader: 'js' }
    })
  },
}

/** The name of a package as that of a file. */
function fileOf(packageName) {
  return packageName.replace('@', '').replace('/', '-')
}

/**
 * Writes the bundle of one architecture (`x64`, `arm64`) into an empty folder, with the agent that the
 * gateway serves and the licences of all parts (`licenses.json`). `moreEntries`: further programs to bundle,
 * their paths by name. Returns the paths of all files in the bundle, relative to the top. Throws the errors
 * of esbuild, and an Error if the native file is not the expected one or a package has no licence text.
 */
export async function bundleProgram({ arch, folder, moreEntries = {}, sourcemap = false }) {
  mkdirSync(folder, { recursive: true })
  const { build } = await import('esbuild')
  const { bundleAgent } = await import('#scripts/bundle-agent.mjs')
  const { bundleConsole } = await import('#scripts/bundle-console.mjs')
  const { metafile, outputFiles } = await build({
    absWorkingDir: top,
    entryPoints: { ...entryPoints(), ...moreEntries },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    // Only piscina's option `niceIncrement` needs it, and Roost does not use that option.
    external: ['@napi-rs/nice'],
    // CommonJS has no `import.meta`; __filename is right in the folder and inside the executable.
    define: {
      __UWS_SHA256__: JSON.stringify(NATIVE_SHA256[arch]),
      'import.meta.url': '__bundleUrl',
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
    banner: { js: "const __bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [nativeUws, restOfMain, packagesLater, tablesAsText],
    // The file system inside the executable supports only `require`.
    supported: { 'dynamic-import': false },
    // Smaller files load faster. Names stay, for the stack traces in the log. `keepNames` is off, because it
    // costs time for each closure, even while a message is sent.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap,
    metafile: true,
    write: false,
    // They are in licenses.json.
    legalComments: 'none',
    logLevel: 'warning',
  })
  for (const { path, text } of outputFiles) writeFileSync(path, asciiOf(text))
  writeFileSync(join(folder, 'thread.js'), 'require(process.argv[2])\n')
  copyChecked(arch, join(folder, 'uws.node'))
  const inputs = [...Object.keys(metafile.inputs), ...(await bundleAgent(join(folder, 'agent.mjs')))]
  inputs.push(...(await bundleConsole(folder)))
  writeFileSync(join(folder, 'licenses.json'), JSON.stringify(licensesOfBundle(inputs)))
  const { name, version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
  const pages = ['console.json', 'docs.json', 'handbook.json']
  const pkg = { assets: ['*.js', '*.node', '*.mjs', 'licenses.json', ...pages] }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, bin: 'main.js', pkg }))
  return inputs
}

/**
 * Without comments esbuild leaves such signs only in regular expressions, where an escape means the same. One
 * of them makes Node decode the whole file, and keep it with two bytes a sign, in each thread.
 */
function asciiOf(text) {
  const escaped = /\\[^\0-\x7f].{0,20}/.exec(text)
  if (escaped !== null) throw new Error(`an expression escapes a sign outside ASCII: ${escaped[0]}`)
  return text.replace(/[^\0-\x7f]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * The paths of the files to bundle, by name: `main`, the rest of the main file as `run-command`, every
 * `<name>.entry.ts` as `<name>`, the file from which piscina's threads start as `worker`, and the packages of
 * LATER.
 */
function entryPoints() {
  const entries = {
    main: 'src/main.ts',
    'run-command': 'src/app/commands/run-command.ts',
    worker: 'node_modules/piscina/dist/worker.js',
    ...Object.fromEntries(LATER.map(name => [fileOf(name), name])),
  }
  for (const file of readdirSync(join(top, 'src'), { recursive: true })) {
    if (!file.endsWith('.entry.ts')) continue
    const name = basename(file, '.entry.ts')
    if (Object.hasOwn(entries, name)) throw new Error(`src/${file}: another entry is already called ${name}`)
    entries[name] = join('src', file)
  }
  return entries
}

function copyChecked(arch, target) {
  const source = join(top, `node_modules/uWebSockets.js/dist/bin/uws_linux_${arch}_127.node`)
  const sha256 = createHash('sha256').update(readFileSync(source)).digest('hex')
  if (sha256 !== NATIVE_SHA256[arch]) {
    throw new Error(
      `${source} has SHA-256 ${sha256}, scripts/bundle-program.mjs expects ${NATIVE_SHA256[arch]}: if the ` +
        'version was changed on purpose, write the new digest there',
    )
  }
  copyFileSync(source, target)
}
