/** Kannel's sendsms: the fields are in the query or a form, and the answers are plain text. */
import { bytesOf, decodeAs } from '#domain/decode-text.ts'
import { invalid } from '#domain/problem.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import {
  callerOf,
  integerOf,
  queryAndForm,
  refuseHead,
  sendTexts,
} from '#transport/http/dialects/send-texts.ts'
import type { Call, FormatRefusal, Route } from '#transport/http/route.ts'
import { refusalText, TEXT_TYPE } from '#transport/http/shaped-answer.ts'

const READS = ['username', 'user', 'password', 'pass', 'priority', 'coding', 'charset']

export function kannelRoutes(ports: DialectPorts): Route[] {
  const shared = {
    access: 'public',
    path: '/cgi-bin/sendsms',
    counted: false,
    refusal,
    handle: (call: Call) => sendSms(ports, call),
  } as const
  return [
    { ...shared, method: 'get', body: 'none' },
    { ...shared, method: 'post', body: 'bytes', credential: 'body' },
  ]
}

async function sendSms(ports: DialectPorts, call: Call) {
  refuseHead(call)
  const fields = queryAndForm(call)
  const caller = callerOf(ports, call, fields['password'] ?? fields['pass'])
  const minutes = integerOf(fields['validity'])
  await sendTexts(ports, caller, {
    fields,
    reads: READS,
    message: readText(call, fields),
    names: { message: 'text', ttl: 'validity', sendAt: 'deferred' },
    sendAt: deferredOf(fields),
    ...(typeof minutes === 'number' && { ttl: minutes * 60 }),
    priority: Number(fields['priority'] ?? 0) > 0 ? 'high' : 'normal',
  })
  return { raw: '0: Accepted for delivery', contentType: TEXT_TYPE, status: 202 }
}

/** Kannel counts the wait in minutes. */
function deferredOf({ deferred = '' }: Record<string, string>): string | null {
  if (/^0*$/.test(deferred)) return null
  if (/^\d{1,9}$/.test(deferred)) return `${deferred} min`
  throw invalid([{ path: 'deferred', message: 'must be a whole number of minutes' }])
}

/** The text in the charset that the caller names; UTF-16BE with `coding=2`. @see Kannel's user guide */
function readText(call: Call, { text = '', coding = '0', charset = '' }: Record<string, string>): string {
  if (coding === '1')
    throw invalid([{ path: 'coding', message: '1 stands for binary data, and Roost sends texts only' }])
  const named = charset || (coding === '2' ? 'utf-16be' : '')
  if (named === '') return text
  const pairs = `${call.rawQuery}&${call.bytes.toString('latin1')}`.split('&')
  const raw = pairs.findLast(pair => pair.startsWith('text='))?.slice('text='.length) ?? ''
  return decodeAs(bytesOf(raw.replaceAll('+', ' ')), named) ?? text
}

const refusal: FormatRefusal = (problem, status) => {
  const isUnknown = problem.code === 'UNAUTHORIZED'
  const body = isUnknown ? 'Authorization failed for sendsms' : refusalText(problem)
  return { status: isUnknown ? 403 : status, contentType: TEXT_TYPE, body }
}
