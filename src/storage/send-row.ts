/**
 * Packs the command `message.accept`, which crosses threads thousands of times a second, into an array of
 * values in a fixed order. An object would cost three times as much, because cloning copies the name of each
 * field. All other commands cross as they are.
 */
import type { AcceptMessage, CommandAnswer, CommandCall, CommandOutput } from '#contracts/commands.ts'
import type { SendAnswerRow, SendRow } from '#contracts/thread-frames.ts'
import { NOTHING_SAID, RARE_NAMES, ROW_NAMES } from '#domain/message/message-fields.ts'

/**
 * Packs a call: `message.accept` becomes an array, others stay as they are. So does what anybody but a key
 * sends, with who it is, and what says something rare. The array has no room for that: what a key sends is
 * not in the audit list.
 */
export function packCall(call: CommandCall): CommandCall | SendRow {
  const isPlain = isSend(call) && RARE_NAMES.every(name => call.input[name] === NOTHING_SAID[name])
  return isPlain && (call.by === undefined || call.by.startsWith('key_')) ? sendRowOf(call) : call
}

export function unpackCall(packed: CommandCall | SendRow): CommandCall {
  return isRow(packed) ? sendOf(packed) : packed
}

/** Packs the answer to an accepted `message.accept` into an array. Any other answer is returned unchanged. */
export function packAnswer(call: CommandCall, answer: CommandAnswer): CommandAnswer | SendAnswerRow {
  if (!isSend(call) || !answer.ok) return answer
  const { answer: json, replayed } = answer.output as CommandOutput<'message.accept'>
  return [answer.id, json, replayed]
}

export function unpackAnswer(packed: CommandAnswer | SendAnswerRow): CommandAnswer {
  if (!isRow(packed)) return packed
  const [id, answer, replayed] = packed
  return { id, ok: true, output: { answer, replayed } satisfies CommandOutput<'message.accept'> }
}

function isSend(call: CommandCall): call is CommandCall<'message.accept'> {
  return call.name === 'message.accept'
}

function isRow<T extends readonly unknown[]>(packed: object | T): packed is T {
  return Array.isArray(packed)
}

function sendRowOf({ id, input }: CommandCall<'message.accept'>): SendRow {
  const row: [number, ...unknown[]] = [id, input.idempotency]
  for (const name of ROW_NAMES) row.push(input[name])
  return row as unknown as SendRow
}

function sendOf(row: SendRow): CommandCall<'message.accept'> {
  const input: Record<string, unknown> = { ...NOTHING_SAID, idempotency: row[1] }
  for (let i = 0; i < ROW_NAMES.length; i++) input[ROW_NAMES[i] ?? ''] = row[i + 2]
  return { id: row[0], name: 'message.accept', input: input as unknown as AcceptMessage }
}
