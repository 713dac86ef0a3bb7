import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PROBLEM_CODES } from '#contracts/problem.ts'
import { FAILURES } from '#domain/message/message.ts'
import { HTTP_STATUS } from '#transport/http/problem-response.ts'

const GUIDE = readFileSync(new URL('../../GUIDE.md', import.meta.url), 'utf8')

function section(title: string): string {
  const after = GUIDE.split(`### ${title}\n`)[1] ?? ''
  return after.split(/\n##+ /)[0] ?? ''
}

test('the table of refusals has every code with its status, and no other', () => {
  const rows = [...section('Refusals').matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \|/gm)]
  const wanted = PROBLEM_CODES.map(code => `${HTTP_STATUS[code]} ${code}`)
  assert.deepEqual(rows.map(([, status, code]) => `${status} ${code}`).sort(), wanted.sort())
})

test('the table of failures has every code that the gateway itself sets', () => {
  const codes = [...section('Statuses').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code)
  assert.deepEqual(codes.sort(), Object.keys(FAILURES).sort())
})
