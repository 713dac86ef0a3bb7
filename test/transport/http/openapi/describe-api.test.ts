import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import { PAGE_SIZE_MAX } from '#contracts/bounds.ts'
import { noted } from '#contracts/noted.ts'
import { Instant } from '#contracts/primitives.ts'
import { PROBLEM_CODES } from '#contracts/problem.ts'
import { declaredRoutes } from '#test/kit/routes.ts'
import { describeApi } from '#transport/http/openapi/describe-api.ts'
import { HTTP_STATUS } from '#transport/http/problem-response.ts'
import type { Route } from '#transport/http/route.ts'

const about = { version: '0.0.0', url: 'http://roost.test' }
const routes = await declaredRoutes()
const document = describeApi(routes, about)

type Part = Readonly<Record<string, unknown>>

const operations = Object.values(document.paths).flatMap(methods => Object.values(methods))

/** Every object of the document, with its path of keys. */
function* partsOf(
  part: unknown,
  path: readonly string[] = [],
): Generator<{ part: Part; path: readonly string[] }> {
  if (typeof part !== 'object' || part === null) return
  yield { part: part as Part, path }
  for (const [key, value] of Object.entries(part)) yield* partsOf(value, [...path, key])
}

function at(pointer: string): unknown {
  const keys = pointer.slice(2).split('/')
  return keys.reduce<unknown>((part, key) => (part as Part | undefined)?.[key], document)
}

test('a validator of OpenAPI finds nothing wrong with the document', async () => {
  const result = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  )
  assert.deepEqual(result.errors ?? [], [])
  assert.equal(result.valid, true)
})

test('every route under /api/v1 is in the document, but for those of the console', () => {
  const api = routes.filter(({ path }) => path.startsWith('/api/v1/'))
  assert.ok(api.length >= 10)
  for (const { method, path, operation, access } of api) {
    assert.ok(operation !== undefined, `${method} ${path} has no operation`)
    const wanted = access === 'session' ? undefined : operation.summary
    assert.equal(document.paths[path]?.[method]?.['summary'], wanted)
  }
})

test('every operation has its own id', () => {
  const ids = operations.map(({ operationId }) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(
    ids.filter(id => !/^[a-z]+(?:[A-Z][a-z]+)*$/.test(String(id))),
    [],
  )
})

test('every tag is described and has operations, and each operation has one of them', () => {
  const used = operations.map(({ tags }) => String(tags))
  assert.deepEqual(document.tags.map(({ name }) => name).sort(), [...new Set(used)].sort())
  for (const { name, description } of document.tags) assert.ok(description.length > 10, name)
})

/** Finds regular expressions that other languages may not support: `\\p{…}`, `\\u`, `\\0`, lookaround. */
const FOREIGN = /\\[^dswDSW.+*?^$|(){}[\]/-]|\(\?(?!:)/

test('the document has nothing that breaks code generators', () => {
  for (const { part, path } of partsOf(document)) {
    const where = path.join('.')
    if (path.at(-1) === 'examples' || path.includes('example')) continue
    assert.ok(!('allOf' in part), `${where} has allOf`)
    if (typeof part['pattern'] === 'string') assert.doesNotMatch(part['pattern'], FOREIGN, where)
    if (path.at(-2) === 'properties') assert.ok(!('default' in part), `${where} has a default`)
    // Clients write the names of credentials and parameters in headers, cookies and queries.
    if (typeof part['in'] === 'string') assert.match(String(part['name'] ?? ''), /^[!-~]*$/, where)
  }
  const { parameters } = (document.paths['/api/v1/sms']?.['get'] ?? {}) as { parameters: readonly Part[] }
  const limit = parameters.find(({ name }) => name === 'limit')?.['schema']
  assert.deepEqual(limit, { type: 'integer', minimum: 1, maximum: PAGE_SIZE_MAX })
})

test('every reference has a target', () => {
  let count = 0
  for (const { part, path } of partsOf(document)) {
    if (typeof part['$ref'] !== 'string') continue
    count++
    assert.ok(at(part['$ref']) !== undefined, `${path.join('.')} refers to ${part['$ref']}`)
  }
  assert.ok(count > 100)
})

test('no schema is empty', () => {
  const empty = [...partsOf(document)]
    .filter(
      ({ part, path }) =>
        Object.keys(part).length === 0 && !['properties', 'default'].includes(path.at(-1) ?? ''),
    )
    .filter(({ path }) => !path.includes('security') && !path.includes('example'))
  assert.deepEqual(
    empty.map(({ path }) => path.join('.')),
    [],
  )
})

test('every refusal can be reached from an operation, with its status and an example', () => {
  const reachable = new Set<string>()
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations))
      for (const [status, response] of Object.entries(operation['responses'] as Record<string, Part>)) {
        if (response['$ref'] === undefined) continue
        const { content } = at(String(response['$ref'])) as { readonly content: Record<string, Part> }
        const examples = content['application/json']?.['examples'] as Record<string, unknown>
        for (const code of Object.keys(examples)) reachable.add(`${status} ${code}`)
      }
  for (const code of PROBLEM_CODES) {
    const status = code === 'METHOD_NOT_ALLOWED' ? 'default' : HTTP_STATUS[code]
    assert.ok(reachable.has(`${status} ${code}`), `${code} is in no answer with ${status}`)
  }
})

