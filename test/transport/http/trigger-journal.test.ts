import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandInput, CommandName, Writer } from '#contracts/commands.ts'
import type { KeptRequest } from '#contracts/seen-trigger.ts'
import { NO_TRIGGERS, type Webhook } from '#domain/webhook/webhook.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'
import { FIELDS, NOT_READ } from '#test/kit/webhook-world.ts'
import { type AnsweredTrigger, TriggerJournal } from '#transport/http/trigger-journal.ts'

/** A writer that stores each command and answers when the test calls `answer`. */
class SlowWriter implements Writer {
  readonly notes: CommandInput<'webhook.note'>['notes'][] = []
  readonly #answers: ((error?: Error) => void)[] = []
  #asked: () => void = () => {}

  ask(_name: CommandName, input: unknown): Promise<never> {
    this.notes.push((input as CommandInput<'webhook.note'>).notes)
    this.#asked()
    return new Promise((resolve, reject) => {
      this.#answers.push(error => (error === undefined ? resolve(null as never) : reject(error)))
    })
  }

  /** Waits until it has got so many commands. */
  async whenAsked(count: number): Promise<void> {
    while (this.notes.length < count)
      await new Promise<void>(resolve => {
        this.#asked = resolve
      })
  }

  answer(error?: Error): void {
    this.#answers.shift()?.(error)
  }
}

function webhookOf(id: string): Webhook {
  const times = { createdAt: 0, updatedAt: 0 }
  return {
    ...FIELDS,
    ...times,
    summarizeOverflow: true,
    id,
    accountId: 'acc',
    tokenHint: '',
    counters: NO_TRIGGERS,
    held: null,
    readings: {},
    heardAt: null,
    silentAt: null,
    noticedAt: null,
  }
}

function keptOf(body: string): KeptRequest {
  return { contentType: null, body, headers: {}, fields: [], confirmationUrl: null }
}

function overCap(text: string): AnsweredTrigger {
  const held = { request: triggerRequest({ body: text }), requestHash: new TextEncoder().encode(text) }
  const known = { at: 0, address: text, outcome: 'OVER_CAP', format: null, message: null } as const
  const seen = { ...known, ...NOT_READ, kept: keptOf(text) }
  return { seen, isRejected: true, held }
}

const rendered: string[] = []
function journalFor(writer: Writer): TriggerJournal {
  return new TriggerJournal(writer, async request => {
    const message = new TextDecoder().decode(request.body)
    rendered.push(message)
    return { message, format: 'generic', severity: null, state: null, isUrgent: false, reading: null }
  })
}

test('triggers that arrive during a write are in the next write, and the last gets its text', async () => {
  const writer = new SlowWriter()
  const journal = journalFor(writer)
  const first = journal.note(webhookOf('a'), overCap('1'))
  await writer.whenAsked(1)
  const others = ['2', '3', '3'].map(text => journal.note(webhookOf('a'), overCap(text)))
  others.push(journal.note(webhookOf('b'), { ...overCap('4'), held: null }))
  writer.answer()
  await first
  await writer.whenAsked(2)
  writer.answer()
  await Promise.all(others)
  assert.deepEqual(rendered, ['1', '2', '3'])
  const told = writer.notes.map(notes =>
    notes.map(({ webhookId, rejected, held, seen }) => [
      webhookId,
      rejected,
      held?.count,
      held?.text,
      seen.map(({ address, message }) => `${address} ${message}`).join(),
    ]),
  )
  assert.deepEqual(told, [
    [['a', 1, 1, '1', '1 1']],
    [
      ['a', 3, 2, '3', '2 null,3 null,3 3'],
      ['b', 1, undefined, undefined, '4 null'],
    ],
  ])
})

test('a refusal that could not be stored is still answered', async () => {
  const writer = new SlowWriter()
  const journal = journalFor(writer)
  const noted = journal.note(webhookOf('a'), overCap('1'))
  await writer.whenAsked(1)
  writer.answer(new Error('the disk is full'))
  await noted
  const next = journal.note(webhookOf('a'), overCap('2'))
  await writer.whenAsked(2)
  writer.answer()
  await next
})

test('of a storm, only the last four requests are written', async () => {
  const writer = new SlowWriter()
  const journal = journalFor(writer)
  const first = journal.note(webhookOf('a'), overCap('0'))
  await writer.whenAsked(1)
  const texts = Array.from({ length: 30 }, (_, index) => String(index + 1))
  const others = texts.map(text => journal.note(webhookOf('a'), { ...overCap(text), held: null }))
  writer.answer()
  await first
  await writer.whenAsked(2)
  const [note] = writer.notes[1] ?? []
  const bodies = note?.seen.map(({ kept }) => kept?.body ?? null)
  assert.deepEqual(bodies, [...Array.from({ length: 16 }, () => null), '27', '28', '29', '30'])
  writer.answer()
  await Promise.all(others)
})
