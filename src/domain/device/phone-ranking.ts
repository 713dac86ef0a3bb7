/**
 * The phones of one account in order of preference: least recently used first, grouped by the countries of
 * their SIMs. Nearly all phones can send immediately, so a choice checks one phone in each group, and more
 * only if that one cannot. A disconnected phone is removed when `choose` finds it, and added again when it
 * connects.
 */
import type { Phone } from '#domain/device/phone.ts'
import { choosePhone, type Routing } from '#domain/message/routing.ts'
import { regionMatches } from '#domain/phone-number/parse-phone-number.ts'

interface Place {
  /** A number that grows with each phone. On a tie the phone with the lower number wins. */
  readonly serial: number
  group: Group | null
  /** `usedAtMono` of the phone when it was put at this position. */
  usedAt: number
}

class Group {
  /** The countries of the SIMs. All phones of the group have the same ones. */
  readonly countries: readonly string[]
  readonly phones = new Set<Phone>()
  /** False: a phone stands behind one that was used later. */
  isSorted = true
  last: Place | null = null

  constructor(countries: readonly string[]) {
    this.countries = countries
  }

  isHome(country: string | null): boolean {
    return country !== null && this.countries.some(code => regionMatches(country, code))
  }
}

export class PhoneRanking {
  readonly #places = new Map<Phone, Place>()
  readonly #groups = new Map<string, Group>()
  #added = 0

  /** Adds the phone, or moves it to the group of its SIMs. */
  add(phone: Phone): void {
    const place = this.#places.get(phone) ?? { serial: ++this.#added, group: null, usedAt: 0 }
    this.#places.set(phone, place)
    const countries = [...new Set(phone.device.sims.flatMap(({ countryCode }) => countryCode ?? []))].sort()
    const key = countries.join()
    const group = this.#groups.get(key) ?? new Group(countries)
    this.#groups.set(key, group)
    if (place.group === group) return
    place.group?.phones.delete(phone)
    place.group = group
    append(group, phone, place)
  }

  remove(phone: Phone): void {
    this.#places.get(phone)?.group?.phones.delete(phone)
    this.#places.delete(phone)
  }

  /** Chooses the same phone as `choosePhone` would among all phones of the account. */
  choose(routing: Routing): Phone | null {
    const home: Phone[] = []
    const abroad: Group[] = []
    for (const [key, group] of this.#groups) {
      if (group.phones.size === 0) this.#groups.delete(key)
      else if (!group.isHome(routing.country)) abroad.push(group)
      else for (const phone of this.#shortlist(group, routing)) home.push(phone)
    }
    const isEnough = home.some(phone => phone.id !== routing.avoid)
    const others = isEnough ? [] : abroad.flatMap(group => this.#shortlist(group, routing))
    return choosePhone(
      [...home, ...others].sort((a, b) => this.#serialOf(a) - this.#serialOf(b)),
      routing,
    )
  }

  /** Only the best phone of the group if it can send immediately; otherwise all candidates of the group. */
  #shortlist(group: Group, routing: Routing): Phone[] {
    const { monoMs, offlineAfterMs, avoid } = routing
    if (!group.isSorted) this.#sort(group)
    const shortlist: Phone[] = []
    for (const phone of group.phones) {
      const place = this.#places.get(phone)
      if (place === undefined) continue
      if (phone.usedAtMono !== place.usedAt) {
        group.phones.delete(phone)
        // The loop meets the phone again at its new position.
        append(group, phone, place)
        if (!group.isSorted) return this.#shortlist(group, routing)
      } else if (phone.canSendSoon(monoMs, offlineAfterMs)) {
        if (phone.id !== avoid && phone.expectedWaitMs(monoMs) === 0) return [phone]
        shortlist.push(phone)
      } else if (!phone.isConnected(monoMs, offlineAfterMs)) {
        group.phones.delete(phone)
        place.group = null
      }
    }
    return shortlist
  }

  #sort(group: Group): void {
    const places = [...group.phones].flatMap(phone => {
      const place = this.#places.get(phone)
      return place === undefined ? [] : [{ phone, place }]
    })
    places.sort((a, b) => a.phone.usedAtMono - b.phone.usedAtMono || a.place.serial - b.place.serial)
    group.phones.clear()
    group.last = null
    group.isSorted = true
    for (const { phone, place } of places) append(group, phone, place)
  }

  #serialOf(phone: Phone): number {
    return this.#places.get(phone)?.serial ?? 0
  }
}

/** Puts the phone at the end of its group, and notes whether the group is still sorted. */
function append(group: Group, phone: Phone, place: Place): void {
  place.usedAt = phone.usedAtMono
  if (group.last !== null && comparePlaces(group.last, place) > 0) group.isSorted = false
  group.phones.add(phone)
  group.last = place
}

/** Orders places by last use, then by serial. */
function comparePlaces(a: Place, b: Place): number {
  return a.usedAt - b.usedAt || a.serial - b.serial
}
