/**
 * The phones of one account that may have a free sending slot, so that a message that became free is offered
 * without a look at every phone. They stand in groups of which one member answers for all: the same SIM
 * countries, messages of their own or none, and the same rest. A phone rests when its pace allowed no message
 * of so many segments: until then only a shorter one is of use to it. A phone without a slot is removed when
 * a walk meets it, and added again when a slot becomes free.
 */
import TinyQueue from 'tinyqueue'
import type { Phone } from '#domain/device/phone.ts'

/** Segments of the next message that any phone of this phone's group might take; null: there is none. */
export type NextShared = (phone: Phone) => number | null

interface Place {
  readonly phone: Phone
  /** Grows with each phone: walks go in this order. */
  readonly serial: number
  sims: Phone['device']['sims'] | null
  countries: string
  group: Group | null
  rest: Rest | null
}

interface Rest {
  readonly place: Place
  readonly segments: number
  readonly untilMono: number
}

interface Group {
  readonly key: string
  readonly hasOwn: boolean
  /** 0: its phones do not rest. */
  readonly restSegments: number
  /** By serial. */
  readonly places: Place[]
}

export class Takers {
  readonly #places = new Map<Phone, Place>()
  readonly #groups = new Map<string, Group>()
  #rests = new TinyQueue<Rest>([], (a, b) => a.untilMono - b.untilMono)
  #added = 0

  /** The phone may have a free slot, other SIMs, or other messages of its own than before. */
  add(phone: Phone): void {
    this.#put(this.#placeOf(phone), null)
  }

  /** Its pace allows no message of so many segments before `phone.pumpAtMono`. */
  rest(phone: Phone, segments: number): void {
    const place = this.#placeOf(phone)
    const heads = [phone.pinned.first(), phone.queue.first()]
    const isShorter = heads.some(head => head !== undefined && head.segments < segments)
    if (phone.pumpAtMono === null || isShorter) return this.#put(place, null)
    const untilMono = phone.pumpAtMono
    const rest = { place, segments, untilMono }
    this.#rests.push(rest)
    if (this.#rests.length > 64 && this.#rests.length > 2 * this.#places.size) this.#sweep()
    this.#put(place, rest)
  }

  /** It has no free slot, or gets no offers. */
  standBack(phone: Phone): void {
    const place = this.#places.get(phone)
    if (place === undefined) return
    leave(place, this.#groups)
    place.rest = null
  }

  remove(phone: Phone): void {
    this.standBack(phone)
    this.#places.delete(phone)
  }

  /** Each phone to which an offer may be possible, in the order in which they were added. */
  *walk(monoMs: number, nextShared: NextShared): Generator<Phone> {
    this.#endRests(monoMs)
    let last = 0
    for (;;) {
      let next: Place | undefined
      for (const group of this.#groups.values()) {
        const place = group.places[indexAfter(group.places, last)]
        if (place === undefined || (next !== undefined && next.serial < place.serial)) continue
        if (mayTake(group, place.phone, nextShared)) next = place
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
    const place: Place = { phone, serial, sims: null, countries: '', group: null, rest: null }
    this.#places.set(phone, place)
    return place
  }

  #put(place: Place, rest: Rest | null): void {
    const { phone } = place
    place.rest = rest
    if (place.sims !== phone.device.sims) {
      place.sims = phone.device.sims
      place.countries = [...new Set(place.sims.flatMap(sim => sim.countryCode ?? []))].sort().join()
    }
    const hasOwn = phone.queueLength > 0
    const restSegments = rest?.segments ?? 0
    const key = `${place.countries} ${hasOwn} ${restSegments}`
    if (place.group?.key === key) return
    leave(place, this.#groups)
    const group = this.#groups.get(key) ?? { key, hasOwn, restSegments, places: [] }
    this.#groups.set(key, group)
    group.places.splice(indexAfter(group.places, place.serial), 0, place)
    place.group = group
  }

  #endRests(monoMs: number): void {
    for (let rest = this.#rests.peek(); rest !== undefined; rest = this.#rests.peek()) {
      if (rest.untilMono > monoMs) return
      this.#rests.pop()
      if (rest.place.rest === rest) this.#put(rest.place, null)
    }
  }

  #sweep(): void {
    const kept = this.#rests.data.filter(rest => rest.place.rest === rest)
    this.#rests = new TinyQueue(kept, (a, b) => a.untilMono - b.untilMono)
  }
}

function mayTake({ hasOwn, restSegments }: Group, phone: Phone, nextShared: NextShared): boolean {
  if (hasOwn && restSegments === 0) return true
  const segments = nextShared(phone)
  return segments !== null && (restSegments === 0 || segments < restSegments)
}

function leave(place: Place, groups: Map<string, Group>): void {
  const { group } = place
  if (group === null) return
  group.places.splice(indexAfter(group.places, place.serial) - 1, 1)
  if (group.places.length === 0) groups.delete(group.key)
  place.group = null
}

/** Where the first place with a higher serial is, by halving. */
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
