import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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
    assert.deepEqual(readAnswer(text, ENGLISH), { verb, number, minutes, names: [] })
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
    'Drei',
  ])
    assert.equal(verbOf(text), 'take', text)
  for (const text of [
    '2 leider',
    'nein danke',
    'ja danke',
    'Ist das schon behoben',
    'Noch nicht fertig',
    'geht gleich wieder',
    'ich mach das nicht',
    'mach ich morgen',
    'du machst das',
  ])
    assert.equal(verbOf(text), undefined, text)
  assert.equal(readAnswer('2 nein', ENGLISH), null)
})

test('what people write otherwise is no answer', () => {
  for (const text of [...CHATTY_TEXTS, '2 5 constructor', '2 5 x'])
    assert.equal(readAnswer(text, ENGLISH), null, text)
})

test('a question, a negation or a condition takes and closes nothing', () => {
  const unclear =
    'is it done|done?|is nas back|who has it|who has it?|not fixed|2 not fixed|its not over|not done yet|' +
    "almost done|I'm not on it|nobody got this|do you have it|you have it|Bob is on it|I'll never take it|" +
    "I'll take it if I can|on it, but can't fix it|I'll check tomorrow|mine is working|I'm done|I'm up|" +
    'nas is on|nas is over the limit|will be fixed|on my way home|fix it|call Bob|I take it you know'
  for (const text of unclear.split('|'))
    assert.equal(readAnswer(text, ENGLISH, ['DOWN nas: no answer']), null, text)
})

const BOTH = ['db1 down: disk full on nas', 'server web1: not enough memory']
/** By what is wrong with taking each for an answer. */
const UNSURE: readonly (readonly [string, string, string])[] = [
  [
    'a promise',
    'done in 5 min|fixed in 1 hour|is back in 1 hour|2 done in 5 min|all good in 5 min',
    'wieder da in 5 Minuten|erledigt in 10 min|geht in 10 min wieder',
  ],
  [
    'the end of one thing beside the trouble of another',
    'db1 works, nas down|db1 is back, nas is down|its up, disk full|its up, disk|db1 works, nas smokes|' +
      'works but down|its up and down again|its back, still broken|server is back, web1 failed',
    'läuft wieder, server down|läuft wieder, aber langsam',
  ],
  [
    'an end beside a word that may be trouble',
    'its up, db corrupted|db1 is back but data lost|fixed. backup gone|all good except mail|' +
      '2 done raid degraded|done, rebuild runs|works, mail queue growing|its up again 🔥|db1 smoke, its up|' +
      'memory, its up|its up was corrupted|its back (slowly)|is up, somebody hurt|its up regards corrupted',
    'läuft wieder, Daten futsch|geht wieder, war wohl der Raid|erledigt, Gruß kaputt',
  ],
  [
    'a remark',
    'we will see|I see|ok I see|I can see it|I get it|i got enough|I got that|take it down|I go down',
    'ja, sehe ich|weiter so',
  ],
  [
    'a request to another person',
    'take it please|please take it|yes please take it|2 please take it|Bob, take it',
    'bitte schau nach|Bob, schau nach|ist übernommen',
  ],
  ['a late arrival', 'ok in 8 hours|2 in 2 days|I’ll check in 2 hours', 'ok in 8 Stunden'],
  ['word of what does not work', '2 down', 'es geht nicht|ja, das geht nicht|alles geht nicht'],
]

for (const [what, english, german] of UNSURE)
  test(`${what} takes, passes on and closes nothing`, () => {
    for (const text of english.split('|')) assert.equal(readAnswer(text, ENGLISH, BOTH), null, text)
    for (const text of `${english}|${german}`.split('|'))
      assert.equal(readAnswer(text, languageOf('de'), BOTH), null, text)
  })

test('beside such words a sure answer stays one', () => {
  const verbsOf = (texts: string) =>
    texts.split('|').map(text => readAnswer(text, languageOf('de'), BOTH)?.verb)
  const take =
    'ok in 20 min|nas is down, on it|on it, please wait|2 please|I got it|I got this|I’ll see to it|' +
    'take it|2 take it|bin dran, schau nach'
  assert.deepEqual(new Set(verbsOf(take)), new Set(['take']))
  assert.deepEqual(new Set(verbsOf('done, web1 is back|nas: fixed|Störung behoben')), new Set(['done']))
  assert.deepEqual(new Set(verbsOf('geht nicht|nein, geht nicht|das geht bei mir nicht')), new Set(['no']))
})

