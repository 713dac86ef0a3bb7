/** `roost version`: prints the version and, with `--licenses`, the licences of all parts. */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { answer, type CommandContext, type CommonOptions, optionsOf } from '#app/command-io.ts'
import { assetFile } from '#app/threads/entries.ts'
import { VERSION } from '#contracts/version.ts'

/** A package or native library inside Roost, with the full text of its licence. */
interface PartLicense {
  readonly name: string
  /** Null: a native file that does not state its version. */
  readonly version: string | null
  /** SPDX expression. */
  readonly license: string
  readonly text: string
}

export function addVersionCommand(program: Command, { io }: CommandContext): void {
  program
    .command('version')
    .description('print the version')
    .option('--licenses', 'print the licences of all parts of Roost')
    .action((_: unknown, command: Command) => {
      const options = optionsOf<CommonOptions & { licenses?: boolean }>(command)
      const { node, sqlite = null } = process.versions
      const { arch, platform } = process
      const about = { version: VERSION, node, sqlite, platform: `${platform}-${arch}` }
      if (options.licenses === true) {
        const licenses = readLicenses()
        answer(io, options, { json: { ...about, licenses }, text: licenses.map(describe).join('\n\n') })
        return
      }
      const text = `roost ${VERSION} (Node ${node}, SQLite ${sqlite}, ${platform}-${arch})`
      answer(io, options, { json: about, text })
    })
}

function readLicenses(): PartLicense[] {
  const file = assetFile('licenses.json')
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`${file} cannot be read: make it with \`node build.mjs --target agent\``, { cause })
  }
}

function describe({ name, version, license, text }: PartLicense): string {
  const heading = `${[name, version].filter(Boolean).join(' ')} (${license})`
  return `${heading}\n${'='.repeat(heading.length)}\n\n${text.trim()}`
}
