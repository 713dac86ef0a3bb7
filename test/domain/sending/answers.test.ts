/** Answers by text to incidents: what each does, and what it is replied. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PEOPLE, startIncidents } from '#test/kit/incident-world.ts'

const MINUTE = 60_000
const ASKS = '\nReply 2: I take it'

describe('answers', () => {
  const rows: readonly (readonly [string, string, readonly string[], string])[] = [
    ['2', 'ada', ['ada: Yours: DOWN nas', 'bob: Ada has it: DOWN nas'], 'taken'],
    ['2 ok.', 'ada', ['ada: Yours: DOWN nas', 'bob: Ada has it: DOWN nas'], 'taken'],
    [' Ok ', 'bob', ['bob: Yours: DOWN nas', 'ada: Bob has it: DOWN nas'], 'taken'],
    ['2 8h', 'ada', ['ada: Yours: DOWN nas', 'bob: Ada has it: DOWN nas'], 'taken'],
    ['2 DONE', 'ada', ['ada: Closed: DOWN nas', 'bob: Done (Ada): DOWN nas'], 'closed'],
    ['?', 'ada', ['ada: 2: DOWN nas (nobody has it)'], 'open'],
    ['3', 'ada', ['ada: Which? 2: DOWN nas'], 'open'],
    ['2: I take it', 'ada', ['ada: Yours: DOWN nas', 'bob: Ada has it: DOWN nas'], 'taken'],
    ['ok thanks', 'ada', ['ada: Not understood. 2: I take it, no: pass on, ?: list'], 'open'],
    ['ok thanks', 'eve', [], 'open'],
    ['I am on my way to the bank, see you soon!', 'ada', [], 'open'],
    [' ', 'ada', [], 'open'],
    ['2', 'eve', [], 'open'],
    ['2', '+14155550299', [], 'open'],
    ['2', '12345', [], 'open'],
    ['2', 'Ada', [], 'open'],
  ]
  for (const [words, who, texts, state] of rows)
    test(`"${words}" of ${who}`, () => {
      const { alarm, says, news, world, incidents } = startIncidents()
      alarm()
      world.advance(5 * MINUTE)
      news()
      says(who, words)
      assert.deepEqual(news(), texts)
      assert.equal(incidents()[0]?.state, state)
    })

  test('"no" brings the next step at once, and "2" of another the name of who has it', () => {
    const { alarm, says, news, world } = startIncidents()
    alarm()
    news()
    says('ada', 'no')
    assert.deepEqual(news(), ['ada: Passed on: DOWN nas', `bob: DOWN nas${ASKS}`])
    says('bob', '2')
    news()
    world.advance(5 * MINUTE)
    says('ada', '2')
    assert.deepEqual(news(), ['ada: Bob has it since 5 min: DOWN nas'])
  })

  test('nothing is guessed between several, and useless answers get five replies an hour', () => {
    const { alarm, says, news } = startIncidents()
    alarm('nas')
    alarm('router')
    news()
    for (let i = 0; i < 7; i++) says('ada', 'ok')
    assert.deepEqual(news(), Array(5).fill('ada: Which? 2: DOWN nas; 3: DOWN router'))
    says('ada', '3')
    assert.deepEqual(news(), ['ada: Yours: DOWN router'])
  })

  test('the number of one that is over is answered with the time of its end', () => {
    const { alarm, over, says, news, world } = startIncidents()
    alarm('nas')
    over('nas')
    const [clock] = new Date(world.wallMs).toISOString().slice(11).split(':00.')
    world.advance(10 * MINUTE)
    news()
    says('ada', '2 ok')
    assert.deepEqual(news(), [`ada: 2 is over since ${clock} UTC: DOWN nas`])
    alarm('router')
    news()
    for (const who of ['eve', 'bob']) says(who, '2')
    assert.deepEqual(news(), [])
    says('ada', '2')
    assert.deepEqual(news(), [`ada: 2 is over since ${clock} UTC: DOWN nas`])
    says('ada', '7')
    assert.deepEqual(news(), ['ada: Which? 3: DOWN router'])
  })

  test('an answer that was written before its first text takes nothing, unless the clock is wrong', () => {
    const { alarm, send, says, news, world, incidents } = startIncidents()
    let count = 0
    const saysAt = (message: string, at: number, simSlot = 1) => {
      const id = `late ${++count}`
      send({ type: 'received', id, from: PEOPLE.ada, message, at: new Date(at).toISOString(), simSlot })
    }
    alarm()
    news()
    world.advance(2 * MINUTE)
    const toldAt = world.wallMs - 2 * MINUTE
    saysAt('ok', toldAt - 6 * MINUTE)
    saysAt('2 done', toldAt - 12 * 60 * MINUTE)
    const early = 'ada: Written before 2 came. Still 2: I take it?'
    assert.deepEqual([news(), incidents()[0]?.state], [[early, early], 'open'])
    // The clock of the second SIM is an hour behind, as its last texts show.
    for (let left = 5; left > 0; left--)
      saysAt(`A letter that is longer than any answer, ${left}`, world.wallMs - 60 * MINUTE, 2)
    saysAt('2', world.wallMs - 60 * MINUTE, 2)
    assert.deepEqual([news()[0], incidents()[0]?.state], ['ada: Yours: DOWN nas', 'taken'])
    says('ada', '2 done')
    news()
    alarm('router')
    news()
    saysAt('ok', world.wallMs - 4 * MINUTE)
    assert.equal(news()[0], 'ada: Yours: DOWN router')
  })

  test('replies go through the phone and the SIM that got the text, the others as before', () => {
    const { alarm, says, world, deviceId } = startIncidents()
    alarm()
    const ways = () =>
      world.database
        .prepare('SELECT text, sim_slot, pinned FROM message ORDER BY serial')
        .all()
        .map(row => [String(row['text']).split(ASKS)[0], row['sim_slot'], row['pinned']])
    const told = ['DOWN nas', null, 0]
    assert.deepEqual(ways(), [told])
    says('ada', 'ok thanks')
    says('ada', '2')
    const hint = 'Not understood. 2: I take it, no: pass on, ?: list'
    assert.deepEqual(ways(), [told, [hint, 1, 1], ['Yours: DOWN nas', 1, 1]])
    assert.ok(deviceId)
  })

  test('a national number is read with the country of the SIM', () => {
    const { alarm, says, news } = startIncidents({ country: 'US' })
    alarm()
    news()
    says('(415) 555-2671', '2')
    assert.deepEqual(news(), [])
    says('(415) 555-0201', '2')
    assert.deepEqual(news(), ['ada: Yours: DOWN nas'])
    const unknown = startIncidents()
    unknown.alarm()
    unknown.news()
    unknown.says('(415) 555-0201', '2')
    assert.deepEqual(unknown.news(), [])
  })
})
