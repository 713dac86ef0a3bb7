/** Rules about the tree: which files are at the top, how files are named, and how long they are. */
import { type Finding, lineAt, type Source } from '#scripts/tidy/source.ts'

const FILE_LINES_MAX = 300
const ENTRY_LINES_MAX = 39
const COLUMNS_MAX = 110
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
  return [...checkTop(paths), ...paths.flatMap(path => checkName(path)), ...checkMigrations(paths)]
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

/** Every `src/…/` that ARCHITECTURE.md names exists, and every floor that exists is named there. */
export function checkArchitecture(text: string, paths: readonly string[]): Finding[] {
  const rule = 'architecture'
  const path = 'ARCHITECTURE.md'
  const gone = [...text.matchAll(/\bsrc\/[a-z0-9/-]+\//g)]
    .filter(([folder]) => !paths.some(one => one.startsWith(folder)))
    .map(({ 0: folder, index }) => {
      return { path, line: lineAt(text, index), rule, message: `${folder} does not exist: correct the name` }
    })
  const floors = new Set(paths.flatMap(one => /^src\/([^/]+)\//.exec(one)?.[1] ?? []))
  const unnamed = [...floors]
    .filter(floor => !new RegExp(`\`${floor}\`|\\b${floor}/`).test(text))
    .map(floor => ({ path, line: 1, rule, message: `say what src/${floor}/ is for` }))
  return [...gone, ...unnamed, ...checkRooms(text, paths)]
}

/** Every `floor/…` in backquotes exists below `src/`, and every room (`floor/folder`) is named. */
function checkRooms(text: string, paths: readonly string[]): Finding[] {
  const atArchitecture = { path: 'ARCHITECTURE.md', rule: 'architecture' }
  const folders = paths.flatMap(one => /^src\/([^/]+\/[^/]+)\//.exec(one)?.[1] ?? [])
  const floors = new Set(paths.flatMap(one => /^src\/([^/]+)\//.exec(one)?.[1] ?? []))
  const gone = [...text.matchAll(/`([a-z-]+)(\/[a-z0-9./-]+)`/g)]
    .filter(([, floor = '', rest = '']) => {
      const target = `src/${floor}${rest}`.replace(/\/$/, '')
      return floors.has(floor) && !paths.some(one => one === target || one.startsWith(`${target}/`))
    })
    .map(({ 0: name, index }) => ({
      ...atArchitecture,
      line: lineAt(text, index),
      message: `${name} does not exist: correct the name`,
    }))
  const unnamed = [...new Set(folders)]
    .filter(room => !text.includes(`\`${room}`))
    .map(room => ({ ...atArchitecture, line: 1, message: `say what src/${room}/ is for` }))
  return [...gone, ...unnamed]
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
