/** Runs the recipes of GUIDE as the programs do: with `sh` and `curl`, from the text that people copy. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const GUIDE = readFileSync(new URL('../../GUIDE.md', import.meta.url), 'utf8')
const [, SENDERS = ''] = /\n### Senders\n([\s\S]*?)\n### /.exec(GUIDE) ?? []
const BIN = '/usr/local/bin'

/**
 * The events in this order: a problem, another one, the first again (by default the same), that a person
 * works on it, and its end, as far as the program has them.
 */
export type Events<Event> = { readonly problem: Event } & {
  readonly [name in 'other' | 'repeat' | 'ack' | 'end']?: Event
}

export interface Recipe {
  readonly name: string
  readonly events: Events<unknown>
  readonly send: (shell: RecipeShell, event: never) => Promise<void>
  /** The texts of the events, but for the repeat. */
  readonly texts: readonly string[]
  /** The keys of the incidents. */
  readonly keys: Words
}

export function recipe<Event>(
  name: string,
  about: Omit<Recipe, 'name' | 'events' | 'send'> & {
    readonly events: Events<Event>
    readonly send: (shell: RecipeShell, event: Event) => Promise<void>
  },
): Recipe {
  return { name, ...about }
}

export type Words = readonly string[]
export type Env = Readonly<Record<string, string>>

/** What a program gives its script. */
export interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly input?: string
}

/** The fenced blocks below `**title**`, or those at the start. */
export function blocksOf(title: string): readonly string[] {
  const start = title === '' ? 0 : SENDERS.indexOf(`\n**${title}**`)
  if (start < 0) throw new Error(`GUIDE has no recipe for ${title}`)
  const end = SENDERS.indexOf('\n**', start + 1)
  const part = SENDERS.slice(start, end < 0 ? undefined : end)
  return [...part.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
}

/** The block that contains these words. */
export function blockOf(title: string, words: string): string {
  const block = blocksOf(title).find(text => text.includes(words))
  if (block === undefined) throw new Error(`no block of ${title} has ${words}`)
  return block
}

/** What the first group of this pattern finds. */
export function sentence(pattern: RegExp): string {
  const [, found] = pattern.exec(SENDERS) ?? []
  if (found === undefined) throw new Error(`GUIDE does not say ${pattern}`)
  return found
}

/** The row of the table of senders. */
export function rowOf(sender: string): string {
  const row = SENDERS.split('\n').find(line => line.startsWith(`| ${sender} |`))
  if (row === undefined) throw new Error(`the table has no row for ${sender}`)
  return row
}

/** A computer named nas with the script `text-me`, in a folder. */
export class RecipeShell {
  readonly address: string
  readonly #bin: string

  constructor(folder: string, address: string) {
    this.address = address
    this.#bin = join(folder, 'bin')
    mkdirSync(this.#bin)
    this.write('hostname', '#!/bin/sh\necho nas\n')
    this.write('text-me', blockOf('', 'text-me HOST SERVICE'))
  }

  /** Puts a script at its place. @returns its path */
  write(name: string, text: string): string {
    const path = join(this.#bin, name)
    writeFileSync(path, this.#local(text), { mode: 0o755 })
    return path
  }

  async run(command: string, { env = {}, args = [], input = '' }: Given = {}): Promise<void> {
    const PATH = `${this.#bin}:${process.env['PATH']}`
    const child = promisify(execFile)(this.#local(command), args, { env: { ...env, PATH } })
    child.child.stdin?.end(input)
    await child
  }

  sh(line: string, given: Given = {}): Promise<void> {
    return this.run('sh', { ...given, args: ['-c', this.#local(line), ...(given.args ?? [])] })
  }

  async post(body: string, contentType = 'application/json'): Promise<void> {
    const answer = await fetch(this.address, {
      method: 'POST',
      body,
      headers: { 'Content-Type': contentType },
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  }

  #local(text: string): string {
    return text.replaceAll(BIN, this.#bin).replaceAll('ADDRESS', this.address)
  }
}

/** Puts values in the places of names. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((whole, [name, value]) => whole.replaceAll(name, value), text)
}

/** A word as Python's `shlex.quote` writes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`
}
