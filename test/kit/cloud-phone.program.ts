/**
 * A fake SMSGate app in its cloud mode, in a process of its own. It prints each step of a text. It keeps its
 * database and the texts that were transmitted as lines of files, so that both survive a kill -9.
 */
import { appendFileSync, writeSync } from 'node:fs'
import { pause, systemClock } from '#agent/clock.ts'
import { CloudApp } from '#test/kit/cloud-app.ts'
import { linesOf } from '#test/kit/lines.ts'

export interface CloudPhoneInput {
  /** The API URL. */
  readonly base: string
  /** The token of a phone that has registered. */
  readonly token: string
  readonly file: string
  readonly transmittedFile: string
}

const STATES = ['Pending', 'Processed', 'Sent', 'Delivered'] as const
type State = (typeof STATES)[number]

interface Row {
  readonly id: string
  state: State
  /** The last state that the gateway has accepted. */
  reported: State | null
}

/** Shorter than in the app, because in tests the gateway is back within a second. */
const RETRY_MS = 100
/** Nothing aborts the pauses of this program. */
const never = new AbortController().signal

const { base, token, file, transmittedFile } = JSON.parse(process.argv[2] ?? '') as CloudPhoneInput
const app = new CloudApp(base)
app.token = token
const rows = new Map<string, Row>()
const print = (line: string) => writeSync(1, `${line}\n`)

for (const line of linesOf(file)) {
  const row = JSON.parse(line) as Row
  rows.set(row.id, row)
}
print('started')
for (const row of rows.values()) void send(row)
void listenForEver()

async function listenForEver(): Promise<never> {
  for (;;) {
    await listen().catch(() => undefined)
    await pause(systemClock, RETRY_MS, never)
  }
}

async function listen(): Promise<void> {
  const stream = await app.listen()
  try {
    for (;;) {
      await pull()
      await stream.until('event: MessageEnqueued')
    }
  } finally {
    stream.close()
  }
}

async function pull(): Promise<void> {
  for (const item of await app.pull()) {
    const id = String(item['id'])
    const known = rows.get(id)
    if (known !== undefined) void report(known, known.state)
    else {
      const row: Row = { id, state: 'Pending', reported: null }
      save(row)
      print('taken')
      void send(row)
    }
  }
}

/** Continues from the stored state. An app that died before it stored a transmission sends the text again. */
async function send(row: Row): Promise<void> {
  if (row.state === 'Pending') {
    appendFileSync(transmittedFile, `${row.id}\n`)
    print('transmitted')
    move(row, 'Processed')
  }
  for (const state of STATES.slice(STATES.indexOf(row.state))) {
    if (state !== row.state) move(row, state)
    if (row.reported !== state) await report(row, state)
  }
}

function move(row: Row, state: State): void {
  row.state = state
  save(row)
  print(state.toLowerCase())
}

/** Repeats the call until the gateway has accepted it. */
async function report(row: Row, state: State): Promise<void> {
  for (;;) {
    const answer = await app.report(row.id, state).catch(() => null)
    if (answer !== null && answer.status < 300) break
    await pause(systemClock, RETRY_MS, never)
  }
  row.reported = state
  save(row)
}

function save(row: Row): void {
  rows.set(row.id, row)
  appendFileSync(file, `${JSON.stringify(row)}\n`)
}
