/** A gateway with a phone, beside all services that forwards pass texts on to, and a mail server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import * as v from 'valibot'
import { ForwardResource } from '#contracts/forward.ts'
import type { DeliveryResource } from '#contracts/notification.ts'
import { ChatServices, KNOWN } from '#test/kit/chat-services.ts'
import { startGateway, type TestAccount, type TestAnswer, type TestGateway } from '#test/kit/gateway.ts'
import { PLANS_WITHOUT_CALL_LIMIT } from '#test/kit/notified-gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { type Receiver, startReceiver } from '#test/kit/rogue-receiver.ts'

const MAIL_LOGIN = { user: 'roost', pass: 'mail-pass-word' }

export const StrictForward = v.strictObject(ForwardResource.entries)

export class ForwardingGateway {
  readonly services = new ChatServices()
  readonly mails: string[] = []
  /** What the mail server answers to a mail; null: it takes it. */
  mailFault: { readonly responseCode: number; readonly message: string } | null = null
  gateway!: TestGateway
  owner!: TestAccount
  phone!: PairedPhone
  receiver!: Receiver
  readonly #mailServer = new SMTPServer({
    logger: false,
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) =>
      username === MAIL_LOGIN.user && password === MAIL_LOGIN.pass
        ? done(null, { user: username })
        : done(new Error('wrong login')),
    onData: (stream, _, done) => {
      void readText(stream).then(mail => {
        const fault = this.mailFault
        if (fault !== null) return done(Object.assign(new Error(fault.message), fault))
        this.mails.push(mail)
        done()
      })
    },
  })

  async start(): Promise<void> {
    this.receiver = await startReceiver(this.services.behave)
    this.#mailServer.listen(0, '127.0.0.1')
    await once(this.#mailServer.server, 'listening')
    const { port } = this.#mailServer.server.address() as AddressInfo
    const smtp_url = `smtp://${MAIL_LOGIN.user}:${MAIL_LOGIN.pass}@127.0.0.1:${port}`
    this.gateway = await startGateway({
      config: {
        plans: PLANS_WITHOUT_CALL_LIMIT,
        notifications: { allowed_hosts: ['127.0.0.1'] },
        mail: { smtp_url, from: 'Roost <roost@example.org>' },
      },
    })
    this.owner = await this.gateway.owner()
    this.phone = await PairedPhone.pair(this.gateway, this.owner.accountId)
    await this.phone.connect(this.gateway.url)
  }

  async stop(): Promise<void> {
    await this.phone.disconnect()
    await this.gateway.stop()
    await this.receiver.close()
    await new Promise<void>(resolve => this.#mailServer.close(() => resolve()))
  }

  call(method: string, path: string, json?: unknown, token = this.owner.token): Promise<TestAnswer> {
    return this.gateway.call(method, `/api/v1${path}`, { token, ...(json !== undefined && { json }) })
  }

  async create(fields: object): Promise<ForwardResource> {
    const { status, json, text } = await this.call('POST', '/forwards', { name: 'F', ...fields })
    assert.equal(status, 200, text)
    return v.parse(StrictForward, json?.data)
  }

  /** Waits until every delivery was tried, and returns the newest ones. */
  async settled(): Promise<readonly DeliveryResource[]> {
    for (;;) {
      const { json } = await this.call('GET', '/notifications/deliveries')
      const deliveries = json?.data as unknown as DeliveryResource[]
      if (deliveries.every(({ status, attempts }) => status !== 'pending' || attempts > 0)) return deliveries
    }
  }

  /** An address of the services. */
  at(path: string): string {
    return this.receiver.url.replace(/\/hook$/, path)
  }

  /** The settings of a forward of each kind; Ada gets those by text. */
  async settingsOfAll(): Promise<Readonly<Record<ForwardResource['kind'], object>>> {
    const added = await this.call('POST', '/people', { name: 'Ada', phoneNumber: '+14155550201' })
    return {
      ntfy: { url: this.at('/ntfy/alerts'), credential: KNOWN.ntfy },
      gotify: { url: this.at('/gotify/'), credential: KNOWN.gotify },
      telegram: { url: this.at('/telegram'), target: KNOWN.chat, credential: KNOWN.telegram },
      matrix: { url: this.at('/matrix'), target: KNOWN.room, credential: KNOWN.matrix },
      slack: { url: this.at('/slack/services/T0/B0/x') },
      discord: { url: this.at('/discord/api/webhooks/1/x') },
      email: { target: 'ada@example.net' },
      sms: { target: added.json?.data['id'] },
    }
  }
}
