/** What the app fetches to send, and how it says what became of it. */
import * as v from 'valibot'
import type { AttemptReport, MessageToSend } from '#contracts/phone-orders.ts'
import {
  AppMessage,
  appMessageId,
  readAppMessage,
  readAppMessageId,
  SMSGATE_PRIORITY,
} from '#contracts/smsgate.ts'
import { invalid } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import { type CloudPorts, DONE, requirePhone } from '#transport/device/smsgate-cloud/cloud-ports.ts'
import { shapedJson } from '#transport/http/dialects/shaped-answer.ts'
import type { Answer, Call } from '#transport/http/route.ts'

/** The app reports one message a call; more are read, but not without end. */
const REPORTS_PER_CALL_MAX = 100

/**
 * `GET message`: the phone takes what it should send. Everything in the answer is committed as `sending`, and
 * stays in later answers until the phone reports it: the app sends an id once, however often it gets it.
 */
export async function giveMessages(ports: CloudPorts, call: Call): Promise<Answer> {
  const { deviceId } = requirePhone(ports, call)
  // An answer without its body would lose what it hands over.
  if (call.method === 'head') return shapedJson([])
  ports.presence.polled(deviceId)
  const messages = await ports.writer.ask('phone.take', { deviceId })
  return shapedJson(messages.map(message => itemOf(message, ports.wallMs())))
}

/**
 * `PATCH message`: states, in any order and repeated. What is unknown or unreadable is passed over, because
 * the app would repeat a refused call, and other reports wait behind it.
 */
export async function takeReports(ports: CloudPorts, call: Call): Promise<Answer> {
  const { deviceId } = requirePhone(ports, call)
  const reports = listIn(call.bytes)
    .slice(0, REPORTS_PER_CALL_MAX)
    .flatMap(item => reportOf(item) ?? [])
  await Promise.all(reports.map(report => tellReport(ports, deviceId, report)))
  return DONE
}

/** Hands a report to the writer. */
export async function tellReport(
  { writer }: Pick<CloudPorts, 'writer'>,
  deviceId: string,
  report: AttemptReport,
): Promise<void> {
  await writer.ask('phone.news', { deviceId, connection: null, news: { type: 'report', ...report } })
}

/** A message as the app describes it, as news; null: none of ours, or unreadable. */
export function reportOf(item: unknown): AttemptReport | null {
  const parsed = v.safeParse(AppMessage, item)
  if (!parsed.success) return null
  const attempt = readAppMessageId(parsed.output.id)
  if (attempt === null) return null
  const { state, code = null, detail = null } = readAppMessage(parsed.output)
  const reached = parsed.output.recipients[0]?.state ?? parsed.output.state
  // The app has it and has not begun: it may still wait for long.
  return { ...attempt, state: reached === 'Pending' ? 'accepted' : state, code, detail }
}

function listIn(bytes: Buffer): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(bytes.toString())
    if (Array.isArray(list)) return list
  } catch {}
  throw invalid([{ path: 'body', message: 'must be a JSON array' }])
}

function itemOf(message: MessageToSend, wallMs: number): object {
  const { messageId, attempt, phoneNumber, text, simSlot, ttlMs, kind } = message
  return {
    id: appMessageId(messageId, attempt),
    // Only this field is known to old versions.
    message: text,
    textMessage: { text },
    phoneNumbers: [phoneNumber],
    ...(simSlot === null ? {} : { simNumber: simSlot }),
    withDeliveryReport: true,
    isEncrypted: false,
    validUntil: instant(wallMs + ttlMs),
    priority: kind === '2fa' ? SMSGATE_PRIORITY.high : SMSGATE_PRIORITY.normal,
    state: 'Pending',
    createdAt: instant(wallMs),
  }
}
