/** Every link of the built handbook, and every link into it, leads to a section that exists. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findSections, type Section } from '#console/find-sections.ts'
import { handbookOfProblem, handbookOfRefusal } from '#contracts/handbook.ts'
import { HEALTH_CODES } from '#contracts/health.ts'
import { PROBLEM_CODES } from '#contracts/problem.ts'
import { handbookOfFinding, SECTIONS } from '#domain/doctor/handbook-of-finding.ts'

interface Bundler {
  readonly handbookPages: (assets: object) => readonly { readonly path: string; readonly body: Buffer }[]
  readonly handbookIndex: () => Buffer
}

const { handbookIndex, handbookPages }: Bundler = await import(
  import.meta.resolve('#scripts/bundle-handbook.mjs')
)
const HOME = 'http://gateway/below/'
const made = handbookPages({})
const pages = new Map(made.map(({ path, body }) => [new URL(path, HOME).href, String(body)]))

function assertExists(url: URL, from: string): void {
  const page = pages.get(url.href.replace(/#.*/, ''))
  assert.ok(page !== undefined, `${from}: ${url.href}: no such page`)
  if (url.hash !== '')
    assert.ok(page.includes(` id="${url.hash.slice(1)}"`), `${from}: ${url.href}: no such id`)
}

test('every link of every page of the handbook has a target, also below the path of a proxy', () => {
  assert.ok(pages.size > 40)
  for (const [address, html] of pages)
    for (const [, href = ''] of html.matchAll(/<a\b[^>]* href="([^"]*)"/g)) {
      const url = new URL(href, address)
      if (url.host !== 'gateway' || url.href === HOME) continue
      assertExists(url, address)
    }
})

test('every page names its place in the contents, and no id stands twice', () => {
  for (const [address, html] of pages) {
    if (address !== `${HOME}handbook`) assert.equal(html.match(/aria-current="page"/g)?.length, 1, address)
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, address)
  }
})

test('each problem, refusal and finding of the doctor leads to its section', () => {
  const links = [
    ...HEALTH_CODES.flatMap(code => [handbookOfProblem(code), handbookOfFinding(code)]),
    ...PROBLEM_CODES.map(handbookOfRefusal),
    ...(Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]).map(handbookOfFinding),
  ]
  for (const link of links) assertExists(new URL(link ?? 'none', HOME), 'code')
  assert.equal(handbookOfFinding('DISK_SPEED'), null)
})

test('the index of the search has every section as plain text', () => {
  const rows = JSON.parse(String(handbookIndex())) as Section[]
  assert.deepEqual(
    rows.map(([slug]) => slug),
    made.slice(1).map(({ path }) => path.replace('handbook/', '')),
  )
  const [, , text = ''] = rows.find(([slug]) => slug === 'notifications') ?? []
  assert.match(text, /\{"event": "sms\.delivered"/)
  assert.match(text, /sha256=<hex HMAC-SHA256\(secret, raw body\)>\. The key is/)
  assert.doesNotMatch(text, /<\/|&(?:quot|lt|gt|#39);/)
})

interface PlainWords {
  /** later: written before the pages got other names, but not among the first eighty. */
  readonly who: 'home' | 'dev' | 'admin' | 'later'
  readonly words: string
  /** The pages that are right. */
  readonly pages: readonly string[]
}

test('of the words that new readers type, at least nine in ten lead to the right page first', t => {
  const sections = JSON.parse(String(handbookIndex())) as Section[]
  const asked: PlainWords[] = JSON.parse(readFileSync(new URL('plain-words.json', import.meta.url), 'utf8'))
  const slugs = new Set(sections.map(([slug]) => slug))
  for (const { words, pages: right } of asked)
    for (const slug of right) assert.ok(slugs.has(slug), `${words}: ${slug}: no such page`)
  const wrong = asked.flatMap(({ words, pages: right }) => {
    const found = findSections(sections, words).map(({ slug }) => slug)
    assert.notEqual(found.length, 0, `${words} finds nothing`)
    return right.includes(found[0] ?? '') ? [] : [`${words}: ${found.slice(0, 3).join(', ')}`]
  })
  t.diagnostic(`${asked.length - wrong.length} of ${asked.length}`)
  assert.ok(wrong.length <= asked.length / 10, wrong.join('\n'))
})
