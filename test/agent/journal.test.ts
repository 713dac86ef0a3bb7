import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { AGENT_FINISHED_MAX, AGENT_JOURNAL_BYTES_MAX, Journal } from '#agent/journal.ts'
import type { Change, Entry } from '#agent/journal-record.ts'
import { messageIdOf, offerOf } from '#test/kit/fake-gateway.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const at = '2026-01-31T12:00:00.000Z'

function entryOf(n: number, message = 'text'): Entry {
  const { type: _, ...order } = offerOf(n, { message })
  return {
    ...order,
    acceptedAt: at,
    state: 'accepted',
    code: null,
    detail: null,
    at,
    mark: null,
    done: false,
  }
}

function changeTo(state: Change['state']): Change {
  return { state, code: null, detail: null, at, mark: null, done: state === 'delivered' }
}

test('written messages are still there after a restart', t => {
  const file = join(temporaryDirectory(t), 'journal')
  const journal = Journal.open(file)
  journal.accept(entryOf(1))
  journal.accept(entryOf(2))
  journal.accept(entryOf(3))
  journal.change(messageIdOf(1), changeTo('submitting'))
  journal.forget(messageIdOf(2))
  journal.finish(journal.change(messageIdOf(3), changeTo('delivered')))
  journal.receive([{ id: 'a', from: '+15550100', message: 'in', at, simSlot: null }], '9')
  journal.close()
  const again = Journal.open(file)
  assert.deepEqual([...again.messages.values()], [{ ...entryOf(1), state: 'submitting' }])
  assert.deepEqual([...again.finished.keys()], [messageIdOf(3)])
  assert.deepEqual([...again.received.keys()], ['a'])
  assert.equal(again.cursor, '9')
  again.close()
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('a partial last line is removed, and writing continues after the complete lines', t => {
  const folder = temporaryDirectory(t)
  const whole = join(folder, 'whole')
  const journal = Journal.open(whole)
  journal.accept(entryOf(1, 'äöü 😀'))
  const bytes = statSync(whole).size
  journal.change(messageIdOf(1), changeTo('submitting'))
  journal.close()
  const content = readFileSync(whole)
  for (let length = bytes; length < content.length; length++) {
    const torn = join(folder, 'torn')
    writeFileSync(torn, content.subarray(0, length))
    const first = Journal.open(torn)
    assert.equal(first.messages.get(messageIdOf(1))?.state, 'accepted', `torn at ${length}`)
    first.accept(entryOf(2))
    first.close()
    const second = Journal.open(torn)
    assert.equal(second.messages.size, 2)
    second.close()
  }
})

test('damage before the last line is refused with the number of the line', t => {
  const file = join(temporaryDirectory(t), 'journal')
  const journal = Journal.open(file)
  journal.accept(entryOf(1))
  journal.close()
  appendFileSync(file, '{"type":"forgot\n{"type":"forgotten","messageId":"x"}\n')
  assert.throws(() => Journal.open(file), /damaged at line 3/)
})

test('an empty or truncated file is an empty journal', t => {
  const file = join(temporaryDirectory(t), 'journal')
  writeFileSync(file, '')
  const journal = Journal.open(file)
  journal.accept(entryOf(1))
  journal.close()
  truncateSync(file, 3)
  const again = Journal.open(file)
  assert.equal(again.messages.size, 0)
  again.close()
})

test('a growing journal is rewritten and keeps open messages and the last finished ones', t => {
  const file = join(temporaryDirectory(t), 'journal')
  const journal = Journal.open(file)
  journal.accept(entryOf(0))
  const count = AGENT_FINISHED_MAX + 100
  for (let n = 1; n <= count; n++) {
    journal.accept(entryOf(n, 'x'.repeat(500)))
    journal.finish(journal.change(messageIdOf(n), changeTo('delivered')))
  }
  assert.ok(statSync(file).size < AGENT_JOURNAL_BYTES_MAX + 2_000)
  journal.close()
  const again = Journal.open(file)
  assert.deepEqual([...again.messages.keys()], [messageIdOf(0)])
  assert.equal(again.finished.size, AGENT_FINISHED_MAX)
  assert.ok(again.finished.has(messageIdOf(count)))
  assert.ok(!readFileSync(file, 'utf8').includes('xxx'))
  again.close()
})

for (const state of ['sent', 'delivered', 'failed', 'uncertain'] as const)
  test(`the text of a code leaves the file as soon as it is ${state}, even while other texts wait`, t => {
    const file = join(temporaryDirectory(t), 'journal')
    const journal = Journal.open(file)
    journal.accept(entryOf(1, 'a text that waits'))
    journal.accept({ ...entryOf(2, 'Your code is 424242'), kind: '2fa' })
    for (const before of ['submitting', 'submitted'] as const) {
      assert.match(journal.change(messageIdOf(2), changeTo(before)).message, /424242/)
      assert.ok(readFileSync(file, 'utf8').includes('424242'), 'it may have to be sent again')
    }
    assert.equal(journal.change(messageIdOf(2), changeTo(state)).message, '')
    assert.ok(!readFileSync(file, 'utf8').includes('424242'))
    assert.equal(journal.messages.get(messageIdOf(1))?.message, 'a text that waits')
    journal.close()
    const again = Journal.open(file)
    assert.deepEqual(
      [...again.messages.values()].map(({ message }) => message),
      ['a text that waits', ''],
    )
    again.close()
  })

test('a code that is cancelled while other texts wait leaves the file at once', t => {
  const file = join(temporaryDirectory(t), 'journal')
  const journal = Journal.open(file)
  journal.accept(entryOf(1))
  journal.accept({ ...entryOf(2, 'Your code is 424242'), kind: '2fa' })
  journal.forget(messageIdOf(2))
  assert.ok(!readFileSync(file, 'utf8').includes('424242'))
  journal.close()
})

test('other texts leave the file as soon as no text waits', t => {
  const file = join(temporaryDirectory(t), 'journal')
  const journal = Journal.open(file)
  const holds = (words: string) => readFileSync(file, 'utf8').includes(words)
  const number = entryOf(1).phoneNumber
  journal.accept(entryOf(1, 'the first'))
  journal.accept(entryOf(2, 'the second'))
  journal.receive([{ id: 'a', from: '+15550100', message: 'that came in', at, simSlot: null }], '9')
  journal.change(messageIdOf(1), changeTo('sent'))
  assert.ok(holds('the first'), 'the file is not rewritten for each text')
  journal.receivedAcked('a')
  journal.change(messageIdOf(2), changeTo('failed'))
  for (const words of ['the first', 'the second', 'that came in', number]) assert.ok(!holds(words), words)
  journal.close()
})

test('a restart after any sequence of writes restores the same state', t => {
  const folder = temporaryDirectory(t)
  const states = ['submitting', 'submitted', 'sent', 'delivered', 'failed'] as const
  const step = fc.record({
    what: fc.constantFrom('accept', 'change', 'forget', 'finish', 'restart'),
    n: fc.integer({ min: 1, max: 4 }),
    state: fc.constantFrom(...states),
  })
  let runs = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), steps => {
      const file = join(folder, String(runs++))
      let journal = Journal.open(file)
      for (const { what, n, state } of steps) {
        const id = messageIdOf(n)
        if (what === 'accept') journal.accept(entryOf(n))
        else if (what === 'restart') {
          const before = [[...journal.messages], [...journal.finished]]
          journal.close()
          journal = Journal.open(file)
          assert.deepEqual([[...journal.messages], [...journal.finished]], before)
        } else if (journal.messages.has(id)) {
          if (what === 'change') journal.change(id, changeTo(state))
          if (what === 'forget') journal.forget(id)
          if (what === 'finish') journal.finish(journal.messages.get(id) ?? entryOf(n))
        }
      }
      journal.close()
    }),
    { numRuns: 40 },
  )
})
