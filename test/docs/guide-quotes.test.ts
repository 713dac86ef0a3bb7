/** What GUIDE.md quotes exists: commands, options, events, paths with their fields, pages and sentences. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { AGENT_FLAGS } from '#agent/flags.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import { makeManual } from '#scripts/make-manual.ts'
import { declaredRoutes } from '#test/kit/routes.ts'
import { LooseNames } from '#transport/http/field-names.ts'
import type { Route } from '#transport/http/route.ts'

const GUIDE = readFileSync('GUIDE.md', 'utf8')
const FENCED = /^ *```\w*\n([\s\S]*?)^ *```$/gm
const blocks = Array.from(GUIDE.matchAll(FENCED), ([, block = '']) => block)
/** A call and its body are two spans in the cells of a table. */
const prose = GUIDE.replaceAll(FENCED, '').replaceAll(/\s+/g, ' ').replaceAll('` `{', ' {')
const spans = Array.from(prose.matchAll(/`([^`]+)`/g), ([, span = '']) => span)
const source = globSync('src/**/*.ts').map(file => readFileSync(file, 'utf8'))
const written = (words: string) => source.some(text => text.includes(words))
const sentences: object = JSON.parse(readFileSync('src/contracts/languages/de.json', 'utf8'))

const section = (heading: string) => GUIDE.split(`\n${heading}\n`)[1]?.split(/\n##+ /)[0] ?? ''

test('every command of the handbook exists, with its options', () => {
  const [before = '', ...sections] = makeManual('2026-01-31').replaceAll('\\-', '-').split('.SS "roost ')
  const commands = sections.map(text => ({ name: text.replace(/(?: [<[].*)?"\n[\s\S]*/, ''), text }))
  const lines = [...spans, ...blocks.flatMap(block => block.replaceAll('\\\n', ' ').split('\n'))]
  const calls = lines.flatMap(line => [...line.matchAll(/(?:^|[( ])roost ([a-z][^|;&)]*)/g)])
  assert.ok(calls.length > 80)
  for (const [, call = ''] of calls) {
    const called = commands.filter(({ name }) => `${call} `.startsWith(`${name} `))
    // `opt-out` alone names its commands.
    assert.ok(called.length > 0 || commands.some(({ name }) => name.startsWith(`${call} `)), call)
    const known = [before, ...called.map(({ text }) => text)].join('')
    for (const [option, name = ''] of call.matchAll(/--([a-z][\w-]*)/g))
      assert.ok(known.includes(option) || Object.hasOwn(AGENT_FLAGS, name), `roost ${call}`)
  }
})

/** Names with a dot that are files, fields and what other programs have. */
const FOREIGN = /\.(?:conf|ya?ml|payload|sms|roost|send_message|reason|code|issues|create|_tcp)$/

test('every event and every key of the configuration that the handbook names exists', () => {
  const names = spans.filter(span => /^[a-z_]+\.[a-z_]+$/.test(span) && !FOREIGN.test(span))
  assert.ok(names.length > 60)
  for (const name of names) {
    const [table = '', key = ''] = name.split('.')
    const settings: object = Object(CONFIG_DEFAULTS[table as keyof typeof CONFIG_DEFAULTS])
    assert.ok(Object.hasOwn(settings, key) || written(`'${name}'`), name)
  }
  for (const [, table = ''] of spans.join('\n').matchAll(/^\[(\w+)\]/gm))
    assert.ok(Object.hasOwn(CONFIG_DEFAULTS, table), table)
  const told = section('## Notifications')
  for (const event of NOTIFICATION_EVENTS) assert.ok(told.includes(`\`${event}\``), event)
})

test('every call that the handbook names exists, with the fields of its body', async () => {
  const shapeOf = (path: string) => path.replace(/^\/api\/v1/, '').replaceAll(/\{\w+\}|\?.*$/g, '{}')
  const known = new Map<string, Route>(
    (await declaredRoutes()).map(route => [`${route.method} ${shapeOf(route.path)}`, route] as const),
  )
  const calls = spans.flatMap(span => [
    ...span.matchAll(/^((?:GET|POST|PUT|PATCH|DELETE)) (\/[^\s?]*)[^{]*?(?:\{([^"]*)\})?$/g),
  ])
  assert.ok(calls.length > 60)
  for (const [call, method = '', path = '', fields = ''] of calls) {
    if (path.startsWith('/3rdparty/')) continue
    const route = known.get(`${method.toLowerCase()} ${shapeOf(path)}`)
    assert.ok(route, `${call}: no such path`)
    const request = route.operation?.request
    for (const name of fields.split(/, | or /).filter(Boolean))
      assert.ok(request && new LooseNames(request, {}).has(name.replace('?', '')), `${call}: ${name}`)
  }
})

test('the handbook lists the pages of the menu, and names only pages and signs that the console has', () => {
  const menu = readFileSync('src/console/parts/navigation.tsx', 'utf8')
  const entries = Array.from(menu.matchAll(/\['[\w-]*', t\('([^']+)'\), '/g), ([, word]) => word)
  const listed = Array.from(section('## The console').matchAll(/^\* \*\*([^*]+)\*\*/gm), ([, word]) => word)
  assert.deepEqual(listed.sort(), [...entries, 'Handbook'].filter(word => word !== 'More').sort())
  const named = [...section('## The console'), ...section('### Teach Roost your sender')].join('')
  const signs = [
    ...named.replaceAll(/\*\*[^*]+\*\*/g, '').matchAll(/\*([A-Z][^*\n]+)\*/g),
    ...prose.matchAll(/\bpages? \*([^*]+)\*/g),
  ]
  assert.ok(signs.length > 12)
  for (const [, sign = ''] of signs) assert.ok(Object.hasOwn(sentences, sign), sign)
})

test('every sentence that the handbook quotes as one of Roost is in the program', () => {
  const reasons = section('### A phone with SMSGate').matchAll(/^\| ((?!reason|---).*?) \| /gm)
  const parts = Array.from(reasons, ([, cell = '']) => cell.split(/, or | or |, /)).flat()
  const quoted = Array.from(prose.matchAll(/\| "([^"]+)" \|/g), ([, words = '']) => words)
  const ofAndroid = 'CLEARTEXT communication not permitted'
  const all = [...parts, ...quoted.filter(words => words !== ofAndroid)]
  assert.ok(all.length > 8)
  for (const words of all) {
    // The version that is too old, and the phone that is meant, are filled in.
    const fixed = words.replace(/^(?:[\d.]+|the phone) /, '').replaceAll("'", '’')
    assert.ok(written(fixed) || written(fixed.replaceAll('’', "'")), words)
  }
})
