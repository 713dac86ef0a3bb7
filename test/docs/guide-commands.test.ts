import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { makeManual } from '#scripts/make-manual.ts'

/** All commands with their subcommands, such as `device list`. */
function commandsOfTheProgram(): string[] {
  const headings = makeManual('2026-01-31').matchAll(/^\.SS "roost ([^"<[]+?)(?: [<[].*)?"$/gm)
  return [...headings].map(([, words = '']) => words.replaceAll('\\-', '-'))
}

/** In the first column of the table, `device pair`, `list` stands for `device pair` and `device list`. */
function commandsOfTheGuide(): string[] {
  const guide = readFileSync('GUIDE.md', 'utf8')
  const [, section = ''] = /\n## The command line\n([\s\S]*?)\n## /.exec(guide) ?? []
  const columns = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, first = '']) => first)
  return columns.slice(1).flatMap(column => {
    const spans = [...column.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
    const noun = spans[0]?.replace(/[^ ]+$/, '') ?? ''
    return spans.map((span, place) => (place === 0 ? span : `${noun}${span}`))
  })
}

test('the handbook lists every command, and no other', () => {
  assert.deepEqual(commandsOfTheGuide().sort(), commandsOfTheProgram().sort())
})

test('the console has every button that the first steps of README.md name', () => {
  const [, steps = ''] =
    /\n## A first text [^\n]*\n([\s\S]*?)\n## /.exec(readFileSync('README.md', 'utf8')) ?? []
  const buttons = [...steps.matchAll(/\*([^*]+)\*/g)].map(([, words = '']) => words)
  assert.equal(buttons.length, 3)
  const console = globSync('src/console/**/*.tsx').map(file => readFileSync(file, 'utf8'))
  for (const words of buttons)
    assert.ok(
      console.some(text => text.includes(words)),
      words,
    )
})
