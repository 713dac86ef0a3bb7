/** `roost demo`: a gateway in a temporary folder, with something to look at. It leaves nothing behind. */
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, tell } from '#app/command-io.ts'
import { EXIT } from '#app/exit-code.ts'
import { createLog } from '#app/log.ts'
import { CONFIG_DEFAULTS, type Config } from '#contracts/config.ts'
import { VERSION } from '#contracts/version.ts'
import { messageOf } from '#domain/cause.ts'
import { Problem } from '#domain/problem.ts'

const PREFIX = 'roost-demo-'
/** With what `mkdtemp` adds. */
const NAME = /^roost-demo-[A-Za-z0-9]{6}$/
/** A file in each folder that a demo made. Only such a folder is ever removed. */
const MARK = 'made-by-roost-demo'

interface DemoOptions {
  readonly lan?: boolean
}

export function addDemoCommand(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .description(
      'try Roost with a pretend phone, people and an alert that waits; it reads no configuration, and ' +
        'removes everything at its end',
    )
    .option('--lan', 'let the network reach it, too, and not only this machine')
    .action((_: unknown, command: Command) => runDemo(context, command))
}

async function runDemo(context: CommandContext, command: Command): Promise<void> {
  const { io } = context
  const options = optionsOf<DemoOptions>(command)
  if (options.config !== undefined || options.data !== undefined)
    throw new Problem(
      'INVALID_REQUEST',
      'a demo has settings and a folder of its own: leave out --config and --data',
    )
  const asked = io.stopSignal()
  const own = new AbortController()
  const stop = AbortSignal.any([asked, own.signal])
  const { runGateway } = await import('#app/threads/gateway.ts')
  const { fillDemo } = await import('#app/commands/fill-demo.ts')
  const place = await takeFolder(io.user.uid)
  let setupUrl = ''
  let filled: Promise<unknown> = Promise.resolve()
  try {
    context.exitCode = await runGateway({
      config: configOf(join(place.folder, 'data'), options),
      log: createLog({ level: 'warn', format: 'auto', stream: io.stderr }),
      stop,
      say: (_, secrets) => {
        setupUrl = secrets.setupUrl ?? setupUrl
      },
      onReady: (url, writer) => {
        const greet = (webhookUrl: string) =>
          answer(io, options, {
            json: { url, setupUrl, webhookUrl, folder: place.folder, version: VERSION },
            text: welcome(setupUrl, webhookUrl),
          })
        filled = fillDemo({ io, folder: place.folder, url, writer, stop, greet }).catch((error: unknown) => {
          if (stop.aborted) return
          tell(io, `error: ${messageOf(error)}`)
          own.abort()
        })
      },
    })
    if (own.signal.aborted) context.exitCode = EXIT.failed
  } finally {
    own.abort()
    await filled
    place.remove()
  }
}

function configOf(data_dir: string, { lan }: DemoOptions): Config {
  const http = { ...CONFIG_DEFAULTS.http, host: lan === true ? '0.0.0.0' : '127.0.0.1', port: 0 }
  const devices = { ...CONFIG_DEFAULTS.devices, modems: 'off' } as const
  return { ...CONFIG_DEFAULTS, data_dir, http, devices, discovery: { enabled: false } }
}

/**
 * Makes a temporary folder for this demo. Removes those of demos that were killed: nobody holds their lock.
 */
async function takeFolder(uid: number): Promise<{ readonly folder: string; remove(): void }> {
  const { dataDirectory, lockDataDirectory } = await import('#storage/data-directory.ts')
  const take = (folder: string) => {
    const lock = lockDataDirectory(dataDirectory(folder))
    const remove = () => {
      rmSync(folder, { recursive: true, force: true })
      lock?.release()
    }
    return lock && { folder, remove }
  }
  const folders = readdirSync(tmpdir()).filter(name => NAME.test(name))
  for (const folder of folders.map(name => join(tmpdir(), name)))
    try {
      const found = lstatSync(folder)
      const isOfDemo = found.isDirectory() && found.uid === uid && lstatSync(join(folder, MARK)).isFile()
      if (isOfDemo) take(folder)?.remove()
    } catch {
      // No demo made it, or its own demo removes it just now.
    }
  for (;;) {
    const folder = mkdtempSync(join(tmpdir(), PREFIX))
    writeFileSync(join(folder, MARK), '')
    const taken = take(folder)
    // Null: a demo that starts at the same time took it for one of a killed demo.
    if (taken !== null) return taken
  }
}

function welcome(setupUrl: string, webhookUrl: string): string {
  return `
This is a demo. Its phone is pretend, so no text leaves this machine. Nothing of it is kept.

1. Open this link. It works once. Type any e-mail address, and any password of ten characters:

     ${setupUrl}

2. An alert waits: nas is down. The text that Ada gets stands below. Press "I take it" on the page. If
   nobody does, Bob gets a text in 5 minutes, and his phone rings.

3. Post an alert of your own:

     curl -d 'Backup failed on nas' ${webhookUrl}

Ctrl-C ends the demo and removes everything.
`
}
