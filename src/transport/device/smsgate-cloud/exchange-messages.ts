/** The messages that the app fetches to send, and its reports about them. */
import * as v from 'valibot'
import type { AttemptReport, MessageToSend } from '#contracts/phone-orders.ts'
import {
  AppMessage,
  appMessageId,
  isOlderApp,
  readAppMessage,
  readAppMessageId,
  SMSGATE_CANCEL_VERSION_MIN,
  SMSGATE_PRIORITY,
} from '#contracts/smsgate.ts'
import { invalid } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import {
  appVersionOf,
  type CloudPorts,
  DONE,
  requirePhone,
} from '#transport/device/smsgate-cloud/cloud-ports.ts'
import { parseJson } from '#transport/http/body.ts'
import type { Answer, Call, Handle, Head } from '#transport/http/route.ts'
import { shapedJson } from '#transport/http/shaped-answer.ts'

/** Most reports that are read from one call. The app sends one report in each call. */
const REPORTS_PER_CALL_MAX = 100

/**
 * `GET message`: the messages for the phone to send. All messages of the answer are committed as
 * `sending`, and each stays in further answers until the phone reports it. The app sends a message only once,
 * even if it gets the same id again.
 */
export async function giveMessages(ports: CloudPorts, call: Call): Promise<Answer> {
  const { deviceId } = requirePhone(ports, call)
  // An answer to HEAD has no body, so no message may be handed over with it.
  if (call.method === 'head') return shapedJson([])
  ports.presence.polled(deviceId)
  const messages = await ports.writer.ask('phone.fetch', { deviceId })
  const version = appVersionOf(call)
  const canCancel = version !== null && !isOlderApp(version, SMSGATE_CANCEL_VERSION_MIN)
  const toSend = messages.filter(({ isCancelled = false }) => canCancel || !isCancelled)
  return shapedJson(toSend.map(message => itemOf(message, ports.wallMs())))
}

/**
 * `PATCH message`: states of messages, in any order and possibly repeated. Unknown and unreadable entries are
 * ignored, because the app repeats a refused call, and its other reports would wait behind it.
 */
export function takeReports(ports: CloudPorts, head: Head): Handle {
  const { deviceId } = requirePhone(ports, head)
  return async ({ bytes }) => {
    const reports = listIn(bytes)
      .slice(0, REPORTS_PER_CALL_MAX)
      .flatMap(item => reportOf(item) ?? [])
    await Promise.all(reports.map(report => passOnReport(ports, deviceId, report)))
    return DONE
  }
}

/** Passes a report to the writer. */
export async function passOnReport(
  { writer }: Pick<CloudPorts, 'writer'>,
  deviceId: string,
  report: AttemptReport,
): Promise<void> {
  await writer.ask('phone.news', { deviceId, connection: null, news: { type: 'report', ...report } })
}

/** Translates the app's description of a message to a report; null: unreadable, or not a message of Roost. */
export function reportOf(item: unknown): AttemptReport | null {
  const parsed = v.safeParse(AppMessage, item)
  if (!parsed.success) return null
  const attempt = readAppMessageId(parsed.output.id)
  if (attempt === null) return null
  const { state, code = null, detail = null } = readAppMessage(parsed.output)
  const reached = parsed.output.recipients[0]?.state ?? parsed.output.state
  // Pending: the app has the message but has not begun to send it.
  return { ...attempt, state: reached === 'Pending' ? 'accepted' : state, code, detail }
}

function listIn(bytes: Buffer): readonly unknown[] {
  const list = parseJson(bytes)
  if (Array.isArray(list)) return list
  throw invalid([{ path: 'body', message: 'must be a JSON array' }])
}

function itemOf(message: MessageToSend, wallMs: number): object {
  const { messageId, attempt, phoneNumber, text, simSlot, ttlMs, kind } = message
  return {
    id: appMessageId(messageId, attempt),
    // The only text field that old versions know.
    message: text,
    textMessage: { text },
    phoneNumbers: [phoneNumber],
    ...(simSlot === null ? {} : { simNumber: simSlot }),
    withDeliveryReport: true,
    isEncrypted: false,
    validUntil: instant(wallMs + ttlMs),
    priority: kind === '2fa' ? SMSGATE_PRIORITY.high : SMSGATE_PRIORITY.normal,
    state: message.isCancelled === true ? 'Cancelling' : 'Pending',
    createdAt: instant(wallMs),
  }
}
