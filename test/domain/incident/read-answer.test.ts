import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGLISH } from '#contracts/words.ts'
import type { Incident } from '#domain/incident/incident.ts'
import { chooseIncident, readAnswer } from '#domain/incident/read-answer.ts'
import { languageOf } from '#domain/language.ts'
import { IncidentRig } from '#test/domain/incident/incident-rig.ts'
import { CHATTY_TEXTS } from '#test/domain/incident/write-answer.ts'

const ANSWERS: readonly (readonly [string, string, number | null, number | null])[] = [
  ['2', 'take', 2, null],
  ['2.', 'take', 2, null],
  [' 02 ', 'take', 2, null],
  ['99 OK!', 'take', 99, null],
  ['2ok', 'take', 2, null],
  ['Ok', 'take', null, null],
  ['ok.', 'take', null, null],
  ['2 8h', 'take', 2, 480],
  ['2 8 H', 'take', 2, 480],
  ['2 30m.', 'take', 2, 30],
  ['2 168h', 'take', 2, 10_080],
  ['NO!', 'no', null, null],
  ['2 no', 'no', 2, null],
  ['2 Done', 'done', 2, null],
  ['?', 'list', null, null],
  ['ok 2', 'take', 2, null],
  ['#2', 'take', 2, null],
  ['2)', 'take', 2, null],
  ['2: I take it', 'take', 2, null],
  ['I take it', 'take', null, null],
  ['yes', 'take', null, null],
  ['ACK', 'take', null, null],
  ['👍', 'take', null, null],
  ['2 👍🏽', 'take', 2, null],
  ['٢', 'take', 2, null],
  ['\n\n2 ok\nSent from my phone', 'take', 2, null],
  ['2 90 min', 'take', 2, 90],
  ['2 90min', 'take', 2, 90],
  ['2 1d', 'take', 2, 1440],
  ['no 2', 'no', 2, null],
  ['pass', 'no', null, null],
  ['done 2', 'done', 2, null],
  ['2 fixed', 'done', 2, null],
  ['2: over', 'done', 2, null],
  ['Reply 2', 'take', 2, null],
  ['Reply 2: I take it', 'take', 2, null],
  ['2 thanks', 'take', 2, null],
  ['Yes, I’m on it. Thanks!', 'take', null, null],
  ['on my way', 'take', null, null],
  ['👍👍', 'take', null, null],
  ['I’ll take it for 2 hours', 'take', null, 120],
  ['4 for 2 hours', 'take', 4, 120],
  ['Sorry, can’t', 'no', null, null],
  ['2 not me', 'no', 2, null],
  ['ok, 2 is fixed', 'done', 2, null],
  ['What’s open?', 'list', null, null],
]

for (const [text, verb, number, minutes] of ANSWERS)
  test(`"${text}" is an answer`, () => {
    assert.deepEqual(readAnswer(text, ENGLISH), { verb, number, minutes })
  })

test('in German, German words count beside the English ones', () => {
  const german = languageOf('de')
  const verbOf = (text: string) => readAnswer(text, german)?.verb
  for (const text of ['nein', '2 Nein!', '2 no']) assert.equal(verbOf(text), 'no', text)
  for (const text of ['2 fertig', 'erledigt 2', '2 vorbei', '2 done'])
    assert.equal(verbOf(text), 'done', text)
  for (const text of [
    'ok',
    '2',
    '2 8h',
    'ja',
    '2: ich übernehme',
    'Ich kuemmere mich',
    'Ja, bin schon dran',
    '3 für 2 Stunden',
  ])
    assert.equal(verbOf(text), 'take', text)
  for (const text of ['fertig', '2 leider', 'nein danke', 'ja danke'])
    assert.equal(verbOf(text), undefined, text)
  assert.equal(readAnswer('2 nein', ENGLISH), null)
})

test('what people write otherwise is no answer', () => {
  for (const text of [...CHATTY_TEXTS, '2 5 constructor', '2 5 x'])
    assert.equal(readAnswer(text, ENGLISH), null, text)
})

function incident(number: number, state: Incident['state'], told: readonly string[] = ['ada']): Incident {
  return { ...new IncidentRig(['0 ada']).incident, number, state, told }
}

function choose(text: string, ...incidents: readonly Incident[]): string | null {
  const answer = readAnswer(text, ENGLISH)
  assert.ok(answer)
  const chosen = chooseIncident(answer, 'ada', incidents)
  if (chosen === null) return null
  if (chosen.type === 'answered') return `${chosen.verb} ${chosen.incident.number}`
  return `${chosen.type} ${chosen.incidents.map(one => one.number).join(' ')}`
}

const CHOICES: readonly (readonly [string, string, readonly Incident[], string | null])[] = [
  ['the only open one', 'ok', [incident(2, 'open')], 'take 2'],
  ['the only one that is not taken', 'no', [incident(2, 'taken'), incident(3, 'open')], 'no 3'],
  ['what somebody was quicker to take', 'ok', [incident(2, 'taken')], 'take 2'],
  ['what nobody took', 'ok', [incident(2, 'unanswered')], 'take 2'],
  ['none of several', 'ok', [incident(2, 'open'), incident(3, 'unanswered')], 'which 2 3'],
  ['none of several that are taken', 'no', [incident(2, 'taken'), incident(3, 'taken')], 'which 2 3'],
  ['what has its number', '3', [incident(2, 'open'), incident(3, 'taken')], 'take 3'],
  ['the open ones for a wrong number', '4 done', [incident(2, 'open'), incident(3, 'taken')], 'which 2'],
  ['nothing of others', 'ok', [incident(2, 'open', ['bob'])], null],
  ['nothing by the number of others', '2', [incident(2, 'open', ['bob'])], null],
  ['nothing that is closed', '2', [incident(2, 'closed')], null],
  [
    'all that the person knows',
    '?',
    [incident(2, 'open'), incident(3, 'taken'), incident(4, 'closed')],
    'list 2 3',
  ],
  ['no list if nothing is open', '?', [incident(4, 'closed')], null],
]

for (const [what, text, incidents, chosen] of CHOICES)
  test(`"${text}" means ${what}`, () => {
    assert.equal(choose(text, ...incidents), chosen)
  })
