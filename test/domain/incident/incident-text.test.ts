import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGLISH, say, sentence } from '#contracts/words.ts'
import { holderWords, incidentText, listText, whichText } from '#domain/incident/incident-text.ts'
import { languageOf } from '#domain/language.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { IncidentRig } from '#test/domain/incident/incident-rig.ts'

const { incident, facts } = new IncidentRig(['0 ada'])

test('the second line says how to take it', () => {
  assert.equal(incidentText(incident, { asks: true }, ENGLISH), 'NAS down\nReply 2: I take it')
})

test('a text keeps its segments: the alert is shortened for the words around it', () => {
  const before = sentence('Ada has it')
  for (const letter of ['a', '€', 'ж', '😀'])
    for (let length = 1; length <= 320; length++) {
      const text = letter.repeat(length)
      const whole = incidentText({ ...incident, text }, { before, asks: true }, ENGLISH)
      assert.ok(segmentsOf(whole).segments <= segmentsOf(text).segments, `${letter} ${length}`)
      assert.ok(whole.startsWith('Ada has it: ') && whole.endsWith('\nReply 2: I take it'))
    }
  const text = 'a'.repeat(160)
  assert.equal(
    incidentText({ ...incident, text }, { asks: true }, ENGLISH),
    `${'a'.repeat(138)}...\nReply 2: I take it`,
  )
})

test('a reply says who has it since when', () => {
  const since = (minutes: number) => {
    const takenAt = facts.wallMs - minutes * 60_000
    return say(ENGLISH, holderWords({ ...incident, takenBy: 'bob', takenAt }, facts))
  }
  assert.equal(since(5), 'Bob has it since 5 min')
  assert.equal(since(0), 'Bob has it since 1 min')
  assert.equal(since(150), 'Bob has it since 2 h')
  const gone = { ...facts, nameOf: () => null }
  assert.match(say(ENGLISH, holderWords({ ...incident, takenBy: 'bob' }, gone)), /^Somebody has it/)
})

test('a list names the incidents, as many as fit two segments', () => {
  const other = { ...incident, number: 3, text: 'Router down', state: 'taken', takenBy: 'bob' } as const
  assert.equal(whichText([incident, other], ENGLISH), 'Which? 2: NAS down; 3: Router down')
  assert.equal(listText([incident, other], facts), '2: NAS down (nobody has it); 3: Router down (Bob has it)')
  const many = Array.from({ length: 20 }, (_, i) => ({ ...incident, number: i + 2, text: 'a'.repeat(400) }))
  for (const text of [whichText(many, ENGLISH), listText(many, facts)]) {
    assert.ok(segmentsOf(text).segments <= 2, text)
    assert.match(text, /2: aaaaa.*; 9: aaaaa.*; \+12$/)
  }
})

test('in German, people are told in German', () => {
  const german = languageOf('de')
  const taken = { ...incident, number: 3, state: 'taken', takenBy: 'owner' } as const
  const known = { ...facts, language: german }
  assert.equal(incidentText(incident, { asks: true }, german), 'NAS down\nAntwort 2: ich übernehme')
  const before = sentence('{name} has it', { name: 'Ada' })
  assert.equal(incidentText(incident, { before }, german), 'Ada kümmert sich: NAS down')
  assert.equal(whichText([incident, taken], german), 'Welcher? 2: NAS down; 3: NAS down')
  assert.equal(
    listText([incident, taken], known),
    '2: NAS down (noch niemand); 3: NAS down (Besitzer kümmert sich)',
  )
})
