/** The table of flags that `roost agent` and the single-file agent read, and the help of the latter. */
import type { Flag } from '#agent/drivers/driver-definition.ts'
import { DRIVERS } from '#agent/drivers/drivers.ts'

export const STATE_FILE_DEFAULT = './roost-agent.json'

const drivers = Object.entries(DRIVERS)

export const COMMON_FLAGS = {
  server: {
    value: 'URL',
    brief: 'the gateway to pair with, or a pairing address (default: the gateway found on this network)',
  },
  code: { value: 'CODE', brief: 'pairing code, from: roost device pair' },
  authority: {
    value: 'FINGERPRINT',
    brief: "trust only the gateway's own authority: its SHA-256, from: roost certificate show",
  },
  state: {
    value: 'FILE',
    brief:
      `file with the identity of this device (default: ${STATE_FILE_DEFAULT}); a device that is in this ` +
      'file already needs no --code',
  },
  name: {
    value: 'NAME',
    brief: "what the device is called (default: the phone's model, or this host's name)",
  },
  driver: { value: 'DRIVER', brief: drivers.map(([name, { brief }]) => `${name}: ${brief}`).join('; ') },
}

/** All flags by name, without hyphens in front, in the order of help. */
export const AGENT_FLAGS: Readonly<Record<string, Flag>> = {
  ...COMMON_FLAGS,
  ...Object.fromEntries(
    drivers.flatMap(([driver, { flags }]) =>
      Object.entries(flags).map(([name, { value, brief }]) => [
        name,
        { value, brief: `with ${driver}: ${brief}` },
      ]),
    ),
  ),
}

export const AGENT_HELP = `Turns this computer or a Termux phone into a device of a Roost gateway.

  --server URL --code CODE   pair with the gateway, then run; the code comes from: roost device pair
                             URL can also be a pairing address, which contains the code and the authority
  --authority FINGERPRINT    trust only this authority for HTTPS: the SHA-256 of roost certificate show
  --state FILE               identity of this device (default ${STATE_FILE_DEFAULT}); a device that is in this
                             file already needs no --code. Journal and lock: FILE.journal and FILE.lock
  --name NAME                what the device is called (default: the phone's model, or this host's name)
${drivers.flatMap(helpOfDriver).join('\n')}
  --help, --version

It runs until SIGTERM, SIGINT or SIGHUP. Exit codes: 0 stopped, 1 failed, 2 wrong usage.
`

function helpOfDriver([name, { help, flags }]: (typeof drivers)[number]): string[] {
  const own = Object.entries(flags).map(([flag, one]) =>
    helpLines(`    --${flag}${one.value === null ? '' : ` ${one.value}`}`, 31, one.help),
  )
  return [helpLines(`  --driver ${name}`, 29, [own.length === 0 ? help : `${help}:`]), ...own]
}

function helpLines(term: string, column: number, text: readonly string[]): string {
  return `${term} `.padEnd(column) + text.join(`\n${' '.repeat(column)}`)
}
