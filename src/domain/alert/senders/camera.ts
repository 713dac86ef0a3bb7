import type { Body } from '#domain/alert/body.ts'
import type { Json } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const NAMES_MAX = 8
const REOLINK_CAMERA = /^Alarm Camera Name: ([^\n]+)$/m
const REOLINK_EVENT = /^Alarm Event: ([^\n]+)$/m

/**
 * A review of Frigate: what a camera saw, and in which zones. Frigate sends it again whenever more is seen:
 * `after` is what it knows now. The severity is `alert` or `detection`.
 */
export const frigateReview: Sender = {
  format: 'generic',
  matches: body => body.raw('after.camera') !== '' && Array.isArray(body.at('after.data.objects')),
  state: [
    body => (body.raw('type') === 'end' ? { word: 'ENDED', kind: 'other' } : null),
    body => (body.raw('after.severity') === 'alert' ? readState('alert') : null),
    'type',
  ],
  subject: ['after.camera'],
  reason: [body => [namesIn(body, 'objects', 'sub_labels', 'audio'), body.line('after.data.metadata.title')]],
  extras: [body => namesIn(body, 'zones')],
}

/** The names in these lists, each once. */
function namesIn(body: Body, ...lists: readonly string[]): string {
  const items = lists.map(key => body.at(`after.data.${key}`)).filter(list => Array.isArray(list))
  const names = items.flatMap(list => list.slice(0, NAMES_MAX).map(nameOf))
  return [...new Set(names)].filter(name => name !== '').join(', ')
}

/** `person` for `person-verified`, which is a person whom Frigate knows; `Anna` for `["Anna", 0.9]`. */
function nameOf(item: Json): string {
  const name = Array.isArray(item) ? item[0] : item
  return cleanLine(scalarOf(name))
    .replace(/-verified$/, '')
    .replaceAll('_', ' ')
}

/** A mail of a Reolink camera: which camera, and what it saw. */
export const reolink: Sender = {
  format: 'generic',
  matches: body => REOLINK_CAMERA.test(body.text) && REOLINK_EVENT.test(body.text),
  state: [],
  subject: [body => body.match(REOLINK_CAMERA)],
  reason: [body => body.match(REOLINK_EVENT)],
}