test('no word that is not known closes, wherever it stands', () => {
  const german = languageOf('de')
  const closing = 'done|2 done|nas: fixed|its back up, thanks|läuft wieder|restarted it. works|2: over'
  for (const text of closing.split('|')) {
    assert.equal(readAnswer(text, german, BOTH)?.verb, 'done', text)
    for (const word of ['corrupted', 'raid', 'rauch', 'losing', 'leaks', 'x1', 'undicht'])
      for (const place of text.matchAll(/(?<=^| )|$/g))
        for (const sign of [' ', ', ', ': ', '. ', ' - ', ' (']) {
          const [before, after] = [text.slice(0, place.index), text.slice(place.index)]
          const typed = [before.trim(), word, after].filter(one => one !== '').join(sign)
          assert.notEqual(readAnswer(typed, german, BOTH)?.verb, 'done', typed)
        }
  }
})

test('what was done, and what it was, closes', () => {
  const texts =
    'its up again, was just the cable|restarted it. works|Wieder ok, war nur die Sicherung. Gruß Heinz|' +
    'fixed, it was the router|rebooted, all good|neu gestartet, läuft wieder|done 🎉|done, mfg Heinz'
  for (const text of texts.split('|')) assert.equal(readAnswer(text, languageOf('de'))?.verb, 'done', text)
})

const HEATING = 'Heizung: Kessel Störung, Druck zu niedrig'
const NAS = { text: 'DOWN nas: no answer for 2 min', takenBy: null }
/** What was told before the typed answers, by the name of the scene. */
const SCENES: Readonly<Record<string, readonly Incident[]>> = {
  A: [{ ...incident(2, 'open'), ...NAS }],
  B: [{ ...incident(5, 'open'), text: 'Freezer: door open, -4 °C' }],
  C: [{ ...incident(3, 'open'), text: HEATING }],
  D: [
    { ...incident(4, 'open'), text: 'DOWN web1: HTTP 500' },
    { ...incident(6, 'open'), text: 'CRITICAL db: disk 95% full' },
  ],
  E: [{ ...incident(2, 'taken'), ...NAS, takenBy: 'ada' }],
  Ede: [{ ...incident(3, 'taken'), text: HEATING, takenBy: 'ada' }],
  F: [{ ...incident(2, 'taken'), ...NAS, takenBy: 'bob' }],
  G: [
    { ...incident(2, 'open'), ...NAS },
    { ...incident(5, 'open'), text: 'CRITICAL DiskFull on db1' },
  ],
}

test('of answers as people typed them nine in ten do what was meant, and none does anything else', () => {
  const lines = readFileSync('test/domain/incident/typed-answers.jsonl', 'utf8').trim().split('\n')
  const missed: string[] = []
  for (const line of lines) {
    const typed = JSON.parse(line)
    const scene = SCENES[typed.after + typed.language] ?? SCENES[typed.after] ?? []
    const only = scene.length === 1 ? scene[0]?.number : undefined
    const answer = readAnswer(
      typed.text,
      typed.language === 'de' ? languageOf('de') : ENGLISH,
      scene.map(one => one.text),
    )
    const chosen = answer && chooseIncident(answer, 'ada', scene)
    const isOf = (state: Incident['state'], holder: string) =>
      scene.some(one => one.state === state && one.takenBy === holder)
    const did =
      chosen?.type === 'answered' && !(chosen.verb === 'take' && isOf('taken', 'bob'))
        ? `${chosen.verb} ${chosen.incident.number} ${chosen.minutes}`
        : chosen?.type === 'list'
          ? 'list'
          : 'nothing'
    const number = typed.number ?? only
    const verb = typed.meaning === 'pass' ? 'no' : typed.meaning
    const changes = number !== undefined && verb !== 'none'
    const meant = verb === 'list' ? 'list' : changes ? `${verb} ${number} ${typed.minutes}` : 'nothing'
    assert.ok(did === meant || did === 'nothing', `"${typed.text}" does ${did}, not ${meant}`)
    if (did !== meant) missed.push(typed.text)
  }
  assert.ok(lines.length >= 150 && missed.length * 10 <= lines.length, missed.join('\n'))
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
  ['the end of the only open one', 'done', [incident(2, 'open'), incident(3, 'taken')], 'done 2'],
  [
    'the end of what the person took',
    'fixed',
    [
      { ...incident(2, 'taken'), takenBy: 'ada' },
      { ...incident(3, 'taken'), takenBy: 'bob' },
    ],
    'done 2',
  ],
  [
    'a question about what another one took',
    'done',
    [{ ...incident(3, 'taken'), takenBy: 'bob' }],
    'which 3',
  ],
  ['no list if nothing is open', '?', [incident(4, 'closed')], null],
]

for (const [what, text, incidents, chosen] of CHOICES)
  test(`"${text}" means ${what}`, () => {
    assert.equal(choose(text, ...incidents), chosen)
  })
