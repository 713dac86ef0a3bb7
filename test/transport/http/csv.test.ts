import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cell, csvAnswer } from '#transport/http/csv.ts'

/** The cells of one row as the table writes them. */
async function written(...row: Cell[]): Promise<string> {
  async function* pages() {
    yield [row]
  }
  const answer = await csvAnswer('x.csv', ['a'], pages())
  assert.ok('raw' in answer)
  assert.ok(String(answer.raw).startsWith('\ufeffa\r\n'))
  return String(answer.raw).slice('\ufeffa\r\n'.length, -2)
}

test('cells are separated by commas, and quoted where they must be', async () => {
  assert.equal(await written('a', 1, null, true, 'b,c', 'say "hi"'), 'a,1,,true,"b,c","say ""hi"""')
})

test('a cell that begins like a formula is a text, but a phone number stays', async () => {
  for (const formula of ['=1+1', '+1+1', '-1+1', '@SUM(A1)', ' =1', '＝1', '\t=1'])
    assert.match(await written(formula), /^"?'/, formula)
  assert.equal(await written('+14155550123'), '+14155550123')
  assert.equal(await written(-5), '-5')
})

test('a formula is a text also where another program splits lines at semicolons', async () => {
  for (const [text, wanted] of [
    ['x;=1+1;', `"x;'=1+1;"`],
    ['x; @SUM(A1)', `"x; '@SUM(A1)"`],
    ['x;"=1+1"', `"x;""'=1+1"""`],
    ['x;--1+1', `"x;'--1+1"`],
    ['x\n+cmd|y', `"x\n'+cmd|y"`],
    ['x\t= 1', `x\t'= 1`],
    ['x;＋1', `"x;'＋1"`],
  ] as const)
    assert.equal(await written(text), wanted)
  assert.equal(await written('fine ;-) a=b; c - d'), '"fine ;-) a=b; c - d"')
})