test('every example is valid for its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(document, 'api')
  let count = 0
  for (const { part, path } of partsOf(document)) {
    const values = 'example' in part ? [part['example']] : Object.values((part['examples'] ?? {}) as Part)
    if (part['schema'] === undefined || values.length === 0) continue
    const keys = [...path, 'schema'].map(key =>
      encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')),
    )
    const validate = ajv.compile({ $ref: `api#/${keys.join('/')}` })
    for (const given of values) {
      const value = 'example' in part ? given : (given as Part)['value']
      count++
      assert.ok(validate(value), `${path.join('.')}: ${ajv.errorsText(validate.errors)}`)
    }
  }
  assert.ok(count > 25)
})

test('the document is the same text each time', async () => {
  assert.equal(JSON.stringify(describeApi(await declaredRoutes(), about)), JSON.stringify(document))
})

test('a new route is described by its own schemas', () => {
  const route: Route = {
    method: 'put',
    path: '/api/v1/nests/{nestId}',
    access: 'account',
    role: 'owner',
    body: 'json',
    operation: {
      id: 'buildNest',
      tag: 'gateway',
      summary: 'Build a nest',
      description: 'Puts twigs together.',
      request: v.object({ twigs: v.pipe(v.string(), v.trim(), v.regex(/^a/), v.regex(/b$/), v.regex(/c/i)) }),
      response: v.array(v.object({ at: v.nullable(v.number()) })),
      query: v.object({ cursor: v.optional(v.string()), kind: v.picklist(['round', 'flat']) }),
      problems: [409],
      example: { data: [] },
    },
    handle: () => ({ data: [] }),
  }
  const { paths, components } = describeApi([route], about)
  const { parameters, responses, security, operationId } = (paths['/api/v1/nests/{nestId}']?.['put'] ??
    {}) as {
    readonly parameters: readonly Part[]
    readonly responses: Part
    readonly security: unknown
    readonly operationId: string
  }
  assert.equal(operationId, 'buildNest')
  assert.deepEqual(security, [{ bearer: [] }, { cookie: [], half: [] }])
  assert.deepEqual(
    parameters.map(({ name, in: place, required }) => [name, place, required ?? false]),
    [
      ['nestId', 'path', true],
      ['cursor', 'query', false],
      ['kind', 'query', true],
    ],
  )
  assert.deepEqual(Object.keys(responses), [
    '200',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '429',
    '500',
    '503',
    'default',
  ])
  assert.deepEqual(components['schemas']?.['BuildNestRequest'], {
    type: 'object',
    properties: { twigs: { type: 'string', pattern: '^a' } },
    required: ['twigs'],
  })
  assert.ok('BuildNestAnswer' in (components['schemas'] ?? {}))
  assert.ok('Page' in (components['schemas'] ?? {}))
})

test('fields with one name have their own notes, and a noted component stays a reference', () => {
  const own = { sentAt: noted(Instant, 'When it left.'), size: noted(v.number(), 'Twigs.') }
  const other = { sentAt: noted(v.nullable(Instant), 'When it came.'), size: v.nullish(own.size, 5) }
  const route: Route = {
    method: 'post',
    path: '/api/v1/nests',
    access: 'key',
    role: 'owner',
    body: 'json',
    operation: {
      id: 'moveNest',
      tag: 'gateway',
      summary: 'Move a nest',
      description: 'Carries it away.',
      request: v.object(own),
      response: v.object(other),
      problems: [],
      example: { data: {} },
    },
    handle: () => ({ data: {} }),
  }
  const { MoveNestRequest, MoveNestAnswer } = (describeApi([route], about).components['schemas'] ??
    {}) as Record<string, { readonly properties: unknown }>
  const reference = { $ref: '#/components/schemas/Instant' }
  assert.deepEqual(MoveNestRequest?.properties, {
    sentAt: { description: 'When it left.', ...reference },
    size: { type: 'number', description: 'Twigs.' },
  })
  assert.deepEqual(MoveNestAnswer?.properties, {
    sentAt: { anyOf: [reference, { type: 'null' }], description: 'When it came.' },
    size: { anyOf: [{ type: 'number' }, { type: 'null' }], description: 'Twigs. Default: 5.' },
  })
})
