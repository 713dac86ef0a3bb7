import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onceFor } from '#console/send-once.ts'

test('a form sends one text for the same fields, and another one after a change or a success', async () => {
  const posted: string[] = []
  const outcomes = ['AWAY', 'RATE_LIMIT_EXCEEDED', 'NO_DEVICE_AVAILABLE', '', '', 'AWAY', '']
  let keys = 0
  const send = onceFor(
    async (json, key) => {
      posted.push(`${key} ${JSON.stringify(json)}`)
      const code = outcomes.shift()
      if (code !== '') throw Object.assign(new Error(), { code })
    },
    () => `k${++keys}`,
  )
  const press = (text: string, waits: boolean) => send([text], { text, waits }).catch(() => {})
  await press('a', false)
  await press('a', true)
  await press('a', true)
  await press('a', true)
  await press('a', true)
  await press('b', false)
  await press('c', false)
  assert.deepEqual(posted, [
    'k1 {"text":"a","waits":false}',
    'k1 {"text":"a","waits":false}',
    'k1 {"text":"a","waits":false}',
    'k1 {"text":"a","waits":true}',
    'k2 {"text":"a","waits":true}',
    'k3 {"text":"b","waits":false}',
    'k4 {"text":"c","waits":false}',
  ])
})
