/** Plants secrets in a gateway, and searches for them in everything that it wrote and answered. */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The places where a gateway writes bytes. */
export const PLACES = [
  'stdout',
  'log',
  'refusals',
  'metrics',
  'openapi',
  'database',
  'key files',
  'other files',
] as const
export type Place = (typeof PLACES)[number]

export type Haystacks = ReadonlyMap<Place, Buffer>

interface Planted {
  readonly kind: string
  readonly value: string
  readonly forms: ReadonlyMap<string, Buffer>
}

export interface Found {
  readonly kind: string
  readonly place: Place
  /** `plain`, `base64`, … */
  readonly form: string
  readonly value: string
}

export class SecretHunt {
  readonly #planted: Planted[] = []

  /** Remembers a secret; returns its value. */
  plant(kind: string, value: string): string {
    if (value.length < 4) throw new Error(`${kind}: ${JSON.stringify(value)} is too short to search for`)
    const isKnown = this.#planted.some(one => one.kind === kind && one.value === value)
    if (!isKnown) this.#planted.push({ kind, value, forms: formsOf(value) })
    return value
  }

  /** Remembers the bytes of a file, raw and in the usual encodings. */
  plantBytes(kind: string, path: string): void {
    const bytes = readFileSync(path)
    const encodings = ['hex', 'base64', 'base64url'] as const
    const written = encodings.map(encoding => [encoding, Buffer.from(bytes.toString(encoding))] as const)
    this.#planted.push({ kind, value: path, forms: new Map([['plain', bytes], ...written]) })
  }

  /** Makes and plants a secret of letters and digits. */
  make(kind: string, length = 24): string {
    return this.plant(kind, randomWord(length))
  }

  get count(): number {
    return new Set(this.#planted.map(({ value }) => value)).size
  }

  get kinds(): ReadonlySet<string> {
    return new Set(this.#planted.map(({ kind }) => kind))
  }

  /** All planted secrets that are in any of the places. */
  look(haystacks: Haystacks): Found[] {
    const found: Found[] = []
    for (const [place, bytes] of haystacks)
      for (const { kind, value, forms } of this.#planted)
        for (const [form, needle] of forms)
          if (contains(bytes, needle)) found.push({ kind, place, form, value })
    return found
  }
}

/**
 * Random letters and digits. The first is a letter, so that templates and patterns treat this as one word.
 */
export function randomWord(length: number): string {
  const letters = randomBytes(length * 4)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
  return `Q${letters.slice(0, length - 1)}`
}

/** The bytes of every file of a data directory, by place. Files may disappear meanwhile. */
export function readDataDirectory(dataDir: string): Map<Place, Buffer> {
  const read = new Map<Place, Buffer[]>()
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).sort()) {
    const place = placeOf(name)
    const bytes = read.get(place) ?? []
    bytes.push(bytesOf(join(dataDir, name)), Buffer.from('\n'))
    read.set(place, bytes)
  }
  return new Map([...read].map(([place, bytes]) => [place, Buffer.concat(bytes)]))
}

function placeOf(file: string): Place {
  if (file.startsWith('roost.db')) return 'database'
  return file.startsWith('secrets') ? 'key files' : 'other files'
}

/** Folders, the control socket and files that were removed have no bytes. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

/** Whether the bytes contain the needle. Digits inside a longer number do not count. */
function contains(bytes: Buffer, needle: Buffer): boolean {
  const digitsOnly = /^\d+$/.test(needle.toString('latin1'))
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) {
    const isInside = isDigit(bytes[at - 1]) || isDigit(bytes[at + needle.length])
    if (!digitsOnly || !isInside) return true
  }
  return false
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function formsOf(value: string): Map<string, Buffer> {
  const bytes = Buffer.from(value)
  const forms = new Map<string, Buffer>([['plain', bytes]])
  const add = (form: string, text: string) => {
    if (text !== value) forms.set(form, Buffer.from(text))
  }
  add('percent', encodeURIComponent(value))
  add('JSON', JSON.stringify(value).slice(1, -1))
  add('hex', bytes.toString('hex'))
  add('HEX', bytes.toString('hex').toUpperCase())
  forms.set('UTF-16', Buffer.from(value, 'utf16le'))
  // Inside a longer text the base64 of a value depends on its offset, so search for the part that does not.
  for (const shift of [0, 1, 2]) {
    const whole = bytes.subarray((3 - shift) % 3)
    const inner = whole.subarray(0, whole.length - (whole.length % 3))
    if (inner.length < 6) continue
    add(`base64 +${shift}`, inner.toString('base64'))
    add(`base64url +${shift}`, inner.toString('base64url'))
  }
  // An unkeyed hash of a short code can be reversed by trying all codes.
  if (value.length <= 10) {
    const digest = createHash('sha256').update(value).digest()
    forms.set('SHA-256', digest)
    add('SHA-256 hex', digest.toString('hex'))
    add('SHA-256 base64', digest.toString('base64'))
  }
  return forms
}
