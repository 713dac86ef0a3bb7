/** A sender that repeats itself sends no second text; one that says something new in between does. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { answerOf, WebhookCalls } from '#test/kit/webhook-calls.ts'

let gateway: SharedGateway
let owner: TestAccount
let phone: PairedPhone
let webhooks: WebhookCalls

beforeEach(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  phone = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
  webhooks = new WebhookCalls(gateway, owner.token)
})
afterEach(() => phone.disconnect())

const freezer = (status: string) => ({ title: 'Freezer', message: status === 'up' ? 'cold' : 'warm', status })
const router = (status: string) => ({ title: 'Router', message: `it is ${status}`, status })
const startsAt = '2026-01-31T12:00:00Z'
const alertmanager = (status: string) => {
  const labels = { alertname: 'DiskFull', instance: 'nas' }
  const alerts = [{ status, labels, annotations: {}, startsAt, endsAt: '0001-01-01T00:00:00Z' }]
  return { version: '4', receiver: 'r', status, groupLabels: labels, commonLabels: labels, alerts }
}

interface Course {
  readonly record?: object
  readonly bodies: readonly (object | string)[]
  /** Whether each body is told as a repeat. */
  readonly repeats: readonly boolean[]
  /** How many texts leave; default: one for each that is no repeat. */
  readonly texts?: number
}

const COURSES: Readonly<Record<string, Course>> = {
  'down, up, down of one thing are three texts': {
    bodies: [freezer('down'), freezer('up'), freezer('down')],
    repeats: [false, false, false],
  },
  'three lines of text without a thing are three texts': {
    bodies: ['Mains lost', 'Mains back', 'Mains lost'],
    repeats: [false, false, false],
  },
  'firing, resolved, firing of Alertmanager are three texts': {
    bodies: [alertmanager('firing'), alertmanager('resolved'), alertmanager('firing')],
    repeats: [false, false, false],
  },
  'the same body twice is one text': {
    bodies: [freezer('down'), freezer('down'), freezer('down')],
    repeats: [false, true, true],
  },
  'a repeat of the second time is one, too': {
    bodies: [freezer('down'), freezer('up'), freezer('down'), freezer('down')],
    repeats: [false, false, false, true],
  },
  'another thing in between makes no repeat new': {
    bodies: [freezer('down'), router('down'), freezer('down')],
    repeats: [false, false, true],
  },
  'an end that is filtered out counts as said': {
    record: { sendRecovered: false },
    bodies: [freezer('down'), freezer('up'), freezer('down')],
    repeats: [false, false, false],
    texts: 2,
  },
  'a webhook that gathers tells the third, too': {
    record: { gather: true },
    bodies: [freezer('down'), freezer('up'), freezer('down')],
    repeats: [false, false, false],
  },
}

for (const [name, { record = {}, bodies, repeats, texts }] of Object.entries(COURSES))
  test(name, async () => {
    const { url } = await webhooks.create({ maxPerHour: 1000, ...record })
    const seen: boolean[] = []
    for (const body of bodies) seen.push(answerOf(await webhooks.trigger(url, body)).duplicate)
    assert.deepEqual(seen, repeats)
    const wanted = texts ?? repeats.filter(one => !one).length
    await phone.whenSent(wanted)
    const { json } = await gateway.call('GET', '/api/v1/sms', { key: owner.liveKey })
    assert.equal(json?.data['length'], wanted)
  })
