/** How an alert was read: in previews, and in the triggers of a webhook. */
import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import {
  issuesOf,
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

const KNOWN = { monitor: { name: 'NAS' }, heartbeat: { status: 0, msg: 'timeout' } }
const SETTLED = 'KAPUTT Pumpe 3: kein Druck (Keller)'

suite('a preview', () => {
  test('says whether it was a guess, and lists the fields with their roles and the shape', async () => {
    const { guess, fields, shape } = await rig.previewOf({ payload: UNKNOWN_ALERT })
    assert.equal(guess, true)
    assert.deepEqual(
      fields.map(({ path, value }) => [path, value]),
      [
        ['geraet', 'Pumpe 3'],
        ['lage', 'kaputt'],
        ['grund', 'kein Druck'],
        ['ort', 'Keller'],
        ['liste.0.x', '1'],
      ],
    )
    const longer = await rig.previewOf({ payload: { ...UNKNOWN_ALERT, liste: [{ x: 1 }, { x: 2 }] } })
    assert.equal(longer.shape, shape)
    assert.notEqual((await rig.previewOf({ payload: { ...UNKNOWN_ALERT, more: 1 } })).shape, shape)
    const known = await rig.previewOf({ payload: KNOWN })
    assert.equal(known.guess, false)
    assert.equal(rolesOf(known.fields)['thing'], 'monitor.name')
  })

  test('lists at most 200 fields', async () => {
    const payload = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, index]))
    assert.equal((await rig.previewOf({ payload })).fields.length, 200)
  })

  test('reads headers, with a payload or a body', async () => {
    const headers = { Title: 'Backup failed', Cookie: 'none' }
    assert.match(
      (await rig.previewOf({ body: 'on nas', headers })).message,
      /^FAILED Backup.*on nas|Backup failed/,
    )
    const push = { repository: { full_name: 'me/roost' }, action: 'opened' }
    const plain = await rig.previewOf({ payload: push })
    const asIssue = await rig.previewOf({ payload: push, headers: { 'X-GitHub-Event': 'issues' } })
    assert.deepEqual([plain.guess, asIssue.guess], [true, false])
    const refused = await rig.webhooks.call('POST', '/preview', { body: 'x', headers: { title: 7 } })
    assert.deepEqual(issuesOf(refused), ['headers.title must be text'])
  })

  test('counts the readings of its webhook, and roles that are only tried', async () => {
    const { id } = await rig.webhooks.create()
    const { shape } = await rig.previewOf({ payload: UNKNOWN_ALERT })
    await rig.settle(id, shape, ROLES)
    const settled = await rig.previewOf({ payload: UNKNOWN_ALERT, webhookId: id })
    assert.deepEqual([settled.message, settled.guess], [SETTLED, false])
    assert.deepEqual(rolesOf(settled.fields), ROLES)
    assert.equal((await rig.previewOf({ payload: UNKNOWN_ALERT })).guess, true)
    const tried = { payload: UNKNOWN_ALERT, webhookId: id, reading: { thing: 'ort', state: 'lage' } }
    assert.equal((await rig.previewOf(tried)).message, 'KAPUTT Keller: kein Druck (Pumpe 3)')
    assert.equal(
      await statusOf(rig.others.call('POST', '/preview', { payload: UNKNOWN_ALERT, webhookId: id })),
      404,
    )
    assert.equal((await rig.previewOf({ payload: UNKNOWN_ALERT, reading: {} })).guess, false)
  })
})

