/** How the owner of a webhook settles what its alerts say. */
import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import * as v from 'valibot'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { ReadingResource } from '#contracts/alert-reading.ts'
import {
  issuesOf,
  parse,
  type ReadingRig,
  ROLES,
  rolesOf,
  startReadingRig,
  statusOf,
  UNKNOWN_ALERT,
} from '#test/kit/reading-rig.ts'
import { triggeredOf } from '#test/kit/webhook-calls.ts'

let rig: ReadingRig
beforeEach(async () => {
  rig = await startReadingRig()
})

const SETTLED = 'KAPUTT Pumpe 3: kein Druck (Keller)'
const SHAPE = '0123456789abcdef'

suite('a settled reading', () => {
  test('makes the text of that shape from then on, until it is forgotten', async () => {
    const { id, url } = await rig.webhooks.create()
    const before = triggeredOf(await rig.webhooks.trigger(url, UNKNOWN_ALERT))
    const { shape, guess } = await rig.lastOf(id)
    assert.ok(shape !== null && guess && before.message !== SETTLED)
    const put = parse(v.strictObject(ReadingResource.entries), await rig.settle(id, shape, ROLES))
    assert.deepEqual(
      { ...put, match: [], settledAt: '' },
      { shape, match: [], ...ROLES, over: [], settledAt: '' },
    )
    assert.deepEqual(put.match, ['geraet', 'lage', 'grund', 'ort', 'liste.0.x'])
    assert.deepEqual(await rig.readingsOf(id), [put])
    const next = { ...UNKNOWN_ALERT, geraet: 'Pumpe 9', liste: [{ x: 1 }, { x: 5 }] }
    assert.equal(
      triggeredOf(await rig.webhooks.trigger(url, next)).message,
      'KAPUTT Pumpe 9: kein Druck (Keller)',
    )
    const settled = await rig.lastOf(id)
    assert.deepEqual([settled.guess, rolesOf(settled.fields)], [false, ROLES])
    assert.deepEqual((await rig.webhooks.call('DELETE', `/${id}/readings/${shape}`)).json?.data, { shape })
    await rig.webhooks.trigger(url, { ...UNKNOWN_ALERT, geraet: 'Pumpe 10' })
    assert.equal((await rig.lastOf(id)).guess, true)
    assert.deepEqual(await rig.readingsOf(id), [])
    assert.equal(await statusOf(rig.webhooks.call('DELETE', `/${id}/readings/${shape}`)), 404)
  })

  test('names the paths of a list by those of its first item', async () => {
    const { id, url } = await rig.webhooks.create()
    await rig.webhooks.trigger(url, { ...UNKNOWN_ALERT, liste: [{ x: 1 }, { x: 2 }] })
    const { shape } = await rig.lastOf(id)
    const put = parse(v.strictObject(ReadingResource.entries), await rig.settle(id, shape ?? '', ROLES))
    assert.deepEqual(put.match, ['geraet', 'lage', 'grund', 'ort', 'liste.0.x'])
  })

  test('asks once for each shape that was guessed, with the best paths of each role', async () => {
    const { id, url } = await rig.webhooks.create()
    await rig.webhooks.trigger(url, UNKNOWN_ALERT)
    await rig.webhooks.trigger(url, { ...UNKNOWN_ALERT, geraet: 'Pumpe 9' })
    await rig.webhooks.trigger(url, { alertname: 'Disk', tank: 'full' })
    const asked = async () => (await rig.triggersOf(id)).map(({ unsettled = false }) => unsettled)
    assert.deepEqual(await asked(), [true, true, false])
    const [, newest] = await rig.triggersOf(id)
    const paths = newest?.fields.map(({ path }) => path) ?? []
    for (const list of Object.values(newest?.choices ?? {})) {
      assert.ok(list.length <= 3 && list.every(path => paths.includes(path)))
    }
    assert.ok(newest?.choices?.thing.includes('geraet'))
    const looksRight = await rig.settle(id, newest?.shape ?? '', {})
    assert.equal(looksRight.status, 200)
    assert.deepEqual(await asked(), [true, false, false])
    const same = triggeredOf(
      await rig.webhooks.trigger(url, { ...UNKNOWN_ALERT, geraet: 'Pumpe 9', ort: 'Dach' }),
    )
    const [again] = await rig.triggersOf(id)
    assert.deepEqual([again?.guess, again?.unsettled], [false, undefined])
    assert.equal(same.message, newest?.message?.replace('Keller', 'Dach'))
  })

  test('decides by the values that mean over, and refuses more than twenty', async () => {
    const { id, url } = await rig.webhooks.create()
    await rig.webhooks.trigger(url, UNKNOWN_ALERT)
    const { shape } = await rig.lastOf(id)
    const path = `/${id}/readings/${shape}`
    const wrong = await rig.webhooks.call('PUT', path, { state: 'lage', over: Array(21).fill(1) })
    assert.deepEqual(issuesOf(wrong), ['over must have at most 20 values'])
    assert.equal((await rig.settle(id, shape ?? '', { ...ROLES, over: ['GUT'] })).status, 200)
    const preview = (lage: string) => rig.previewOf({ webhookId: id, payload: { ...UNKNOWN_ALERT, lage } })
    assert.deepEqual(
      [await preview('gut'), await preview('resolved')].map(({ state, message }) => [state, message]),
      [
        ['recovered', 'OK Pumpe 3: gut. kein Druck (Keller)'],
        ['firing', 'ALERT Pumpe 3: resolved. kein Druck (Keller)'],
      ],
    )
  })

  test('counts for mails, forms, plain text, and JSON inside a string', async () => {
    const { id, url } = await rig.webhooks.create()
    const bodies: readonly (readonly [
      type: string,
      body: (n: number) => string,
      roles: object,
      text: RegExp,
    ])[] = [
      [
        'text/plain',
        n => `From: nas@example.com\nTo: me@example.com\nSubject: Report ${n}\n\nUnit: pump\nCode: E7\n`,
        { thing: 'Unit', reason: 'Code' },
        /pump: E7/,
      ],
      [
        'application/x-www-form-urlencoded',
        n => `zone=cellar&code=E${n}`,
        { thing: 'zone', reason: 'code' },
        /cellar: E2/,
      ],
      [
        'text/plain',
        n => `Unit: pump ${n}\nCode: E7\nOther: x`,
        { thing: 'Unit', reason: 'Code' },
        /pump 2: E7/,
      ],
      [
        'application/json',
        n => JSON.stringify({ kind: 'x', inner: JSON.stringify({ unit: 'pump', code: `E${n}` }) }),
        { thing: 'inner.unit', reason: 'inner.code' },
        /pump: E2/,
      ],
    ]
    for (const [type, body, roles, text] of bodies) {
      const post = (n: number) =>
        rig.gateway.call('POST', url, { headers: { 'Content-Type': type }, body: body(n) })
      await post(1)
      const { shape } = await rig.lastOf(id)
      parse(ReadingResource, await rig.settle(id, shape ?? '', roles))
      assert.match(triggeredOf(await post(2)).message, text)
    }
  })

  test('keeps state words, filters and templates working', async () => {
    const { id, url } = await rig.webhooks.create({ sendRecovered: false })
    const body = { a: 'pump', b: 'down', c: 'x' }
    await rig.webhooks.trigger(url, body)
    await rig.settle(id, (await rig.lastOf(id)).shape ?? '', { thing: 'a', state: 'b' })
    assert.match(triggeredOf(await rig.webhooks.trigger(url, { ...body, c: 'y' })).message, /^DOWN pump/)
    await rig.webhooks.update(id, { messageTemplate: '{{thing}} is {{state}}' })
    assert.equal(triggeredOf(await rig.webhooks.trigger(url, { ...body, c: 'z' })).message, 'pump is DOWN')
  })

  test('survives a change and a rotation, and counts at the new address', async () => {
    const { id, url } = await rig.webhooks.create()
    await rig.webhooks.trigger(url, UNKNOWN_ALERT)
    await rig.settle(id, (await rig.lastOf(id)).shape ?? '', ROLES)
    await rig.webhooks.update(id, { name: 'other' })
    const rotated = await rig.webhooks.rotate(id)
    const { message } = triggeredOf(
      await rig.webhooks.trigger(rotated.url, { ...UNKNOWN_ALERT, ort: 'Dach' }),
    )
    assert.equal(message, SETTLED.replace('Keller', 'Dach'))
  })

  test('is removed with its webhook', async () => {
    const { id } = await rig.webhooks.create()
    await rig.settle(id, SHAPE, ROLES)
    await rig.webhooks.call('DELETE', `/${id}`)
    assert.equal(await statusOf(rig.webhooks.call('GET', `/${id}/readings`)), 404)
  })

  test('is refused with the field and the fix', async () => {
    const { id, url } = await rig.webhooks.create()
    await rig.webhooks.trigger(url, UNKNOWN_ALERT)
    const shape = (await rig.lastOf(id)).shape ?? ''
    const rows: readonly (readonly [shape: string, roles: unknown, issues: RegExp])[] = [
      ['xyz', ROLES, /^shape must be a shape/],
      [`${shape}0`, ROLES, /^shape must be a shape/],
      [shape.toUpperCase().replace(/\d/g, 'A'), ROLES, /^shape must be a shape/],
      [shape, { state: 'lage', over: 'gut' }, /^over must be a list$/],
      [shape, { state: 'lage', over: [null] }, /^over.0 must be a text, a number or a flag$/],
      [shape, [], /the body/],
      [shape, { thing: '' }, /^thing must be the path of a field$/],
      [shape, { thing: 'x'.repeat(201) }, /^thing must be at most 200 characters$/],
      [shape, { thing: ['geraet'] }, /^thing must be the path of a field$/],
      [shape, { state: 'nowhere' }, /^state is not a field of this shape/],
      [shape, { thing: '__proto__' }, /^thing is not a field of this shape/],
      [shape, { thing: 'constructor.name' }, /^thing is not a field of this shape/],
      [shape, { thing: '\0' }, /^thing must be the path of a field$/],
    ]
    for (const [at, roles, issue] of rows) {
      const [first = '', second] = issuesOf(await rig.settle(id, at, roles as object))
      assert.match(first, issue, JSON.stringify(roles).slice(0, 80))
      assert.equal(second, undefined)
    }
    // The items of a list may be more than in the last body.
    assert.equal(await statusOf(rig.settle(id, shape, { thing: 'liste.7.x' })), 200)
    assert.equal(await statusOf(rig.settle(id, SHAPE, ROLES)), 200)
  })

  test('of a path that a prototype has says nothing', async () => {
    const { id } = await rig.webhooks.create()
    const { shape, message } = await rig.previewOf({ payload: UNKNOWN_ALERT })
    for (const path of [
      '__proto__',
      'constructor',
      'toString',
      'liste.length',
      '__proto__.constructor.name',
    ]) {
      await rig.settle(id, shape, { thing: path })
      assert.equal((await rig.previewOf({ payload: UNKNOWN_ALERT, webhookId: id })).message, message, path)
    }
    for (const path of ['__proto__', 'constructor'])
      assert.equal(await statusOf(rig.settle(id, path, ROLES)), 400, path)
  })

  test('is one of at most 50 for a webhook', async () => {
    const { id } = await rig.webhooks.create()
    const shapeAt = (index: number) => index.toString(16).padStart(16, '0')
    for (let index = 0; index < ACCOUNT_BOUNDS.readings.most; index += 1)
      await rig.settle(id, shapeAt(index), ROLES)
    const { status, json } = await rig.settle(id, shapeAt(99), ROLES)
    assert.deepEqual([status, json?.error.code], [409, 'CONFLICT'])
    assert.equal(await statusOf(rig.settle(id, shapeAt(3), { thing: 'ort' })), 200)
    assert.equal((await rig.readingsOf(id)).length, ACCOUNT_BOUNDS.readings.most)
  })

  test('of another account is not found, and a key is refused', async () => {
    const { id, url } = await rig.webhooks.create()
    await rig.webhooks.trigger(url, UNKNOWN_ALERT)
    const { shape, seq } = await rig.lastOf(id)
    const calls: readonly (readonly [method: string, path: string, json?: object])[] = [
      ['PUT', `/${id}/readings/${shape}`, ROLES],
      ['DELETE', `/${id}/readings/${shape}`],
      ['GET', `/${id}/readings`],
      ['GET', `/${id}/triggers`],
      ['GET', `/${id}/triggers/${seq}`],
    ]
    await rig.settle(id, shape ?? '', ROLES)
    for (const [method, path, json] of calls) {
      assert.equal(await statusOf(rig.others.call(method, path, json)), 404, method)
      for (const key of [rig.owner.liveKey, rig.owner.testKey]) {
        const options = { key, ...(json !== undefined && { json }) }
        const answer = await rig.gateway.call(method, `/api/v1/webhooks${path}`, options)
        assert.equal(answer.status, 401, `${method} ${path}`)
      }
    }
    assert.equal((await rig.readingsOf(id)).length, 1)
  })
})
