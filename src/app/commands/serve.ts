/** `roost serve`: the gateway itself. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf } from '#app/command-io.ts'
import { actAsOwner } from '#app/commands/act-as-owner.ts'
import { readPort } from '#app/commands/read-arguments.ts'
import { SECRETS_WITHHELD } from '#app/commands/welcome.ts'
import { loadConfig } from '#app/config/config-file.ts'
import { EXIT } from '#app/exit-code.ts'
import { DataDirectoryHeld } from '#app/hold-data-directory.ts'
import { createLog } from '#app/log.ts'
import type { FirstStart } from '#app/threads/gateway.ts'
import { VERSION } from '#app/version.ts'

interface ServeOptions {
  readonly host?: string
  readonly port?: number
  readonly acceptDataLoss?: boolean
}

export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the gateway until SIGTERM, SIGINT or SIGHUP')
    .option('--host <address>', 'listen on this address, in place of the configured one')
    .option(
      '--port <number>',
      'listen on this port, in place of the configured one; 0: any free one',
      readPort,
    )
    .option('--accept-data-loss', 'start also where the database is gone that was there before')
    .action((_: unknown, command: Command) => serve(context, command))
}

async function serve(context: CommandContext, command: Command): Promise<void> {
  const { io } = context
  const options = optionsOf<ServeOptions>(command)
  const loaded = loadConfig({ options, env: io.env, cwd: io.cwd })
  const data_dir = resolve(io.cwd, loaded.config.data_dir)
  const config = { ...loaded.config, data_dir }
  const log = createLog({ level: config.log.level, format: config.log.format, stream: io.stderr })
  if (loaded.strangers.length > 0)
    log.write('warn', 'variables of the environment name no key', { variables: loaded.strangers.join(' ') })
  const stop = io.stopSignal()
  // Loaded here and not above: every other command does without the threads and the native module behind it.
  const { runGateway } = await import('#app/threads/gateway.ts')
  actAsOwner(data_dir, io.user)
  // The first start's key and link are what somebody wants to have: data, not talk, and never among the log.
  let made = { sandboxKey: null, setupUrl: null } as Record<keyof FirstStart, string | null>
  const isWithheld = isUnderSystemd(io)
  let isSaid = false
  const say = (text: string, data: Partial<FirstStart>) => {
    const isSecret = Object.keys(data).length > 0
    if (!(isSecret && isWithheld)) made = { ...made, ...data }
    if (options.json) return
    if (!(isSecret && isWithheld)) io.stdout.write(text)
    else if (!isSaid) io.stdout.write(SECRETS_WITHHELD)
    isSaid = isSaid || isSecret
  }
  const onReady = (url: string) => answer(io, options, { json: { url, version: VERSION, ...made }, text: '' })
  context.exitCode = await runGateway({
    config,
    log,
    stop,
    say,
    onReady,
    acceptDataLoss: options.acceptDataLoss === true,
  })
  if (context.exitCode === EXIT.anotherInstance && options.json) throw new DataDirectoryHeld(config.data_dir)
}

/**
 * systemd sets one of these two for what it starts, and its journal takes standard output. A pipe that a
 * person made is none of its business: what comes out of it is still shown.
 */
function isUnderSystemd({ env, stdout }: CommandContext['io']): boolean {
  const isStarted = Boolean(env['NOTIFY_SOCKET'] || env['INVOCATION_ID'])
  return isStarted && stdout.isTTY !== true
}
