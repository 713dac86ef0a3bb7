/** A client of another gateway, or of ours, that is run as its users run it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Client {
  readonly name: string
  /** Packages of npm, installed into a folder of their own; or a Debian package, and how to see it. */
  readonly wants: { readonly npm: readonly string[] } | { readonly debian: string; readonly test: string }
  /** The credential that it gets. */
  readonly credential: 'key' | 'webhook'
  /** Has it send one text; answers whether the client says that it worked. */
  readonly send: (job: Job) => Promise<boolean>
}

export interface Job {
  /** Of the gateway. */
  readonly url: string
  readonly secret: string
  readonly text: string
  /** Where its packages are installed and its files may lie. */
  readonly folder: string
}

/** No client takes longer than this to send one text on a busy machine. */
const CLIENT_MS_MAX = 60_000

/** Runs a command to its end; answers whether it succeeded. What it printed is kept for a fault. */
export async function run(command: string, args: readonly string[], job: Job): Promise<boolean> {
  const { url, secret, text, folder } = job
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ROOST_URL: url, ROOST_SECRET: secret, ROOST_TEXT: text, ROOST_TO: TO },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: CLIENT_MS_MAX,
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => said.push(String(bytes)))
  const [code] = (await once(child, 'close')) as [number | null]
  printed = said.join('').trim()
  if (code === null) throw new Error(`it did not end: ${printed}`)
  return code === 0
}

/** What the last command printed. */
export let printed = ''

/** The number that every client texts. */
export const TO = '+14155550123'

/** A program of Node that fails by its exit code. */
export function inNode(source: string): Client['send'] {
  return job => {
    const file = join(job.folder, 'program.mjs')
    writeFileSync(file, source)
    return run(process.execPath, [file], job)
  }
}

/** A program of Debian's own Python: another one that stands before it in the path lacks Debian's modules. */
export function inPython(source: string): Client['send'] {
  return job => run('/usr/bin/python3', ['-c', source], job)
}
