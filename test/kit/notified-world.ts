/** The domain with a phone and an account that gets notifications. The test reports how deliveries ended. */

import assert from 'node:assert/strict'
import type { AcceptMessage } from '#contracts/commands.ts'
import type { PhoneFrame } from '#contracts/device-frames.ts'
import type { AttemptResult } from '#contracts/notification-attempt.ts'
import type { DueDelivery, ReportedAttempt } from '#contracts/notification-delivery.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import type { Delivery } from '#domain/notification/notification-store.ts'
import { openDeliveryReader } from '#storage/notification-reader.ts'
import { HELLO } from '#test/kit/hello.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { TestWorld } from '#test/kit/world.ts'

export const HOOK = 'https://receiver.test/hook'
const SOCKET = 7

export const OK = answered(204)
export const HUNG: AttemptResult = { ...OK, outcome: 'error', status: null, error: 'TIMEOUT' }

export function answered(status: number, retryAfterMs: number | null = null): AttemptResult {
  return { outcome: 'response', status, error: null, retryAfterMs, durationMs: 12 }
}

export class NotifiedWorld {
  readonly world: TestWorld
  readonly accountId: string
  readonly deviceId: string

  constructor(world = new TestWorld()) {
    this.world = world
    const owner = world.ask('gateway.first-start', {})
    assert.ok(owner)
    this.accountId = owner.accountId
    const { code } = world.ask('device.create-pairing', { accountId: this.accountId, name: 'Shelf' })
    const pairing = { code, name: null, platform: null, appVersion: null }
    this.deviceId = world.ask('device.pair', pairing).deviceId
  }

  /** Registers the URL for every event. */
  subscribe(url = HOOK): void {
    const { accountId } = this
    this.world.ask('notification.set', { accountId, url, events: NOTIFICATION_EVENTS })
  }

  connect(): void {
    this.world.sendFromPhone(this.deviceId, SOCKET, HELLO)
    this.world.sendFromPhone(this.deviceId, SOCKET, { type: 'sync', messages: [], more: false })
  }

  disconnect(): void {
    const connection = { listener: 1, socket: SOCKET }
    this.world.ask('phone.closed', { deviceId: this.deviceId, connection, silentMs: 0 })
  }

  sendFrame(frame: PhoneFrame): void {
    this.world.sendFromPhone(this.deviceId, SOCKET, frame)
  }

  accept(change: Partial<AcceptMessage> = {}): string {
    const message = messageToAccept(this.accountId, change)
    return acceptedIn(this.world.ask('message.accept', message)).messageId
  }

  /** Accepts a sandbox message and lets it be delivered, which makes two events. */
  deliver(change: Partial<AcceptMessage> = {}): string {
    const id = this.accept({ test: true, ...change })
    this.world.advance(2_000)
    return id
  }

  /** Does what the sender does: reports attempts, and takes the due deliveries. */
  exchange(results: readonly ReportedAttempt[] = [], room = 512): readonly DueDelivery[] {
    return this.world.ask('notification.exchange', { results, room }).deliveries
  }

  /** Sends what is due, reports this result for each, and returns what was sent. */
  sendAll(result: AttemptResult, random = 0.5): readonly DueDelivery[] {
    const due = this.exchange()
    this.exchange(reports(due, result, random), 0)
    return due
  }

  /** Sends until nothing is due. */
  sendEverything(): void {
    while (this.sendAll(OK).length > 0);
  }

  /** Newest first. */
  deliveries(): readonly Delivery[] {
    return openDeliveryReader(this.world.database).list({
      accountId: this.accountId,
      status: null,
      event: null,
      messageId: null,
      since: null,
      until: null,
      before: null,
      limit: 1000,
    }).deliveries
  }

  setting() {
    return this.world.ask('notification.find', { accountId: this.accountId })
  }
}

/** Reports this result for each of the deliveries. */
export function reports(due: readonly DueDelivery[], result: AttemptResult, random = 0.5): ReportedAttempt[] {
  return due.map(({ id, url }) => ({ id, url, result, random }))
}
