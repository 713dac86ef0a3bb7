import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'smol-toml'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'

const file = new URL('../../config.example.toml', import.meta.url)

test('config.example.toml names every key with exactly its default', () => {
  const example: unknown = JSON.parse(JSON.stringify(parse(readFileSync(file, 'utf8'))))
  assert.deepEqual(example, CONFIG_DEFAULTS)
})

test('every key of config.example.toml is explained above it, or stands in a plan like the first one', () => {
  const lines = readFileSync(file, 'utf8').split('\n')
  const bare = lines.filter((line, index) => {
    const above = lines[index - 1] ?? ''
    return /^[a-z_]+ = /.test(line) && (above === '' || above.startsWith('['))
  })
  assert.deepEqual(bare, ['sms_per_day = 10', 'sms_per_day = 1000', 'sms_per_day = -1'])
})
