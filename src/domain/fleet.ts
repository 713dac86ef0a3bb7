/**
 * The writer's memory: every paired phone and every message that is not final. It is a copy of rows plus
 * state without rows (sockets, offers, pace). After a failed transaction it is rebuilt from the database, so
 * memory is never ahead of the disk.
 */

import type { Phone, PhoneSession } from '#domain/device/phone.ts'
import type { PhoneGroup } from '#domain/device/phone-group.ts'
import type { Ring } from '#domain/device/ring.ts'
import { choosePhone, isHome, type Routing } from '#domain/device/routing.ts'
import { MessageQueue, type OpenMessage } from '#domain/message/message-queue.ts'
import { regionMatches } from '#domain/phone-number/parse-phone-number.ts'

const NO_GROUPS: readonly PhoneGroup[] = []
/** So many phones are looked at for one message, because a look at thousands would delay all senders. */
const PHONES_LOOKED_AT_MAX = 64

export class Fleet {
  readonly phones = new Map<string, Phone>()
  readonly messages = new Map<string, OpenMessage>()
  readonly groups = new Map<string, PhoneGroup>()
  /** Sessions that the running transaction opened or synced. This is undone if the transaction fails. */
  readonly uncommittedSessions = new Map<PhoneSession, 'opened' | 'synced'>()
  /** Accounts with messages that a phone gave back. These are offered again at the end of the transaction. */
  readonly accountsToOffer = new Set<string>()
  /** Phones that fetch messages and may have one waiting. They are woken at the end of the transaction. */
  readonly toWake = new Set<Phone>()
  /** Rings that run, or wait for a phone, oldest first. */
  rings: readonly Ring[] = []
  /** The same after the last commit. */
  committedRings: readonly Ring[] = []
  /** How many messages of each account are in `messages`. */
  readonly #openByAccount = new Map<string, number>()
  readonly #phonesByAccount = new Map<string, Set<Phone>>()
  /** By account, the phones that are online, and where the next look at some of them starts. */
  readonly #online = new Map<string, { readonly phones: Phone[]; start: number }>()
  /** By account, the countries of all SIMs that its phones had. */
  readonly #countries = new Map<string, Set<string>>()
  readonly #unassigned = new Map<string, MessageQueue>()
  readonly #groupsByAccount = new Map<string, readonly PhoneGroup[]>()
  /** By account, the phones that may have messages in `queue`. */
  readonly #queueing = new Map<string, Set<Phone>>()

  add(phone: Phone): void {
    this.phones.set(phone.id, phone)
    const { accountId } = phone.device
    const phones = this.#phonesByAccount.get(accountId)
    if (phones === undefined) this.#phonesByAccount.set(accountId, new Set([phone]))
    else phones.add(phone)
    this.noteCountries(phone)
    if (phone.device.announcedOnline) this.setOnline(phone, true)
  }

  remove(phone: Phone): void {
    this.phones.delete(phone.id)
    const left = this.#phonesByAccount.get(phone.device.accountId)
    left?.delete(phone)
    if (left?.size === 0) this.#phonesByAccount.delete(phone.device.accountId)
    this.setOnline(phone, false)
    this.#queueing.get(phone.device.accountId)?.delete(phone)
    for (const { phones } of this.groupsOf(phone.device.accountId)) phones.delete(phone)
  }

  addGroup(group: PhoneGroup): void {
    const { id, accountId } = group.row
    this.groups.set(id, group)
    this.#groupsByAccount.set(accountId, [...this.groupsOf(accountId), group])
    this.fillGroup(group)
  }

