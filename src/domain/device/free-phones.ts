/**
 * The phones of one account that may have a free sending slot. When a message becomes available, only these
 * phones are checked, not every phone of the account.
 *
 * Phones for which the check has the same result form a group, so that one phone of each group is checked.
 * All phones of a group have the same SIM countries and wait for the same number of segments, and either all
 * or none have queued messages of their own. A phone waits when its pace does not allow a message of that
 * many segments yet: until then it can only get a shorter message. A phone without a free slot is excluded:
 * it keeps its place in the order, and belongs to no group until a slot becomes free.
 */
import TinyQueue from 'tinyqueue'
import type { Phone } from '#domain/device/phone.ts'

/**
 * The segments of the next message that several phones could get: one that is assigned to no phone, or one
 * in the queue of another phone. The answer is the same for all phones of a group. Null: there is none.
 */
export type NextShared = (phone: Phone) => number | null

interface Place {
  readonly phone: Phone
  /** A number that grows with each phone. `walk` returns phones in this order. */
  readonly serial: number
  /** The SIMs from which `countries` was computed. */
  sims: Phone['device']['sims'] | null
  /** The countries of the SIMs, sorted and joined. */
  countries: string
  /** Null: the phone is excluded. */
  group: Group | null
  wait: Wait | null
}

/** A phone that waits until its pace allows a message of this many segments. */
interface Wait {
  readonly place: Place
  readonly segments: number
  readonly untilMono: number
}

interface Group {
  readonly key: string
  /** Whether its phones have queued messages of their own. */
  readonly hasOwn: boolean
  /** The number of segments that its phones wait for. 0: they do not wait. */
  readonly waitSegments: number
  /** Sorted by serial. */
  readonly places: Place[]
}

export class FreePhones {
  readonly #places = new Map<Phone, Place>()
  readonly #groups = new Map<string, Group>()
  #waits = new TinyQueue<Wait>([], (a, b) => a.untilMono - b.untilMono)
  #added = 0

  /** Adds the phone or updates its group, after its slots, its SIMs or its queued messages have changed. */
  add(phone: Phone): void {
    this.#put(this.#placeOf(phone), null)
  }

  /** Updates the group of the phone after its SIMs have changed. An excluded phone stays excluded. */
  regroup(phone: Phone): void {
    const place = this.#places.get(phone)
    if (place?.group != null) this.#put(place, place.wait)
  }

  /** Notes that the phone's pace allows no message of this many segments before `paceReadyAtMono`. */
  waitForPace(phone: Phone, segments: number): void {
    const place = this.#placeOf(phone)
    // While a shorter message is first in one of its own queues, the phone may be able to send that one.
    const heads = [phone.pinned.first(), phone.queue.first()]
    const hasShorter = heads.some(head => head !== undefined && head.segments < segments)
    if (phone.paceReadyAtMono === null || hasShorter) return this.#put(place, null)
    const untilMono = phone.paceReadyAtMono
    const wait = { place, segments, untilMono }
    this.#waits.push(wait)
    if (this.#waits.length > 64 && this.#waits.length > 2 * this.#places.size) this.#sweep()
    this.#put(place, wait)
  }

  /** Takes a phone that has no free slot or gets no offers out of its group, until `add` is called for it. */
  exclude(phone: Phone): void {
    const place = this.#places.get(phone)
    if (place === undefined) return
    leaveGroup(place, this.#groups)
    place.wait = null
  }

  /** Forgets a phone that is no longer paired. */
  remove(phone: Phone): void {
    this.exclude(phone)
    this.#places.delete(phone)
  }

  /** The phones to which an offer may be possible, in the order in which they were added. */
  *walk(monoMs: number, nextShared: NextShared): Generator<Phone> {
    this.#endWaits(monoMs)
    let last = 0
    for (;;) {
      let next: Place | undefined
      for (const group of this.#groups.values()) {
        const place = group.places[indexAfter(group.places, last)]
        if (place === undefined || (next !== undefined && next.serial < place.serial)) continue
        if (mayGetOffer(group, place.phone, nextShared)) next = place
      }
      if (next === undefined) return
      last = next.serial
      yield next.phone
    }
  }

  #placeOf(phone: Phone): Place {
    const known = this.#places.get(phone)
    if (known !== undefined) return known
    const serial = ++this.#added
    const place: Place = { phone, serial, sims: null, countries: '', group: null, wait: null }
    this.#places.set(phone, place)
    return place
  }

  /** Puts the phone into the group that fits it now. `wait`: what it waits for; null: nothing. */
  #put(place: Place, wait: Wait | null): void {
    const { phone } = place
    place.wait = wait
    if (place.sims !== phone.device.sims) {
      place.sims = phone.device.sims
      place.countries = [...new Set(place.sims.flatMap(sim => sim.countryCode ?? []))].sort().join()
    }
    const hasOwn = phone.queueLength > 0
    const waitSegments = wait?.segments ?? 0
    const key = `${place.countries} ${hasOwn} ${waitSegments}`
    if (place.group?.key === key) return
    leaveGroup(place, this.#groups)
    const group = this.#groups.get(key) ?? { key, hasOwn, waitSegments, places: [] }
    this.#groups.set(key, group)
    group.places.splice(indexAfter(group.places, place.serial), 0, place)
    place.group = group
  }

  #endWaits(monoMs: number): void {
    for (let wait = this.#waits.peek(); wait !== undefined; wait = this.#waits.peek()) {
      if (wait.untilMono > monoMs) return
      this.#waits.pop()
      if (wait.place.wait === wait) this.#put(wait.place, null)
    }
  }

  /** Drops waits that no longer apply to their phone. */
  #sweep(): void {
    const kept = this.#waits.data.filter(wait => wait.place.wait === wait)
    this.#waits = new TinyQueue(kept, (a, b) => a.untilMono - b.untilMono)
  }
}

/** Whether an offer to a phone of this group may be possible now. All its phones give the same answer. */
function mayGetOffer({ hasOwn, waitSegments }: Group, phone: Phone, nextShared: NextShared): boolean {
  if (hasOwn && waitSegments === 0) return true
  const segments = nextShared(phone)
  return segments !== null && (waitSegments === 0 || segments < waitSegments)
}

function leaveGroup(place: Place, groups: Map<string, Group>): void {
  const { group } = place
  if (group === null) return
  group.places.splice(indexAfter(group.places, place.serial) - 1, 1)
  if (group.places.length === 0) groups.delete(group.key)
  place.group = null
}

/** The index of the first place with a higher serial, by binary search. */
function indexAfter(places: readonly Place[], serial: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((places[middle]?.serial ?? 0) > serial) high = middle
    else low = middle + 1
  }
  return low
}
