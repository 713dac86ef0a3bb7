/**
 * The writer's memory: every paired phone and every message that is not final. It is a copy of rows plus
 * state without rows (sockets, offers, pace). After a failed transaction it is rebuilt from the database, so
 * memory is never ahead of the disk.
 */

import { FreePhones, type NextShared } from '#domain/device/free-phones.ts'
import type { Phone, PhoneSession } from '#domain/device/phone.ts'
import { PhoneRanking } from '#domain/device/phone-ranking.ts'
import { MessageQueue, type OpenMessage } from '#domain/message/message-queue.ts'
import type { Routing } from '#domain/message/routing.ts'

export class Fleet {
  readonly phones = new Map<string, Phone>()
  readonly messages = new Map<string, OpenMessage>()
  /** Sessions that the running transaction opened or synced. This is undone if the transaction fails. */
  readonly uncommittedSessions = new Map<PhoneSession, 'opened' | 'synced'>()
  /** Accounts with messages that a phone gave back. These are offered again at the end of the transaction. */
  readonly accountsToOffer = new Set<string>()
  /** Phones that fetch messages and may have one waiting. They are woken at the end of the transaction. */
  readonly toWake = new Set<Phone>()
  readonly #phonesByAccount = new Map<string, Set<Phone>>()
  readonly #rankings = new Map<string, PhoneRanking>()
  readonly #freePhones = new Map<string, FreePhones>()
  readonly #unassigned = new Map<string, MessageQueue>()
  /** By account, the phones that may have messages in `queue`. */
  readonly #queueing = new Map<string, Set<Phone>>()

  add(phone: Phone): void {
    this.phones.set(phone.id, phone)
    const { accountId } = phone.device
    const phones = this.#phonesByAccount.get(accountId)
    if (phones === undefined) this.#phonesByAccount.set(accountId, new Set([phone]))
    else phones.add(phone)
    this.updateRank(phone)
    this.addFree(phone)
  }

  remove(phone: Phone): void {
    this.phones.delete(phone.id)
    this.#phonesByAccount.get(phone.device.accountId)?.delete(phone)
    this.#rankings.get(phone.device.accountId)?.remove(phone)
    this.#freePhones.get(phone.device.accountId)?.remove(phone)
    this.#queueing.get(phone.device.accountId)?.delete(phone)
  }

  /** Updates what `choose` and `phonesToOffer` know. Call it when the phone was heard or its SIMs changed. */
  updateRank(phone: Phone): void {
    const { accountId } = phone.device
    let ranking = this.#rankings.get(accountId)
    if (ranking === undefined) {
      ranking = new PhoneRanking()
      this.#rankings.set(accountId, ranking)
    }
    ranking.add(phone)
    this.#freePhones.get(accountId)?.regroup(phone)
  }

  /** Chooses a phone of the account for a message without a named phone (`domain/message/routing.ts`). */
  choose(accountId: string, routing: Routing): Phone | null {
    return this.#rankings.get(accountId)?.choose(routing) ?? null
  }

  /** Call it when the phone may have a free slot again, or when its queued messages changed. */
  addFree(phone: Phone): void {
    this.#freePhonesOf(phone).add(phone)
  }

  /** Call it when the phone's pace allows no message of this many segments before `paceReadyAtMono`. */
  waitForPace(phone: Phone, segments: number): void {
    this.#freePhonesOf(phone).waitForPace(phone, segments)
  }

  /** Call it when the phone cannot get a message. Undone by `addFree`. */
  removeFree(phone: Phone): void {
    this.#freePhonesOf(phone).exclude(phone)
  }

  /** The account's phones to which an offer may be possible, in the order in which they were added. */
  phonesToOffer(
    accountId: string,
    at: { readonly monoMs: number; readonly nextShared: NextShared },
  ): Iterable<Phone> {
    return this.#freePhones.get(accountId)?.walk(at.monoMs, at.nextShared) ?? []
  }

  /** Forgets an account: its messages, its phones and its queues. */
  removeAccount(accountId: string): void {
    for (const message of [...this.messages.values()])
      if (message.accountId === accountId) this.forget(message)
    for (const phone of [...this.phonesOf(accountId)]) {
      this.remove(phone)
      this.toWake.delete(phone)
    }
    this.#phonesByAccount.delete(accountId)
    this.#unassigned.delete(accountId)
    this.#queueing.delete(accountId)
    this.#rankings.delete(accountId)
    this.#freePhones.delete(accountId)
    this.accountsToOffer.delete(accountId)
  }

  phonesOf(accountId: string): Iterable<Phone> {
    return this.#phonesByAccount.get(accountId) ?? []
  }

  phoneCount(accountId: string): number {
    return this.#phonesByAccount.get(accountId)?.size ?? 0
  }

  /** The account's phones whose queues hold messages that any phone may send. */
  queueingPhones(accountId: string): Iterable<Phone> {
    const phones = this.#queueing.get(accountId)
    if (phones === undefined) return []
    for (const phone of phones) if (phone.queue.length === 0) phones.delete(phone)
    return phones
  }

  /** The account's phone with this id. Undefined: there is none, or it belongs to another account. */
  phoneOf(accountId: string, deviceId: string): Phone | undefined {
    const phone = this.phones.get(deviceId)
    return phone?.device.accountId === accountId ? phone : undefined
  }

  /** Waiting messages of the account that are assigned to no phone. */
  unassigned(accountId: string): MessageQueue {
    let queue = this.#unassigned.get(accountId)
    if (queue === undefined) {
      queue = new MessageQueue()
      this.#unassigned.set(accountId, queue)
    }
    return queue
  }

  /** The queue for this message if it waits. */
  queueOf(message: OpenMessage): MessageQueue {
    return this.#assignedPhone(message)?.queueFor(message) ?? this.unassigned(message.accountId)
  }

  /** Puts a message into the queue of its phone, or else of its account. */
  enqueue(message: OpenMessage): void {
    message.place = 'waiting'
    const phone = this.#assignedPhone(message)
    if (phone === undefined) return this.unassigned(message.accountId).push(message)
    phone.queueFor(message).push(message)
    this.addFree(phone)
    if (message.pinned) return
    const queueing = this.#queueing.get(message.accountId)
    if (queueing === undefined) this.#queueing.set(message.accountId, new Set([phone]))
    else queueing.add(phone)
  }

  /** Takes a waiting message out of its queue. */
  unqueue(message: OpenMessage): void {
    this.queueOf(message).remove(message)
    const phone = this.#assignedPhone(message)
    if (phone !== undefined) this.addFree(phone)
  }

  /** Takes a message out of its queue, or out of the messages in flight. */
  detach(message: OpenMessage): void {
    const phone = this.#assignedPhone(message)
    phone?.flights.delete(message.id)
    if (message.place === 'waiting') this.unqueue(message)
    else if (phone !== undefined) this.addFree(phone)
    message.place = 'resting'
  }

  /** Forgets a message that is final. */
  forget(message: OpenMessage): void {
    this.detach(message)
    message.place = 'gone'
    this.messages.delete(message.id)
  }

  #freePhonesOf({ device }: Phone): FreePhones {
    let free = this.#freePhones.get(device.accountId)
    if (free === undefined) {
      free = new FreePhones()
      this.#freePhones.set(device.accountId, free)
    }
    return free
  }

  /** The phone to which the message is assigned, or that has it. */
  #assignedPhone(message: OpenMessage): Phone | undefined {
    return message.deviceId === null ? undefined : this.phones.get(message.deviceId)
  }
}