suite('a trigger in the list', () => {
  test('has seq, guess, fields and shape, and by its seq the body and the headers that matter', async () => {
    const { id, url } = await rig.webhooks.create()
    const headers = { 'X-Priority': '5', 'X-Other': 'no' }
    await rig.webhooks.trigger(url, UNKNOWN_ALERT, { headers })
    await rig.webhooks.trigger(url, KNOWN)
    const [known, guessed] = await rig.triggersOf(id)
    const preview = await rig.previewOf({ payload: UNKNOWN_ALERT })
    assert.deepEqual([guessed?.guess, guessed?.fields, guessed?.shape], [true, preview.fields, preview.shape])
    assert.equal(known?.guess, false)
    assert.ok((known?.seq ?? 0) > (guessed?.seq ?? 0))
    const detail = await rig.detailOf(id, guessed?.seq ?? 0)
    assert.deepEqual(
      [detail.body, detail.contentType, detail.headers],
      [JSON.stringify(UNKNOWN_ALERT), 'application/json', { 'x-priority': '5' }],
    )
    const { body, contentType, headers: _, ...listed } = detail
    const { unsettled, choices, ...shown } = guessed ?? {}
    assert.deepEqual([listed, unsettled, choices?.thing], [shown, true, ['geraet']])
    for (const seq of ['0', `${guessed?.seq}x`, '99999999', '-1', '%00'])
      assert.equal(await statusOf(rig.webhooks.call('GET', `/${id}/triggers/${seq}`)), 404, seq)
    assert.equal(await statusOf(rig.others.call('GET', `/${id}/triggers/${guessed?.seq}`)), 404)
    const mine = await rig.webhooks.create()
    assert.equal(await statusOf(rig.webhooks.call('GET', `/${mine.id}/triggers/${guessed?.seq}`)), 404)
  })

  test('marks its texts when they were a guess, but not those of a template', async () => {
    const isMarked = async (parts: object, body: unknown) => {
      const { url } = await rig.webhooks.create(parts)
      const { messages } = triggeredOf(await rig.webhooks.trigger(url, body))
      const path = `/api/v1/sms/${messages[0]?.messageId}`
      const { json } = await rig.gateway.call('GET', path, { token: rig.owner.token })
      return json?.data['guess']
    }
    assert.equal(await isMarked({}, UNKNOWN_ALERT), true)
    assert.equal(await isMarked({}, KNOWN), false)
    assert.equal(await isMarked({ messageTemplate: 'x {{state}}' }, UNKNOWN_ALERT), false)
  })

  test('keeps neither fields nor body when keepLastBody is off', async () => {
    const { id, url } = await rig.webhooks.create()
    await rig.webhooks.trigger(url, UNKNOWN_ALERT)
    await rig.webhooks.update(id, { keepLastBody: false })
    await rig.webhooks.trigger(url, { ...UNKNOWN_ALERT, ort: 'Dach' })
    for (const { seq, fields, guess } of await rig.triggersOf(id)) {
      assert.deepEqual([fields, guess, (await rig.detailOf(id, seq)).body], [[], true, null])
    }
  })

  test('keeps 256 KiB of requests: the newest', async () => {
    const { id, url } = await rig.webhooks.create({ maxPerHour: 100 })
    for (let index = 0; index < 20; index += 1)
      await rig.webhooks.trigger(url, { text: `${index} ${'words and words '.repeat(1100)}` })
    const triggers = await rig.triggersOf(id)
    const bodies = await Promise.all(triggers.map(async ({ seq }) => (await rig.detailOf(id, seq)).body))
    const kept = bodies.filter(body => body !== null)
    assert.equal(kept.length, bodies.indexOf(null))
    assert.ok(kept.length >= 10 && kept.length < 20, `${kept.length}`)
  })

  test('of a body with 10,000 paths and long names has few fields with short paths', async () => {
    const { id, url } = await rig.webhooks.create()
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 'v'.repeat(9)]),
    )
    await rig.webhooks.trigger(url, { ['n'.repeat(300)]: 'x', ...many })
    const { fields } = await rig.lastOf(id)
    assert.equal(fields.length, 199)
    assert.ok(fields.every(({ path }) => path.length <= 200))
  })

  test('that was filtered or over the cap is read too', async () => {
    const { id, url } = await rig.webhooks.create({ maxPerHour: 1, sendRecovered: false })
    await rig.webhooks.trigger(url, UNKNOWN_ALERT)
    await rig.webhooks.trigger(url, { ...UNKNOWN_ALERT, geraet: 'Pumpe 4' })
    const { outcome, fields, guess } = await rig.lastOf(id)
    assert.deepEqual([outcome, guess, fields[0]?.value], ['OVER_CAP', true, 'Pumpe 4'])
  })
})

test('the texts of a week that were guesses are counted', async () => {
  const { id, url } = await rig.webhooks.create()
  for (const geraet of ['1', '2']) await rig.webhooks.trigger(url, { ...UNKNOWN_ALERT, geraet })
  await rig.webhooks.trigger(url, { ...UNKNOWN_ALERT, geraet: '2' })
  await rig.webhooks.trigger(url, KNOWN)
  await rig.webhooks.call('POST', `/${id}/test`)
  await rig.webhooks.update(id, { messageTemplate: '{{geraet}}' })
  await rig.webhooks.trigger(url, { ...UNKNOWN_ALERT, geraet: '4' })
  const { usage } = await rig.webhooks.find(id)
  assert.deepEqual([usage.guessed, usage.total], [2, 5])
})

test('AWS SNS asks to be confirmed: one segment is sent, and the owner sees the link', async () => {
  const { id, url } = await rig.webhooks.create()
  const query = `Action=ConfirmSubscription&Token=${'23f'.repeat(90)}`
  const SubscribeURL = `https://sns.eu-west-1.amazonaws.com/?${query}`
  const body = JSON.stringify({
    Type: 'SubscriptionConfirmation',
    TopicArn: 'arn:aws:sns:eu-west-1:123456789012:ops',
    Message: 'You have chosen to subscribe to the topic. To confirm, visit the SubscribeURL.',
    SubscribeURL,
  })
  const headers = { 'Content-Type': 'text/plain; charset=UTF-8' }
  const { message, messages } = triggeredOf(await rig.gateway.call('POST', url, { headers, body }))
  assert.equal(message, 'CONFIRM subscription: topic ops waits until you open its link')
  const sent = await rig.gateway.call('GET', `/api/v1/sms/${messages[0]?.messageId}`, {
    token: rig.owner.token,
  })
  assert.equal(sent.json?.data['segments'], 1)
  assert.equal((await rig.lastOf(id)).confirmationUrl, SubscribeURL)
  assert.equal((await rig.previewOf({ body, contentType: 'text/plain' })).confirmationUrl, SubscribeURL)
  const evil = body.replace('sns.eu-west-1.amazonaws.com', 'sns.eu-west-1.amazonaws.com.evil.example')
  assert.equal((await rig.previewOf({ body: evil })).confirmationUrl, null)
})
