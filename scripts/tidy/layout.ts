/** Rules about the tree: which files are at the top, how files are named, and how long they are. */
import type { Finding, Source } from '#scripts/tidy/source.ts'

const FILE_LINES_MAX = 300
const ENTRY_LINES_MAX = 39
const COLUMNS_MAX = 110
/** What a stranger reads before the first change. */
const MAP_WORDS_MAX = 4_000
const ROOM_LINES_MAX = 1_000
const FOLDERS = ['src', 'bench', 'scripts', 'test']
const FILES = ['package.json', 'tsconfig.json', 'build.mjs', 'config.example.toml']
/** Files at the top by the convention of open-source projects. */
const CONVENTION = [
  'README.md',
  'GUIDE.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
  'package-lock.json',
  'biome.json',
]
/** Engines look for it at the top. A tree without it is complete, too. */
const IMAGE = 'Containerfile'
const BANNED_WORDS = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'impl'])
const MIGRATIONS = 'src/storage/migrations/'

export function checkLayout(paths: readonly string[]): Finding[] {
  const named = paths.filter(path => !path.endsWith('/README.md'))
  return [...checkTop(paths), ...named.flatMap(path => checkName(path)), ...checkMigrations(named)]
}

export function checkSizes(sources: readonly Source[]): Finding[] {
  return sources.flatMap(({ path, text }) => {
    const findings: Finding[] = []
    const lines = text.replace(/\n$/, '').split('\n')
    const max = path.endsWith('.entry.ts') ? ENTRY_LINES_MAX : FILE_LINES_MAX
    if (lines.length > max) {
      const message = `${lines.length} lines; at most ${max}: split it where it changes its subject`
      findings.push({ path, line: max + 1, rule: 'file-length', message })
    }
    lines.forEach((line, index) => {
      if (line.length <= COLUMNS_MAX) return
      const message = `${line.length} columns; at most ${COLUMNS_MAX}`
      findings.push({ path, line: index + 1, rule: 'line-length', message })
    })
    return findings
  })
}

/** ARCHITECTURE.md names every floor and every room (`floor/folder`), and can be read in one sitting. */
export function checkArchitecture(text: string, paths: readonly string[]): Finding[] {
  const folders = new Set(paths.flatMap(path => [folderOf(path, 1), folderOf(path, 2)]))
  const unnamed = [...folders].filter(folder => folder !== null && !text.includes(`\`${folder.slice(4)}`))
  const words = text.split(/\s+/).length
  return [
    ...unnamed.map(folder => `say what ${folder}/ is for`),
    ...(words > MAP_WORDS_MAX
      ? [`${words} words; at most ${MAP_WORDS_MAX}: move what one room decides into it`]
      : []),
  ].map(message => ({ path: 'ARCHITECTURE.md', line: 1, rule: 'architecture', message }))
}

/** A large room has a README.md, so that a stranger can change it without having read all of it. */
export function checkRooms(sources: readonly Source[], paths: readonly string[]): Finding[] {
  const lines = new Map<string, number>()
  for (const { path, text } of sources) {
    const room = folderOf(path, 2) ?? folderOf(path, 1)
    if (room !== null) lines.set(room, (lines.get(room) ?? 0) + text.split('\n').length - 1)
  }
  return [...lines]
    .filter(([room, count]) => count > ROOM_LINES_MAX && !paths.includes(`${room}/README.md`))
    .map(([room, count]) => {
      const message = `${count} lines: say what comes in, what goes out, who may call, what is never done`
      return { path: `${room}/README.md`, line: 1, rule: 'room', message }
    })
}

/** The folder of a file at this depth below `src`; null: there is none. */
function folderOf(path: string, depth: number): string | null {
  const parts = path.split('/').slice(0, -1)
  return parts[0] === 'src' && parts.length > depth ? parts.slice(0, depth + 1).join('/') : null
}

function checkTop(paths: readonly string[]): Finding[] {
  const allowed = new Set([...FOLDERS, ...FILES, ...CONVENTION])
  const present = new Set(paths.map(path => path.split('/')[0] ?? path))
  const finding = (path: string, message: string) => ({ path, line: 1, rule: 'top-level', message })
  return [
    ...[...present]
      .filter(name => !allowed.has(name) && name !== IMAGE && !name.startsWith('.'))
      .map(name => finding(name, 'the top level is fixed: put it under src, bench, scripts or test')),
    ...[...allowed].filter(name => !present.has(name)).map(name => finding(name, 'is missing: write it')),
  ]
}

function checkName(path: string): Finding[] {
  if (!FOLDERS.includes(path.split('/')[0] ?? '') || !path.includes('/')) return []
  const finding = (message: string) => [{ path, line: 1, rule: 'name', message }]
  const word = path.split(/[/.-]/).find(one => BANNED_WORDS.has(one.toLowerCase()))
  if (word !== undefined)
    return finding(`'${word}' says nothing about the file: name what the file knows or does`)
  const kebab = path.split('/').every(one => /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/.test(one))
  return kebab ? [] : finding('write names in kebab-case')
}

/** Migrations run in the order of their numbers, so each number exists exactly once. */
function checkMigrations(paths: readonly string[]): Finding[] {
  const names = paths.filter(path => path.startsWith(MIGRATIONS)).map(path => path.slice(MIGRATIONS.length))
  return names.flatMap((name, index) => {
    const number = /^(\d{3})-[a-z0-9]+(-[a-z0-9]+)*\.ts$/.exec(name)?.[1]
    if (Number(number) === index + 1) return []
    const message = `call it ${String(index + 1).padStart(3, '0')}-what-it-does.ts: no number is left out`
    return [{ path: `${MIGRATIONS}${name}`, line: 1, rule: 'migration', message }]
  })
}
