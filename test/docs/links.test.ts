import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { listFiles } from '#scripts/tidy/source.ts'

const top = new URL('../../', import.meta.url)
const FILES = listFiles(fileURLToPath(top))
const ROOMS = FILES.filter(path => /^src\/.*README\.md$/.test(path))
const DOCUMENTS = [
  'README.md',
  'GUIDE.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...ROOMS,
]
/** Those about the code. */
const MAPS = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...ROOMS]
/** Names of files and folders, without those that are made: `dist/…`, `data/…`. */
const NAMES = new Set(FILES.flatMap(path => [path, ...foldersOf(path)]))
const FILE_NAME = /\.(ts|tsx|mjs|cjs|json|jsonl|css|sh|md|toml)$/
const read = (document: string) => readFileSync(new URL(document, top), 'utf8')

/** The name that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function anchorsOf(document: string): Set<string> {
  return new Set([...read(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)))
}

test('the contents of the handbook list its sections and their parts, in their order', () => {
  const guide = read('GUIDE.md')
  const contents = guide.slice(0, guide.indexOf('\n## '))
  const listed = [...contents.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor)
  // A line in a code block may begin with the same signs.
  const headings = guide.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{2,3} (.*)$/gm)
  assert.deepEqual(
    listed,
    Array.from(headings, ([, heading = '']) => anchorOf(heading)),
  )
})

test('the picture of README.md is small', () => {
  const [, picture = ''] = /^!\[.*\]\((.*)\)$/m.exec(read('README.md')) ?? []
  assert.ok(statSync(new URL(picture, top)).size <= 200_000)
})

for (const document of DOCUMENTS)
  test(`every link of ${document} into the repository has a target`, () => {
    for (const [, target = ''] of read(document).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? document : join(dirname(document), path)
      assert.ok(existsSync(new URL(file, top)), `${target}: no such file`)
      if (anchor !== undefined) assert.ok(anchorsOf(file).has(anchor), `${target}: no such heading`)
    }
  })

for (const document of MAPS)
  test(`every path that ${document} names exists`, () => {
    const quoted = read(document)
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/`([^`]+)`/g)
    const words = Array.from(quoted, ([, text = '']) => text.split(' ')).flat()
    assert.deepEqual(
      words.filter(word => isPath(word) && !isThere(word, dirname(document))),
      [],
    )
  })

function foldersOf(path: string): string[] {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

/** Whether a word is the name of a file, or has its first folder at the top, in `src`, or in `test`. */
function isPath(word: string): boolean {
  if (/[<…:]|^(dist|data|[#.@/-])/.test(word)) return false
  return FILE_NAME.test(word) || (/^[a-z-]+\/[\w./*-]+$/.test(word) && isThere(word.split('/')[0] ?? '', '.'))
}

/** A room's document may leave out its own folder, and all may leave out `src`. A name may begin with `*`. */
function isThere(path: string, folder: string): boolean {
  const places = [path, `src/${path}`, join(folder, path), ...(path.startsWith('*') ? [`**/${path}`] : [])]
  return places.some(place => {
    const name = place.replace(/\/$/, '')
    return name.includes('*') ? FILES.some(file => matchesGlob(file, name)) : NAMES.has(name)
  })
}
