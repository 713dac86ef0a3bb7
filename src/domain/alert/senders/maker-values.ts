import { isObject } from '#domain/alert/read/json-value.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { joinWords } from '#domain/alert/text/join-words.ts'

/** The three values that a webhook of IFTTT has, from apps that can send to IFTTT only. */
export const makerValues: Sender = {
  format: 'generic',
  matches: body =>
    isObject(body.value) &&
    body.raw('value1') !== '' &&
    Object.keys(body.value).every(key => /^value[123]$/.test(key)),
  state: [],
  reason: [body => joinWords(body.line('value1'), body.line('value2'), body.line('value3'))],
}