  removeGroup(group: PhoneGroup): void {
    const { id, accountId } = group.row
    this.groups.delete(id)
    this.#groupsByAccount.set(
      accountId,
      this.groupsOf(accountId).filter(one => one !== group),
    )
  }

  /** Call it when the row of the group names other phones. */
  fillGroup(group: PhoneGroup): void {
    group.phones.clear()
    for (const id of group.row.devices) {
      const phone = this.phoneOf(group.row.accountId, id)
      if (phone !== undefined) group.phones.add(phone)
    }
  }

  /** The account's groups of phones, oldest first. */
  groupsOf(accountId: string): readonly PhoneGroup[] {
    return this.#groupsByAccount.get(accountId) ?? NO_GROUPS
  }

  groupsWith(phone: Phone): readonly PhoneGroup[] {
    const groups = this.groupsOf(phone.device.accountId)
    return groups.length === 0 ? groups : groups.filter(({ phones }) => phones.has(phone))
  }

  /** The account's group with this id. Undefined: there is none, or it belongs to another account. */
  groupOf(accountId: string, groupId: string | null): PhoneGroup | undefined {
    const group = groupId === null ? undefined : this.groups.get(groupId)
    return group?.row.accountId === accountId ? group : undefined
  }

  /** Call it when `announcedOnline` of the phone changes. Only phones that are online are chosen. */
  setOnline(phone: Phone, isOnline: boolean): void {
    const online = this.#online.get(phone.device.accountId) ?? { phones: [], start: 0 }
    this.#online.set(phone.device.accountId, online)
    const place = online.phones.indexOf(phone)
    if (isOnline && place === -1) online.phones.push(phone)
    if (!isOnline && place !== -1) online.phones.splice(place, 1)
  }

  /** Call it when the SIMs of the phone change. */
  noteCountries({ device }: Phone): void {
    const countries = this.#countries.get(device.accountId) ?? new Set()
    this.#countries.set(device.accountId, countries)
    for (const { countryCode } of device.sims) if (countryCode !== null) countries.add(countryCode)
  }

  /** The countries of all SIMs that phones of the account had. */
  countriesOf(accountId: string): readonly string[] {
    return [...(this.#countries.get(accountId) ?? [])]
  }

  /**
   * Chooses a phone of the account for a message without a named phone (`domain/device/routing.ts`). Of more
   * than `PHONES_LOOKED_AT_MAX` phones it compares some, but a phone of the recipient's country is found.
   */
  choose(accountId: string, routing: Routing): Phone | null {
    const group = this.groupOf(accountId, routing.groupId ?? null)
    if (group?.isOpenToAll(routing.monoMs) === false) return choosePhone(group.phones, routing)
    const some = this.#someOnline(accountId)
    const chosen = choosePhone(some, routing)
    const { phones } = this.#online.get(accountId) ?? { phones: some }
    const isGood = chosen !== null && chosen.id !== routing.avoid && isHome(chosen, routing.country)
    if (isGood || some.length === phones.length) return chosen
    const { monoMs, offlineAfterMs, country } = routing
    if (!this.countriesOf(accountId).some(code => regionMatches(country ?? '', code))) return chosen
    const home: Phone[] = chosen === null ? [] : [chosen]
    for (const phone of phones) {
      if (home.length > PHONES_LOOKED_AT_MAX) break
      if (isHome(phone, country) && phone.canSendSoon(monoMs, offlineAfterMs)) home.push(phone)
    }
    return choosePhone(home, routing)
  }

  /**
   * The account's phones that may get a message now, among those that are looked at. `groupId`: only those
   * that may get a message of this group.
   */
  phonesToOffer(accountId: string, monoMs: number, groupId: string | null = null): Iterable<Phone> {
    const group = this.groupOf(accountId, groupId)
    const some = group?.isOpenToAll(monoMs) === false ? [...group.phones] : this.#someOnline(accountId)
    return some.filter(phone => phone.mayGetOffer(monoMs))
  }

  /** Phones of the account that are online: all, or the next ones of many. */
  #someOnline(accountId: string): readonly Phone[] {
    const online = this.#online.get(accountId)
    if (online === undefined) return []
    const { phones, start } = online
    if (phones.length <= PHONES_LOOKED_AT_MAX) return phones
    const some = phones.slice(start, start + PHONES_LOOKED_AT_MAX)
    online.start = start + some.length < phones.length ? start + some.length : 0
    return some
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
    this.#online.delete(accountId)
    this.#countries.delete(accountId)
    this.accountsToOffer.delete(accountId)
    for (const group of this.groupsOf(accountId)) this.removeGroup(group)
    this.#groupsByAccount.delete(accountId)
    this.rings = this.rings.filter(ring => ring.accountId !== accountId)
  }

  phonesOf(accountId: string): Iterable<Phone> {
    return this.#phonesByAccount.get(accountId) ?? []
  }

  phoneCount(accountId: string): number {
    return this.#phonesByAccount.get(accountId)?.size ?? 0
  }

  /** Phones of the account whose queues hold messages that any phone may send; of many only some. */
  *queueingPhones(accountId: string): Generator<Phone> {
    const phones = this.#queueing.get(accountId) ?? new Set()
    let left = PHONES_LOOKED_AT_MAX
    for (const phone of phones) {
      if (phone.queue.length === 0) phones.delete(phone)
      else if (left-- > 0) yield phone
      else return
    }
  }

  /** Whether another account has a phone. */
  hasPhonesBeside(accountId: string): boolean {
    return this.#phonesByAccount.size > (this.#phonesByAccount.has(accountId) ? 1 : 0)
  }

  /** The account's phone with this id. Undefined: there is none, or it belongs to another account. */
  phoneOf(accountId: string, deviceId: string): Phone | undefined {
    const phone = this.phones.get(deviceId)
    return phone?.device.accountId === accountId ? phone : undefined
  }

  /** Adds a message that is not final. */
  addMessage(message: OpenMessage): void {
    this.messages.set(message.id, message)
    this.#openByAccount.set(message.accountId, this.openCount(message.accountId) + 1)
  }

  /** How many messages of the account are not final. */
  openCount(accountId: string): number {
    return this.#openByAccount.get(accountId) ?? 0
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
    return (
      this.groupOf(message.accountId, message.groupId)?.queue ??
      this.#assignedPhone(message)?.queueFor(message) ??
      this.unassigned(message.accountId)
    )
  }

  /** Puts a message into the queue of its group, of its phone, or else of its account. */
  enqueue(message: OpenMessage): void {
    message.stage = 'waiting'
    const group = this.groupOf(message.accountId, message.groupId)
    if (group !== undefined) return group.queue.push(message)
    const phone = this.#assignedPhone(message)
    if (phone === undefined) return this.unassigned(message.accountId).push(message)
    phone.queueFor(message).push(message)
    if (message.pinned) return
    const queueing = this.#queueing.get(message.accountId)
    if (queueing === undefined) this.#queueing.set(message.accountId, new Set([phone]))
    else queueing.add(phone)
  }

  /** Takes a waiting message out of its queue. */
  unqueue(message: OpenMessage): void {
    this.queueOf(message).remove(message)
  }

  /** Takes a message out of its queue, or out of the messages in flight. */
  detach(message: OpenMessage): void {
    this.#assignedPhone(message)?.flights.delete(message.id)
    if (message.stage === 'waiting') this.unqueue(message)
    message.stage = 'resting'
  }

  /** Forgets a message that is final. */
  forget(message: OpenMessage): void {
    this.detach(message)
    message.stage = 'gone'
    if (!this.messages.delete(message.id)) return
    const left = this.openCount(message.accountId) - 1
    if (left > 0) this.#openByAccount.set(message.accountId, left)
    else this.#openByAccount.delete(message.accountId)
  }

  /** The phone to which the message is assigned, or that has it. */
  #assignedPhone(message: OpenMessage): Phone | undefined {
    return message.deviceId === null ? undefined : this.phones.get(message.deviceId)
  }
}
