/** `roost serve`: runs the gateway. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { withOwnCertificate } from '#app/certificate/own-certificate.ts'
import { answer, type CommandContext, type CommonOptions, optionsOf } from '#app/command-io.ts'
import { actAsOwner } from '#app/commands/act-as-owner.ts'
import { readPort } from '#app/commands/read-arguments.ts'
import { SECRETS_WITHHELD } from '#app/commands/welcome.ts'
import { ConfigFault, loadConfig } from '#app/config/config-file.ts'
import { EXIT } from '#app/exit-code.ts'
import { DataDirectoryHeld } from '#app/hold-data-directory.ts'
import { createLog } from '#app/log.ts'
import { connectSystemd, isService, type SystemdConnection } from '#app/service/connect-systemd.ts'
import type { FirstStart } from '#app/threads/gateway-options.ts'
import { VERSION } from '#contracts/version.ts'
import { messageOf } from '#domain/cause.ts'

interface ServeOptions {
  readonly host?: string
  readonly port?: number
  readonly acceptDataLoss?: boolean
}

export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description(
      'run the gateway until SIGTERM or SIGINT; SIGHUP reloads the configuration of a service, and stops ' +
        'any other gateway',
    )
    .option('--host <address>', 'listen on this address, instead of the configured one')
    .option(
      '--port <number>',
      'listen on this port, instead of the configured one; 0: any free port, or HTTPS only with ' +
        'http.tls_port',
      readPort,
    )
    .option('--accept-data-loss', 'start with an empty database even if the earlier one is missing')
    .action((_: unknown, command: Command) => serve(context, command))
}

async function serve(context: CommandContext, command: Command): Promise<void> {
  const { io } = context
  const options = optionsOf<ServeOptions>(command)
  const load = () => {
    const loaded = loadConfig({ options, env: io.env, cwd: io.cwd })
    const data_dir = resolve(io.cwd, loaded.config.data_dir)
    return { ...loaded, config: withOwnCertificate({ ...loaded.config, data_dir }) }
  }
  const inService = isService(io.env, io.pid) && io.stdout.isTTY !== true
  const systemd = inService ? connectSystemd(io) : null
  const { config, unknownVariables } = reportingFaults(systemd, load)
  const log = createLog({ level: config.log.level, format: config.log.format, stream: io.stderr })
  if (unknownVariables.length > 0)
    log.write('warn', 'config.unknown_variables', { variables: unknownVariables.join(' ') })
  const hangUps = new HangUpSignals()
  const stop = inService ? io.stopSignal(() => hangUps.receive()) : io.stopSignal()
  // Imported here, because other commands need neither the threads nor the native module.
  const { runGateway } = await import('#app/threads/gateway.ts')
  actAsOwner(config.data_dir, io.user)
  const { say, shown } = greeter(context, { options, inService })
  const onReady = (url: string) =>
    answer(io, options, { json: { url, version: VERSION, ...shown }, text: '' })
  context.exitCode = await runGateway({
    config,
    log,
    stop,
    early: io.early,
    say,
    onReady,
    service: systemd,
    reload: {
      read: () => load().config,
      applied: ({ log: settings }) => log.adjust(settings),
      onRequest: reload => hangUps.onReload(reload),
    },
    acceptDataLoss: options.acceptDataLoss === true,
  })
  if (context.exitCode === EXIT.anotherInstance && options.json) throw new DataDirectoryHeld(config.data_dir)
}

/** Shows the first fault of the configuration in `systemctl status` as well. @throws what `load` throws */
function reportingFaults<T>(systemd: SystemdConnection | null, load: () => T): T {
  try {
    return load()
  } catch (error) {
    const [first] = error instanceof ConfigFault ? error.issues : []
    const where = first === undefined ? '' : `: ${first.path}: ${first.message}`
    systemd?.notify(`STATUS=Failed: ${messageOf(error)}${where}`)
    throw error
  }
}

/** Makes SIGHUP reload a service. A signal that arrives before the gateway can reload is remembered. */
class HangUpSignals {
  #reload: (() => void) | null = null
  #isPending = false

  receive(): void {
    if (this.#reload === null) this.#isPending = true
    else this.#reload()
  }

  onReload(reload: () => void): void {
    this.#reload = reload
    if (this.#isPending) reload()
  }
}

interface GreetingOptions {
  readonly options: CommonOptions
  readonly inService: boolean
}

/**
 * Prints the sandbox key and the setup link of the first start to standard output, never to the log. A
 * service's standard output is its log, so a service prints how to get them instead.
 */
function greeter({ io }: CommandContext, { options, inService }: GreetingOptions) {
  /** The same secrets for `--json`; null: not made at this start, or withheld. */
  const shown: Record<keyof FirstStart, string | null> = { sandboxKey: null, setupUrl: null }
  let isHintPrinted = false
  const say = (text: string, data: Partial<FirstStart>) => {
    const isWithheld = inService && Object.keys(data).length > 0
    if (!isWithheld) Object.assign(shown, data)
    if (options.json === true || (isWithheld && isHintPrinted)) return
    io.stdout.write(isWithheld ? SECRETS_WITHHELD : text)
    isHintPrinted = isHintPrinted || isWithheld
  }
  return { say, shown }
}
