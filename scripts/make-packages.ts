/**
 * Makes a Debian package and a .tar.gz of each executable in dist, the list of all parts (a CycloneDX SBOM),
 * and SHA256SUMS:
 * `node scripts/make-packages.ts x64 arm64 [--release]`. build.mjs calls it. Without dpkg-deb it makes no
 * Debian package, without npm 10 no SBOM, and says so.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { POLKIT_RULE_TEXT, SERVICE_CONFIG_TEXT, SYSUSERS_TEXT, unitText } from '#app/service/service-files.ts'
import { VERSION } from '#contracts/version.ts'
import { makeManual } from '#scripts/make-manual.ts'

const top = join(import.meta.dirname, '..')
const dist = join(top, 'dist')
const parts = join(top, 'scripts/package')
const work = join(dist, 'build/packages')
const DEBIAN_ARCHS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
/** The builder of a package is its maintainer. The variables are those of Debian's own tools. */
const { DEBFULLNAME = 'The Roost maintainers', DEBEMAIL = 'roost@users.noreply.github.com' } = process.env
const MAINTAINER = `${DEBFULLNAME} <${DEBEMAIL}>`

interface PartLicense {
  readonly name: string
  readonly version: string | null
  readonly license: string
  readonly text: string
}

/** The texts that go into both the Debian package and the .tar.gz. */
interface Texts {
  readonly manual: string
  readonly completion: Readonly<Record<'bash' | 'zsh' | 'fish', string>>
  readonly licenses: readonly PartLicense[]
  readonly date: Date
}

const { values, positionals: archs } = parseArgs({
  options: { release: { type: 'boolean', default: false } },
  allowPositionals: true,
})
rmSync(work, { recursive: true, force: true })
const packages = archs.flatMap(arch => {
  const texts = textsOf(arch)
  return [...makeDebianPackage(arch, texts), makeArchive(arch, texts)]
})
const executables = archs.map(arch => `roost-linux-${arch}`)
const sums = [...packages, ...executables, ...makeSbom()].map(
  file => `${sha256(join(dist, file))}  ${file}\n`,
)
writeFileSync(join(dist, 'SHA256SUMS'), sums.join(''))

/** Returns the name of the SBOM; an empty list if npm is too old. */
function makeSbom(): string[] {
  const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']
  const { status, stdout } = spawnSync('npm', args, {
    cwd: top,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) {
    process.stderr.write('npm is older than 10, so no SBOM is made\n')
    return []
  }
  // Without the random number and with the date of the sources, the same sources give the same file.
  const { serialNumber, ...bom } = JSON.parse(stdout)
  const component = { ...bom.metadata.component, name: 'roost', type: 'application' }
  const metadata = { ...bom.metadata, timestamp: dateOfSources().toISOString(), component }
  const file = `roost_${VERSION}.cdx.json`
  writeFileSync(join(dist, file), `${JSON.stringify({ ...bom, metadata }, null, 1)}\n`)
  return [file]
}

function textsOf(arch: string): Texts {
  // The bundle is JavaScript, so it runs here even if the executable is for another processor.
  const roost = (...args: string[]) =>
    run(process.execPath, [join(dist, `build/linux-${arch}/main.js`), ...args])
  const completion = {
    bash: roost('completion', 'bash'),
    zsh: roost('completion', 'zsh'),
    fish: roost('completion', 'fish'),
  }
  const { licenses } = JSON.parse(roost('version', '--licenses', '--json')) as { licenses: PartLicense[] }
  const date = dateOfSources()
  return { manual: makeManual(date.toISOString().slice(0, 10)), completion, licenses, date }
}

/** The time of the last commit, so that the same sources give the same package; now if there is no git. */
function dateOfSources(): Date {
  const { SOURCE_DATE_EPOCH } = process.env
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: top, encoding: 'utf8' })
  const seconds = SOURCE_DATE_EPOCH ?? (status === 0 ? stdout.trim() : '')
  return seconds === '' ? new Date() : new Date(Number(seconds) * 1000)
}

/** Returns the name of the package; an empty list if dpkg-deb is not installed. */
function makeDebianPackage(arch: string, texts: Texts): string[] {
  const debianArch = DEBIAN_ARCHS[arch] ?? arch
  if (spawnSync('dpkg-deb', ['--version']).error !== undefined) {
    process.stderr.write('dpkg-deb is not installed, so no Debian package is made: apt install dpkg\n')
    return []
  }
  const tree = join(work, debianArch)
  const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true, mode: 0o755 })
    writeFileSync(join(tree, path), content)
    chmodSync(join(tree, path), mode)
  }
  const compressed = (text: string) => gzipSync(text, { level: 9 })
  put('etc/roost/config.toml', SERVICE_CONFIG_TEXT)
  put('usr/lib/systemd/system/roost.service', unitText(['/usr/bin/roost']))
  put('usr/lib/sysusers.d/roost.conf', SYSUSERS_TEXT)
  put('usr/share/polkit-1/rules.d/roost.rules', POLKIT_RULE_TEXT)
  put('usr/share/man/man1/roost.1.gz', compressed(texts.manual))
  put('usr/share/bash-completion/completions/roost', texts.completion.bash)
  put('usr/share/zsh/vendor-completions/_roost', texts.completion.zsh)
  put('usr/share/fish/vendor_completions.d/roost.fish', texts.completion.fish)
  put('usr/share/doc/roost/copyright', copyrightOf(texts.licenses))
  put('usr/share/doc/roost/changelog.gz', compressed(changelogOf(texts.date)))
  for (const file of ['README.md', 'GUIDE.md'])
    put(`usr/share/doc/roost/${file}.gz`, compressed(readFileSync(join(top, file), 'utf8')))
  put('usr/share/doc/roost/config.example.toml', readFileSync(join(top, 'config.example.toml')))
  put('usr/share/doc/roost/examples/avahi-roost.service', readFileSync(join(parts, 'avahi-roost.service')))
  put('usr/share/lintian/overrides/roost', readFileSync(join(parts, 'lintian-overrides')))
  linkOrCopy(join(dist, `roost-linux-${arch}`), join(tree, 'usr/bin/roost'))
  put('DEBIAN/control', controlOf(debianArch, tree))
  put('DEBIAN/md5sums', sumsOf(tree))
  put('DEBIAN/conffiles', '/etc/roost/config.toml\n')
  for (const script of ['postinst', 'prerm', 'postrm'])
    put(`DEBIAN/${script}`, readFileSync(join(parts, script)), 0o755)
  const file = `roost_${VERSION}_${debianArch}.deb`
  const packing = values.release ? ['-Zxz'] : ['-Zzstd', '-z1']
  run('dpkg-deb', [...packing, '--root-owner-group', '--build', tree, join(dist, file)], texts.date)
  return [file]
}

