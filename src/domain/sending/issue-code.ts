import type { IssueCode, IssuedCode } from '#contracts/commands.ts'
import { answerOnce } from '#domain/message/kept-answer.ts'
import type { Message } from '#domain/message/message.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { limitReached } from '#domain/problem.ts'
import { cancelHeld } from '#domain/sending/cancel-message.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { sendText } from '#domain/sending/send-text.ts'
import { instant } from '#domain/time.ts'
import { macOf } from '#domain/two-factor/check-code.ts'
import { closeCode } from '#domain/two-factor/close-code.ts'
import { fillCodeTemplate, maskCode } from '#domain/two-factor/code-text.ts'
import type { CodeOwner } from '#domain/two-factor/two-factor-store.ts'
import { count } from '#domain/words.ts'
import type { World } from '#domain/world.ts'

/** Digits of a generated code. */
const CODE_DIGITS = 6

/** Sliding window of `two_factor.per_number`, the limit of codes to one number. */
const CODES_WINDOW_MS = 600_000

/** The code that the sandbox issues, so that a test can type it. */
const SANDBOX_CODE = '123456'

/**
 * Issues a code and accepts its message. The text in the message's row has the code masked from the start.
 * The real text is stored separately until the message is final. The message's time to live is that of the
 * code.
 *
 * @throws Problem as `acceptMessage`; RATE_LIMIT_EXCEEDED for a number that got many codes recently
 */
export function issueCode(world: World, input: IssueCode): IssuedCode {
  const { answer, replayed } = answerOnce(world, input.idempotency, () => sendCode(world, input))
  return { answer: JSON.parse(answer) as IssuedCode['answer'], replayed }
}

function sendCode(world: World, input: IssueCode): IssuedCode['answer'] {
  if (!input.test) checkCodeLimit(world, input)
  const code = input.code ?? (input.test ? SANDBOX_CODE : world.source.digits(CODE_DIGITS))
  const text = fillCodeTemplate(input.template, code)
  const { accountId, test, phoneNumber, country, deviceId } = input
  const masked = { ...segmentsOf(text), text: maskCode(text, code) }
  const ours = { kind: '2fa', test, deviceId, ttlMs: input.validityMs, queueIfOffline: false } as const
  const asked = plainText({ accountId, phoneNumber, country, ...masked, ...ours })
  const message = sendText(world, asked, message => {
    supersede(world, message)
    insertCode(world, message, { code, text })
  })
  return {
    messageId: message.id,
    status: message.status,
    phoneNumber,
    createdAt: instant(message.createdAt),
    expiresAt: instant(message.expiresAt),
  }
}

/**
 * Refuses a further code for a number that got the limit of codes in the last ten minutes.
 *
 * @throws Problem RATE_LIMIT_EXCEEDED
 */
function checkCodeLimit(world: World, owner: CodeOwner): void {
  const { twoFactor, tx, now, settings } = world
  const limit = settings.codesPerNumber
  if (limit === -1) return
  // After the clock was set back, codes may have future times. They count as issued now.
  const issued = twoFactor.issuedAt(tx, owner, limit).map(at => Math.min(at, now.wallMs))
  // The newest first: if the code at this index is older than the window, fewer than `limit` are inside it.
  const oldest = issued[limit - 1]
  if (limit > 0 && (oldest === undefined || oldest <= now.wallMs - CODES_WINDOW_MS)) return
  const resetAtMs = (oldest ?? now.wallMs) + CODES_WINDOW_MS
  const sent = count(limit, 'code', 'codes')
  throw limitReached(`this number was sent ${sent} in the last ten minutes: try again later`, {
    limit,
    resetAtMs,
    retryAfterMs: resetAtMs - now.wallMs,
  })
}

/**
 * Closes the older code of the number, and cancels its message if no phone has `go` for it yet. A phone that
 * fetched the message gets the order `cancel`.
 */
function supersede(world: World, owner: CodeOwner): void {
  const older = world.twoFactor.findNewest(world.tx, owner)
  if (older === undefined) return
  closeCode(world, older.messageId, 'superseded')
  const open = world.fleet.messages.get(older.messageId)
  if (open === undefined) return
  const { status } = world.messages.find(world.tx, older.messageId) ?? {}
  if (status === 'queued') endMessage(world, open, 'CANCELLED')
  else cancelHeld(world, open)
}

function insertCode(
  world: World,
  message: Message,
  { code, text }: { readonly code: string; readonly text: string },
): void {
  const { id: messageId, accountId, test, phoneNumber, createdAt, expiresAt } = message
  const mac = macOf(world, messageId, code)
  const owner = { messageId, accountId, test, phoneNumber }
  const record = { ...owner, mac, state: 'open', tries: 0, compared: 0, createdAt, expiresAt } as const
  world.twoFactor.insert(world.tx, record, text)
  const expiresAtMono = world.now.monoMs + (expiresAt - createdAt)
  world.openCodes.add(messageId, expiresAtMono)
  world.deadlines.add(expiresAtMono, 'code', messageId)
}
