import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { MINUTE, startStorm as start } from '#test/kit/storm-world.ts'
import { NO_FACTS } from '#test/kit/webhook-world.ts'

suite('a critical alert', () => {
  const critical = { severity: 'critical', isUrgent: true } as const

  test('about something new is told at once, at most twice a minute', () => {
    const { world, down, fill } = start()
    fill()
    assert.deepEqual(
      ['E', 'F', 'G'].map(subject => down(subject, critical).gathered),
      [false, false, true],
    )
    world.advance(MINUTE)
    assert.equal(down('H', critical).gathered, true)
    world.advance(1)
    assert.equal(down('I', critical).gathered, false)
  })

  test('is gathered if it was told already, or says that the problem is over', () => {
    const { down, about, fill, trigger } = start()
    fill()
    assert.equal(down('A', critical).gathered, true)
    assert.equal(about('New', { ...critical, state: 'recovered' }).gathered, true)
    assert.equal(trigger('no name', { ...NO_FACTS, ...critical }).gathered, false)
    assert.equal(trigger('no name again', { ...NO_FACTS, severity: 'critical' }).gathered, true)
  })

  test('leaves room in the cap for the texts of the storm', () => {
    const { world, down, news, usage } = start({ maxPerHour: 20 })
    for (let i = 0; i < 55; i++) {
      down(`one ${i}`, critical)
      down(`two ${i}`, critical)
      world.advance(MINUTE)
    }
    assert.ok(usage().thisHour <= 20)
    assert.equal(news().filter(text => / down/.test(text)).length, 6)
  })
})

suite('a storm survives', () => {
  test('a restart: what was gathered is told, once, when it was due', () => {
    const { world, down, fill, news } = start()
    fill()
    down('E')
    news()
    world.advance(20_000)
    world.restart()
    world.advance(40_000 - 1)
    assert.deepEqual(news(), [])
    world.advance(1)
    assert.deepEqual(news(), ['1 down: E. 4 still down'])
    world.restart()
    world.advance(60 * MINUTE)
    assert.deepEqual(news(), [])
  })

  test('a long time without the gateway: an overdue text is sent once', () => {
    const { world, down, fill, news } = start()
    fill()
    down('E')
    news()
    world.wallMs += 8 * 60 * MINUTE
    world.restart()
    world.advance(0)
    assert.deepEqual(news(), ['1 down: E. 4 still down'])
    world.advance(60 * MINUTE)
    assert.deepEqual(news(), [])
  })

  for (const jumpMs of [-30 * 86_400_000, 30 * 86_400_000])
    test(`a jump of the wall clock by ${jumpMs} ms`, () => {
      const { world, down, fill, texts } = start()
      fill()
      down('E')
      world.wallMs += jumpMs
      world.advance(MINUTE - 1)
      assert.equal(texts().length, 4)
      world.advance(1)
      assert.equal(texts().length, 5)
      assert.ok(texts().includes('1 down: E. 4 still down'))
    })
})

test('what a webhook remembers of calm weather is forgotten after a night', () => {
  const { world, down, rows } = start()
  down('NAS')
  assert.equal(rows('webhook_storm'), 1)
  world.advance(14 * 60 * MINUTE)
  assert.equal(rows('webhook_storm'), 0)
})

test('a house goes offline: 25 monitors take five texts, and their recoveries two', () => {
  const { world, down, up, news, usage } = start()
  const names = Array.from({ length: 25 }, (_, i) => `Monitor ${i + 1}`)
  for (const name of names) {
    down(name)
    world.advance(400)
  }
  world.advance(MINUTE)
  assert.equal(news().length, 5)
  world.advance(90_000)
  for (const name of names.slice(0, 23)) up(name)
  world.advance(30_000)
  assert.deepEqual(news(), ['Still down: Monitor 24, Monitor 25. 23 up again'])
  for (const name of names.slice(23)) up(name)
  world.advance(5 * MINUTE)
  assert.deepEqual(news(), ['2 up again: Monitor 24, Monitor 25'])
  assert.equal(usage().rejected, 0)
})

suite('the texts of a storm', () => {
  test('name the machine, or the part, of things with the same name', () => {
    const { world, down, fill, news } = start()
    fill()
    news()
    for (const detail of ['web1', 'db1']) down('PING', { key: `thing:ping ${detail}`, detail })
    down('Router', { detail: 'attic' })
    world.advance(MINUTE)
    assert.deepEqual(news(), ['3 down: PING web1, PING db1, Router. 4 still down'])
  })

  test('count what has ended as such, also if ends are not texted', () => {
    const { world, down, up, fill, news, keepAlive } = start({ sendRecovered: false })
    fill()
    news()
    down('NAS')
    down('Router')
    const { triggered, reason } = up('Router')
    assert.deepEqual([triggered, reason], [false, 'FILTERED'])
    for (const subject of ['A', 'B']) up(subject)
    world.advance(MINUTE)
    assert.deepEqual(news(), ['1 down: NAS. 2 still down. 1 up again'])
    up('C')
    world.advance(2 * MINUTE)
    assert.deepEqual(news(), [])
    down('C')
    keepAlive(0)
    world.advance(4 * MINUTE)
    assert.deepEqual(news(), ['1 down: C. 2 still down'])
  })
})

suite('a group of alerts is told by its hosts', () => {
  type Group = readonly [subject: string, down: readonly string[], over?: readonly string[]]
  const startGroups = (fields = {}) => {
    const it = start(fields)
    const group = (...[subject, down, over = []]: Group) => {
      const thing = (name: string) => ({ key: `id:${subject}#${name}`, name, isOver: over.includes(name) })
      const state = down.length > 0 ? 'firing' : 'recovered'
      const things = [...down, ...over].map(thing)
      return it.about(subject, { key: `id:${subject}`, things, state, isWhole: true })
    }
    it.fill()
    it.news()
    return { ...it, group }
  }

  test('as many as fit, those that joined it, and those that are up again', () => {
    const { world, group, up, news } = startGroups()
    const hosts = Array.from({ length: 200 }, (_, i) => `host${i + 1}.lan`)
    group('InstanceDown', hosts)
    assert.equal(group('DiskFull', ['host1.lan', 'nas']).gathered, true)
    world.advance(MINUTE)
    const [text = ''] = news()
    const list = /^202 down: host1\.lan InstanceDown, host2\.lan, .+ \+(\d+)\. 4 still down$/.exec(text)
    const named = text.match(/host\d+\./g)?.length ?? 0
    assert.deepEqual([named + Number(list?.[1]), named > 20], [202, true], text)
    group('DiskFull', ['nas', 'web'], ['host1.lan'])
    for (const thing of 'ABCD') up(thing)
    world.advance(2 * MINUTE)
    assert.deepEqual(news(), ['1 down: web. 201 still down. 5 up again'])
    // What they leave out was silenced.
    group('InstanceDown', [], ['host1.lan'])
    group('DiskFull', [], ['nas'])
    world.advance(4 * MINUTE)
    assert.deepEqual(news(), ['2 up again: host1.lan, nas'])
  })

  test('but not by those whose ends the owner wants no text of', () => {
    const { world, group, news } = startGroups({ sendRecovered: false })
    group('DiskFull', ['nas', 'web'])
    world.advance(MINUTE)
    assert.deepEqual(news(), ['2 down: nas, web. 4 still down'])
    assert.equal(group('DiskFull', [], ['nas', 'web']).triggered, false)
    group('CpuHot', ['pc'])
    world.advance(2 * MINUTE)
    assert.deepEqual(news(), ['1 down: pc. 4 still down'])
  })
})
