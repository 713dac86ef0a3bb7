/**
 * The changes that a process made to the files below one directory, in order, and the lines it printed in
 * between. The main thread makes all of them, because SQLite and `node:fs` are called synchronously.
 */
import { dirname } from 'node:path'

export type Call =
  | { readonly kind: 'write'; readonly file: number; readonly at: number; readonly data: Buffer }
  | { readonly kind: 'resize'; readonly file: number; readonly size: number }
  | { readonly kind: 'sync'; readonly file: number }
  /** From now on the path `path` names this file. */
  | { readonly kind: 'name'; readonly path: string; readonly file: number }
  | { readonly kind: 'unname'; readonly path: string }
  | { readonly kind: 'make-directory'; readonly path: string }
  | { readonly kind: 'sync-directory'; readonly path: string }
  /** A line on standard output. */
  | { readonly kind: 'said'; readonly line: string }

/** The calls that `TraceReader` understands, and other calls that change files, which make it fail. */
export const TRACED = [
  ...['openat', 'close', 'write', 'pwrite64', 'ftruncate', 'fsync', 'fdatasync', 'link', 'unlink', 'mkdir'],
  ...['writev', 'pwritev', 'pwritev2', 'truncate', 'fallocate', 'sendfile', 'copy_file_range', 'rename'],
  ...['renameat', 'renameat2', 'linkat', 'unlinkat', 'mkdirat', 'dup', 'dup2', 'dup3', 'sync_file_range'],
] as const

interface Open {
  readonly file: number
  readonly directory: string | null
  /** The offset at which the next `write` writes. */
  position: number
}

interface Traced {
  readonly name: string
  readonly args: readonly string[]
  readonly result: number
}

const STDOUT = 1
/** SQLite rebuilds this file when the database is first opened, so its content on disk does not matter. */
const SHARED_INDEX = /-shm$/

/** Reads the traces of processes that used one directory, one after another. */
export class TraceReader {
  readonly calls: Call[] = []
  readonly #root: string
  readonly #names = new Map<string, number>()
  readonly #directories: Set<string>
  #open = new Map<number, Open>()
  #files = 0

  constructor(root: string) {
    this.#root = root
    this.#directories = new Set([root])
  }

  /** @param text what `strace -xx` wrote of one process @throws Error for a call that is not understood */
  read(text: string): void {
    this.#open = new Map()
    for (const line of text.split('\n')) {
      const traced = readLine(line)
      if (traced !== null && traced.result >= 0) this.#take(traced)
    }
  }

  #take(traced: Traced): void {
    const { name, args, result } = traced
    const [first = ''] = args
    if (name === 'openat') return this.#openFile(traced)
    if (name === 'unlink' || name === 'mkdir') return this.#changeName(name, unquote(first))
    if (name === 'link') return this.#link(unquote(first), unquote(args[1]))
    const fd = Number(first)
    if (name === 'write' && fd === STDOUT) {
      for (const line of bytesOf(args[1]).toString().trimEnd().split('\n'))
        this.calls.push({ kind: 'said', line })
      return
    }
    const open = this.#open.get(fd)
    if (open === undefined) {
      if (args.some(arg => arg.startsWith('"') && this.#isMine(unquote(arg)))) throw unknown(traced)
      return
    }
    if (name === 'close') this.#open.delete(fd)
    else if (name === 'fsync' || name === 'fdatasync') this.#sync(open)
    else if (name === 'ftruncate') this.#push({ kind: 'resize', file: open.file, size: Number(args[1]) })
    else if (name === 'pwrite64' || name === 'write') {
      const at = name === 'write' ? open.position : Number(args[3])
      open.position = name === 'write' ? at + result : open.position
      this.#push({ kind: 'write', file: open.file, at, data: bytesOf(args[1]).subarray(0, result) })
    } else throw unknown(traced)
  }

  #openFile(traced: Traced): void {
    const [, quoted, flags = ''] = traced.args
    const path = unquote(quoted)
    if (!this.#isMine(path) || SHARED_INDEX.test(path)) return
    const directory = this.#directories.has(path) ? path : null
    let file = this.#names.get(path)
    if (file !== undefined && flags.includes('O_TRUNC')) throw unknown(traced)
    if (file === undefined && directory === null) {
      file = ++this.#files
      this.#name(path, file)
    }
    this.#open.set(traced.result, { file: file ?? 0, directory, position: 0 })
  }

  #changeName(name: 'unlink' | 'mkdir', path: string): void {
    if (!this.#isMine(path) || SHARED_INDEX.test(path)) return
    if (name === 'mkdir') this.#directories.add(path)
    else this.#names.delete(path)
    this.calls.push(name === 'mkdir' ? { kind: 'make-directory', path } : { kind: 'unname', path })
  }

  #link(from: string, to: string): void {
    const file = this.#names.get(from)
    if (file !== undefined) this.#name(to, file)
  }

  #name(path: string, file: number): void {
    if (!this.#directories.has(dirname(path))) throw new Error(`${path} is in a directory not yet made`)
    this.#names.set(path, file)
    this.calls.push({ kind: 'name', path, file })
  }

  #sync({ directory, file }: Open): void {
    this.#push(directory === null ? { kind: 'sync', file } : { kind: 'sync-directory', path: directory })
  }

  #push(call: Call): void {
    this.calls.push(call)
  }

  #isMine(path: string): boolean {
    return path === this.#root || path.startsWith(`${this.#root}/`)
  }
}

function readLine(line: string): Traced | null {
  const open = line.indexOf('(')
  const close = line.lastIndexOf(')')
  const equals = line.lastIndexOf(' = ')
  if (open <= 0 || equals < open) return null
  // A failed call has the name of the error in parentheses after its result.
  const end = close < equals ? close : line.lastIndexOf(')', equals)
  const result = Number.parseInt(line.slice(equals + 3), 10)
  return { name: line.slice(0, open), args: line.slice(open + 1, end).split(', '), result }
}

/** Decodes `"\x41\x42"` to bytes. */
function bytesOf(quoted = '""'): Buffer {
  if (!quoted.endsWith('"')) throw new Error('strace cut a string short')
  return Buffer.from(quoted.slice(1, -1).replaceAll('\\x', ''), 'hex')
}

function unquote(quoted: string | undefined): string {
  return bytesOf(quoted).toString()
}

function unknown({ name, args }: Traced): Error {
  return new Error(`${name}(${args.join(', ').slice(0, 200)}) is unknown, and so is its effect`)
}
