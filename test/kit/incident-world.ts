import type { AlertFacts } from '#contracts/alert-reading.ts'
import type { PhoneFrame } from '#contracts/device-frames.ts'
import type { PolicyFields } from '#contracts/on-call.ts'
import type { WebhookFields } from '#contracts/webhook-commands.ts'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'
import { HELLO } from '#test/kit/hello.ts'
import { storedIncidents } from '#test/kit/stored-incidents.ts'
import { NO_FACTS, NOT_READ, startWebhook } from '#test/kit/webhook-world.ts'
import { TestWorld } from '#test/kit/world.ts'
import { factsOf } from '#transport/http/trigger-journal.ts'

export const PEOPLE = { ada: '+14155550201', bob: '+14155550202', eve: '+14155550203' } as const
type Nick = keyof typeof PEOPLE

interface Setup extends Partial<Pick<PolicyFields, 'rounds' | 'takenForMinutes'>> {
  /** Minute and people of each step. */
  readonly steps?: readonly (readonly [number, readonly Nick[]])[]
  /** Whether the steps ring, and the phone can. */
  readonly ring?: boolean
  /** Of the webhook. */
  readonly fields?: Partial<WebhookFields>
  readonly plan?: string
  /** In which the account is made; absent: a new one. */
  readonly world?: TestWorld
  /** Whether the phone sends nothing until `sendOffered`. */
  readonly isSlow?: boolean
  /** The country of the phone's only SIM. */
  readonly country?: string
}

/** A gateway with a phone that sends and hands in texts, three people, a policy, and a webhook with it. */
export function startIncidents(setup: Setup = {}) {
  const { ring = false, fields = {} } = setup
  const { world = new TestWorld() } = setup
  // The pace of a phone is tested elsewhere.
  Object.assign(world.settings, { segmentsPerMinute: 6000, segmentsBurst: 1000 })
  const it = startWebhook({ maxPerHour: 20 }, setup.plan, world)
  const { deviceId } = it
  const { people, policyId } = makePolicy(it, setup)
  world.ask('webhook.update', { ...it.ids, change: { recipients: [], ...fields, policyId } })
  let socket = 0
  const send = (frame: PhoneFrame) => world.sendFromPhone(deviceId, socket, frame)
  const connect = () => {
    socket += 1
    const sim = { slot: 1, carrier: null, countryCode: setup.country ?? null, phoneNumber: null }
    send({ ...HELLO, bootId: `boot ${socket}`, receives: true, calls: ring, sims: [sim] })
    send({ type: 'sync', messages: [], more: false })
  }
  connect()
  const sendOffered = () => {
    if (setup.isSlow !== true) sendAll(world, deviceId, send)
  }
  const nickOf = new Map<unknown, string>(Object.entries(PEOPLE).map(([nick, number]) => [number, nick]))
  let told = 0
  let received = 0
  return {
    ...it,
    policyId,
    people,
    connect,
    disconnect: () =>
      world.ask('phone.closed', { deviceId, connection: { listener: 1, socket }, silentMs: 0 }),
    /** What the gateway tells the phone since the last call. */
    frames: () => world.framesTo(socket).flatMap(output => (output.kind === 'frame' ? [output.frame] : [])),
    send,
    sendOffered,
    alarm: (subject = 'nas', facts: Partial<AlertFacts> = {}, text = `DOWN ${subject}`) =>
      it.trigger(text, { ...NO_FACTS, key: `thing:${subject}`, subject, state: 'firing', ...facts }),
    post: poster(it.trigger, sendOffered),
    over(subject = 'nas') {
      sendOffered()
      return it.trigger(`UP ${subject}`, {
        ...NO_FACTS,
        key: `thing:${subject}`,
        subject,
        state: 'recovered',
      })
    },
    /** The texts since the last call, oldest first: to whom, and what. */
    news() {
      sendOffered()
      const all = world.database.prepare('SELECT phone_number, text FROM message ORDER BY id').all()
      const fresh = all.slice(told)
      told = all.length
      return fresh.map(({ phone_number: number, text }) => `${nickOf.get(number) ?? number}: ${text}`)
    },
    /** A text from a person, or from any number. */
    says(who: string, message: string) {
      sendOffered()
      const from = Object.entries(PEOPLE).find(([nick]) => nick === who)?.[1] ?? who
      send({ type: 'received', id: `r${++received}`, from, message, at: null, simSlot: 1 })
    },
    tryWebhook() {
      const text = { text: 'test', segments: 1, encoding: 'GSM-7', format: 'generic' } as const
      const request = { requestHash: new Uint8Array(32), address: '192.0.2.1', facts: NO_FACTS, ...NOT_READ }
      return world.ask('webhook.test', { ...it.ids, ...text, ...request })
    },
    incidents: () => storedIncidents(world.database),
  }
}

/** Posts a body as a sender does. */
function poster(trigger: ReturnType<typeof startWebhook>['trigger'], sendOffered: () => void) {
  return (request: Parameters<typeof triggerRequest>[0]) => {
    sendOffered()
    const rendered = renderAlert(triggerRequest(request), null)
    return trigger(rendered.message, factsOf(rendered))
  }
}

/** The phone sends what it was offered. */
function sendAll(world: TestWorld, deviceId: string, send: (frame: PhoneFrame) => void): void {
  const offered = world.database.prepare(
    "SELECT id, attempt FROM message WHERE status = 'queued' AND device_id = ? ORDER BY serial",
  )
  for (const { id, attempt } of offered.all(deviceId)) {
    const sent = { messageId: String(id), attempt: Number(attempt) + 1 }
    send({ type: 'begin', ...sent })
    send({ type: 'report', ...sent, state: 'sent', code: null, detail: null, at: null })
  }
}

function makePolicy({ world, accountId }: ReturnType<typeof startWebhook>, setup: Setup) {
  const { ring = false, rounds = 2, takenForMinutes = 240 } = setup
  const { steps = [[0, ['ada']] as const, [5, ['bob']] as const] } = setup
  const idOf = (nick: Nick) => {
    const name = nick.charAt(0).toUpperCase() + nick.slice(1)
    const person = { name, phoneNumber: PEOPLE[nick], country: 'US', timeZone: null, quiet: null }
    return world.ask('person.create', { accountId, fields: person }).id
  }
  const people = { ada: idOf('ada'), bob: idOf('bob'), eve: idOf('eve') }
  const policy = {
    name: 'Night',
    steps: steps.map(([afterMinutes, tell]) => ({
      afterMinutes,
      tell: tell.map(nick => people[nick]),
      ring,
    })),
    rounds,
    takenForMinutes,
  }
  return { people, policyId: world.ask('policy.create', { accountId, fields: policy }).id }
}
