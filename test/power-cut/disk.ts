/**
 * A disk that loses power. A file keeps what was written before its last sync. After that, each sector
 * independently has its content from before or after any one of the later writes, so writes are lost, torn
 * and reordered. A name is durable once its directory was synced. POSIX promises no more than this; real file
 * systems keep more.
 */
import { dirname } from 'node:path'
import type { Random } from '#test/kit/random.ts'
import type { Call } from '#test/power-cut/trace.ts'

type Change = Extract<Call, { kind: 'write' | 'resize' }>
type NameChange = Extract<Call, { kind: 'name' | 'unname' | 'make-directory' }>

/** Stands in place of a file's number and means: this name is a directory. */
const DIRECTORY = 0

interface File {
  /** A buffer longer than the file, so that the file can grow. */
  bytes: Buffer
  size: number
  changes: Change[]
}

/** The index of the last pending change that a sector has; -1: none. */
type Reached = (sector: number) => number

export class Disk {
  readonly #files = new Map<number, File>()
  readonly #names = new Map<string, number>()
  #nameChanges: NameChange[] = []

  /** @param root the directory that exists at the start */
  constructor(root: string) {
    this.#names.set(root, DIRECTORY)
  }

  apply(call: Call): void {
    if (call.kind === 'write' || call.kind === 'resize') this.#file(call.file).changes.push(call)
    else if (call.kind === 'sync') settle(this.#file(call.file))
    else if (call.kind === 'sync-directory') this.#settleNames(call.path)
    else if (call.kind !== 'said') this.#nameChanges.push(call)
  }

  /** The content of the file while the power is on; null: no such file. */
  read(path: string): Buffer | null {
    const names = new Map(this.#names)
    for (const change of this.#nameChanges) rename(names, change)
    const id = names.get(path)
    const file = id === undefined ? undefined : this.#files.get(id)
    return file === undefined ? null : survivor(file, () => file.changes.length, 4096)
  }

  /** The files by path after the power is back. */
  cut(random: Random): Map<string, Buffer> {
    const names = new Map(this.#names)
    const share = random.pick([0, 0.5, 1])
    for (const change of this.#nameChanges) if (random.chance(share)) rename(names, change)
    const sector = random.pick([512, 4096])
    const survivors = new Map<number, Buffer>()
    for (const [id, file] of this.#files) {
      survivors.set(id, survivor(file, howFar(file.changes.length, random), sector))
    }
    const found = new Map<string, Buffer>()
    for (const [path, id] of names)
      if (id !== DIRECTORY && names.has(dirname(path))) found.set(path, survivors.get(id) ?? Buffer.alloc(0))
    return found
  }

  #file(id: number): File {
    const file = this.#files.get(id) ?? { bytes: Buffer.alloc(0), size: 0, changes: [] }
    this.#files.set(id, file)
    return file
  }

  #settleNames(directory: string): void {
    const mine = (change: NameChange) => dirname(change.path) === directory
    for (const change of this.#nameChanges) if (mine(change)) rename(this.#names, change)
    this.#nameChanges = this.#nameChanges.filter(change => !mine(change))
  }
}

function rename(names: Map<string, number>, change: NameChange): void {
  if (change.kind === 'unname') names.delete(change.path)
  else names.set(change.path, change.kind === 'name' ? change.file : DIRECTORY)
}

function settle(file: File): void {
  for (const change of file.changes) {
    if (change.kind === 'resize') resize(file, change.size)
    else put(file, change.at, change.data)
  }
  file.changes = []
}

function survivor({ bytes, size, changes }: File, reached: Reached, sector: number): Buffer {
  const left: File = { bytes: Buffer.from(bytes.subarray(0, size)), size, changes: [] }
  for (const [index, change] of changes.entries()) {
    if (change.kind === 'resize') {
      if (reached(-1 - index) >= index) resize(left, change.size)
      continue
    }
    const end = change.at + change.data.length
    for (let from = change.at; from < end; ) {
      const number = Math.floor(from / sector)
      const to = Math.min(end, (number + 1) * sector)
      if (reached(number) >= index) put(left, from, change.data.subarray(from - change.at, to - change.at))
      from = to
    }
  }
  return left.bytes.subarray(0, left.size)
}

/** Draws what survives: nothing, everything, the writes up to a torn one, or any writes of each sector. */
function howFar(changes: number, random: Random): Reached {
  const drawn = new Map<number, number>()
  const once = (draw: () => number) => (sector: number) => {
    const known = drawn.get(sector) ?? draw()
    drawn.set(sector, known)
    return known
  }
  const way = random.pick(['nothing', 'in order', 'all', 'scattered', 'scattered'])
  if (way === 'nothing') return () => -1
  if (way === 'all') return () => changes
  const moment = random.below(changes + 1)
  if (way === 'in order') return once(() => moment - random.below(2))
  const [lost, whole] = [random.next() / 2, random.next() / 2]
  return once(() => {
    const draw = random.next()
    if (draw < lost) return -1
    return draw < lost + whole ? changes : random.below(changes)
  })
}

function put(file: File, at: number, data: Buffer): void {
  const end = at + data.length
  if (end > file.bytes.length) {
    const grown = Buffer.alloc(Math.max(end, file.bytes.length * 2))
    file.bytes.copy(grown, 0, 0, file.size)
    file.bytes = grown
  }
  data.copy(file.bytes, at)
  file.size = Math.max(file.size, end)
}

function resize(file: File, size: number): void {
  if (size > file.size) put(file, size - 1, Buffer.alloc(1))
  else file.bytes.fill(0, size, file.size)
  file.size = size
}
