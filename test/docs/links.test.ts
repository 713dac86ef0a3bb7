import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'

const top = new URL('../../', import.meta.url)
const DOCUMENTS = [
  'README.md',
  'GUIDE.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
]
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
      const file = path === '' ? document : path
      assert.ok(existsSync(new URL(file, top)), `${target}: no such file`)
      if (anchor !== undefined) assert.ok(anchorsOf(file).has(anchor), `${target}: no such heading`)
    }
  })
