/**
 * Packs the command `message.accept`, which crosses threads thousands of times a second, into an array of
 * values in a fixed order. An object would cost three times as much, because cloning copies the name of each
 * field. All other commands cross as they are.
 */
import type { AcceptMessage, CommandAnswer, CommandCall, CommandOutput } from '#contracts/commands.ts'
import type { SendAnswerRow, SendRow } from '#contracts/thread-frames.ts'

/**
 * Packs a call: `message.accept` becomes an array, others stay as they are. So does what anybody but a key
 * sends, with who it is, and what goes despite an opt-out. The array has no room for that: what a key sends
 * is not in the audit list, and never goes despite one.
 */
export function packCall(call: CommandCall): CommandCall | SendRow {
  const isPlain = isSend(call) && !call.input.despiteOptOut
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
  return [
    id,
    input.accountId,
    input.test,
    input.kind,
    input.phoneNumber,
    input.country,
    input.text,
    input.segments,
    input.encoding,
    input.deviceId,
    input.ttlMs,
    input.priority,
    input.simSlot,
    input.queueIfOffline,
    input.notificationUrl,
    input.idempotency,
    input.sendAt,
  ]
}

function sendOf(row: SendRow): CommandCall<'message.accept'> {
  const input: Required<AcceptMessage> = {
    accountId: row[1],
    test: row[2],
    kind: row[3],
    phoneNumber: row[4],
    country: row[5],
    text: row[6],
    segments: row[7],
    encoding: row[8],
    deviceId: row[9],
    ttlMs: row[10],
    priority: row[11],
    simSlot: row[12],
    queueIfOffline: row[13],
    notificationUrl: row[14],
    despiteOptOut: false,
    idempotency: row[15],
    sendAt: row[16],
  }
  return { id: row[0], name: 'message.accept', input }
}
