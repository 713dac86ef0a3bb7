import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredRoutes } from '#test/kit/routes.ts'
import { describeApi } from '#transport/http/openapi/describe-api.ts'

type Part = Readonly<Record<string, unknown>>

const document = describeApi(await declaredRoutes(), { version: '0.0.0', url: 'http://roost.test' })
/** A shorter text cannot be a description. */
const LENGTH_MIN = 8

function partAt(pointer: string): Part {
  const keys = pointer.slice(2).split('/')
  return keys.reduce<unknown>((part, key) => (part as Part)[key], document) as Part
}

function resolved(part: Part): Part {
  return typeof part['$ref'] === 'string' ? partAt(part['$ref']) : part
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
)

/** The names of all that fail, so that one run reports all of them. */
function failing<T>(all: readonly T[], name: (one: T) => string, holds: (one: T) => boolean): string[] {
  return all.filter(one => !holds(one)).map(name)
}

const isText = (text: unknown) => typeof text === 'string' && text.length >= LENGTH_MIN
const hasExample = (content: unknown) =>
  Object.values(content as Record<string, Part>).every(one => 'example' in one || 'examples' in one)

test('every operation has a summary and a description that say different things', () => {
  const holds = ({ operation: { summary, description } }: (typeof operations)[number]) =>
    isText(summary) && isText(description) && summary !== description
  assert.deepEqual(
    failing(operations, ({ name }) => name, holds),
    [],
  )
})

test('every request and every success has an example', () => {
  const bodies = operations.flatMap(({ name, operation }) => {
    const request = operation['requestBody'] as Part | undefined
    const success = (operation['responses'] as Record<string, Part>)['200'] as Part
    return [
      { name: `${name} 200`, content: success['content'] },
      ...(request === undefined ? [] : [{ name: `${name} request`, content: request['content'] }]),
    ]
  })
  assert.deepEqual(
    failing(
      bodies,
      ({ name }) => name,
      ({ content }) => hasExample(content),
    ),
    [],
  )
})

test('every status that an operation can answer has an example of its refusal', () => {
  const refusals = operations.flatMap(({ name, operation }) =>
    Object.entries(operation['responses'] as Record<string, Part>)
      .filter(([status]) => status !== '200')
      .map(([status, response]) => ({ name: `${name} ${status}`, response: resolved(response) })),
  )
  assert.ok(refusals.length > 150)
  const holds = ({ response }: (typeof refusals)[number]) =>
    isText(response['description']) && hasExample(response['content'])
  assert.deepEqual(
    failing(refusals, ({ name }) => name, holds),
    [],
  )
})

test('every parameter has a description, and an example unless it lists its values', () => {
  const parameters = operations.flatMap(({ name, operation }) =>
    ((operation['parameters'] ?? []) as Part[]).map(one => ({ name: `${name} ${one['name']}`, one })),
  )
  assert.ok(parameters.length > 20)
  const holds = ({ one }: (typeof parameters)[number]) =>
    isText(one['description']) && ('example' in one || 'enum' in (one['schema'] as Part))
  assert.deepEqual(
    failing(parameters, ({ name }) => name, holds),
    [],
  )
})

/** Every property of every schema, with its path. */
function* propertiesOf(part: unknown, way: string): Generator<{ way: string; property: Part }> {
  if (typeof part !== 'object' || part === null) return
  const { properties, ...rest } = part as Part
  for (const [name, property] of Object.entries((properties ?? {}) as Record<string, Part>)) {
    yield { way: `${way}.${name}`, property }
    yield* propertiesOf(property, `${way}.${name}`)
  }
  for (const value of Object.values(rest)) yield* propertiesOf(value, way)
}

test('every property of every schema has a description', () => {
  const schemas = Object.entries(document.components['schemas'] ?? {})
  const properties = schemas.flatMap(([name, schema]) => [...propertiesOf(schema, name)])
  assert.ok(properties.length > 100)
  const holds = ({ property }: (typeof properties)[number]) =>
    'description' in property || ('$ref' in property && isText(resolved(property)['description']))
  assert.deepEqual(
    failing(properties, ({ way }) => way, holds),
    [],
  )
})
