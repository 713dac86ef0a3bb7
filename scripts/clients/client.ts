/** A client program of Roost or of another gateway, run in the way its documentation says. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Client {
  readonly name: string
  /**
   * What must be installed: npm packages; or a Debian package, with a command that succeeds if it is
   * installed; or a Debian package that is only unpacked into the folder, because only one script of it is
   * needed.
   */
  readonly needs:
    | { readonly npm: readonly string[] }
    | { readonly debian: string; readonly test: string }
    | { readonly unpacked: string }
  /** The credential that the client gets: an API key or the token of a webhook. */
  readonly credential: 'key' | 'webhook'
  /** Runs the client to send one text; resolves to whether the client reports success. */
  readonly send: (job: Job) => Promise<boolean>
}

export interface Job {
  /** The base URL of the gateway. */
  readonly url: string
  readonly secret: string
  readonly text: string
  /** The folder with the client's packages. The client can also write files there. */
  readonly folder: string
}

/** No client takes longer than this to send one text on a busy machine. */
const CLIENT_MS_MAX = 60_000

/** Runs a command to its end; resolves to whether it succeeded. Stores its output in `printed`. */
export async function run(command: string, args: readonly string[], job: Job): Promise<boolean> {
  const { url, secret, text, folder } = job
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ROOST_URL: url, ROOST_SECRET: secret, ROOST_TEXT: text, ROOST_TO: TO },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: CLIENT_MS_MAX,
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => output.push(String(bytes)))
  const [code] = (await once(child, 'close')) as [number | null]
  printed = output.join('').trim()
  if (code === null) throw new Error(`${command} did not end within ${CLIENT_MS_MAX / 1000} s: ${printed}`)
  return code === 0
}

/** What the last command printed. */
export let printed = ''

/** The phone number to which every client sends. */
export const TO = '+14155550123'

/** Runs a JavaScript module in Node; the client failed if the exit code is not 0. */
export function inNode(source: string): Client['send'] {
  return job => {
    const file = join(job.folder, 'program.mjs')
    writeFileSync(file, source)
    return run(process.execPath, [file], job)
  }
}

/** Runs Python source with Debian's own Python, because another Python in the PATH lacks Debian's modules. */
export function inPython(source: string): Client['send'] {
  return job => run('/usr/bin/python3', ['-c', source], job)
}
