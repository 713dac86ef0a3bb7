import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { bundled } from '#test/kit/bundle.ts'
import { declaredRoutes } from '#test/kit/routes.ts'
import { describeApi } from '#transport/http/openapi/describe-api.ts'

const folder = dirname(bundled('main'))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

test('the notes of fields are not in what phones and browsers download', async () => {
  const { components } = describeApi(await declaredRoutes(), { version: '0.0.0', url: 'http://roost.test' })
  const schemas = JSON.stringify(components['schemas'])
  // Shorter notes, and notes with other signs, may be written elsewhere for another reason.
  const notes = [
    ...new Set([...schemas.matchAll(/"description":"([\w ,.:;]{25,})"/g)].map(([, note]) => note)),
  ]
  const files = JSON.parse(read('console.json')) as { readonly path: string; readonly plain: string }[]
  const scripts = files.filter(({ path }) => path.endsWith('.js'))
  const downloads = [
    read('agent.mjs'),
    ...scripts.map(({ plain }) => Buffer.from(plain, 'base64').toString()),
  ]
  assert.ok(notes.length > 80 && scripts.length > 0)
  for (const text of downloads)
    assert.deepEqual(
      notes.filter(note => text.includes(note as string)),
      [],
    )
})