function makeArchive(arch: string, texts: Texts): string {
  const name = `roost_${VERSION}_${DEBIAN_ARCHS[arch] ?? arch}`
  const tree = join(work, 'archive', name)
  mkdirSync(join(tree, 'completion'), { recursive: true })
  linkOrCopy(join(dist, `roost-linux-${arch}`), join(tree, 'roost'))
  for (const file of ['LICENSE', 'README.md', 'GUIDE.md', 'config.example.toml'])
    copyFileSync(join(top, file), join(tree, file))
  copyFileSync(join(parts, 'install.sh'), join(tree, 'install.sh'))
  writeFileSync(join(tree, 'roost.1'), texts.manual)
  writeFileSync(join(tree, 'completion/roost.bash'), texts.completion.bash)
  writeFileSync(join(tree, 'completion/_roost'), texts.completion.zsh)
  writeFileSync(join(tree, 'completion/roost.fish'), texts.completion.fish)
  const file = `${name}.tar.gz`
  const packing = ['-I', values.release ? 'gzip -9n' : 'gzip -1n']
  const owner = ['--owner=0', '--group=0', '--sort=name', `--mtime=@${texts.date.getTime() / 1000}`]
  run('tar', [...packing, ...owner, '-cf', join(dist, file), '-C', dirname(tree), name])
  return file
}

function controlOf(arch: string, tree: string): string {
  const kib = filesIn(tree).reduce((sum, file) => sum + Math.ceil(lstatSync(join(tree, file)).size / 1024), 0)
  return `Package: roost
Version: ${VERSION}
Architecture: ${arch}
Maintainer: ${MAINTAINER}
Installed-Size: ${kib}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6, systemd, init-system-helpers (>= 1.54)
Recommends: modemmanager
Section: comm
Priority: optional
Description: SMS gateway over your own phones
 Runs on a home server or a Raspberry Pi. Phones are paired beside it, and every
 script, monitor and app on the network can send text messages through them:
 by a REST API, by webhooks for alerts, and from the command line.
`
}

function changelogOf(date: Date): string {
  const at = date.toUTCString().replace('GMT', '+0000')
  return `roost (${VERSION}) unstable; urgency=medium

  * This version; CHANGELOG.md of the sources says what changed.

 -- ${MAINTAINER}  ${at}
`
}

/** In the format that Debian requires: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/ */
function copyrightOf(licenses: readonly PartLicense[]): string {
  const indented = (text: string) =>
    text
      .trim()
      .split('\n')
      .map(line => (line.trim() === '' ? ' .' : ` ${line.trimEnd()}`))
      .join('\n')
  const own = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: roost

Files: *
Copyright: The Roost maintainers
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.
`
  const others = licenses.map(({ name, version, license, text }) => {
    const files = `${name}${version === null ? '' : `-${version}`}/*`.replaceAll(' ', '-')
    const short = `${name}: ${license}`.replaceAll(' ', '-')
    const head = `Files: ${files}\nCopyright: as the text of the licence says\nLicense: ${short}`
    return `${head}\n${indented(text)}\n`
  })
  return [own, ...others].join('\n')
}

function sumsOf(tree: string): string {
  const sum = (file: string) =>
    createHash('md5')
      .update(readFileSync(join(tree, file)))
      .digest('hex')
  const files = filesIn(tree).filter(file => !/^(DEBIAN|etc)\//.test(file))
  return files.map(file => `${sum(file)}  ${file}\n`).join('')
}

function filesIn(tree: string): string[] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(tree, join(entry.parentPath, entry.name)))
    .sort()
}

/** Makes a hard link, because the file has more than 100 MB, or a copy if links are not possible. */
function linkOrCopy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** Runs a command and returns its output. `date` makes packages reproducible (SOURCE_DATE_EPOCH). */
function run(command: string, args: readonly string[], date?: Date): string {
  const epoch = date === undefined ? {} : { SOURCE_DATE_EPOCH: `${date.getTime() / 1000}` }
  const result = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, ...epoch },
  })
  if (result.status === 0) return result.stdout
  throw new Error(`${command} ${args.join(' ')} failed: ${result.error?.message ?? result.stderr}`)
}
