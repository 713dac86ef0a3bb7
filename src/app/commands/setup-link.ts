/** `roost setup-link`: prints a link with which the owner sets the first password. */
import type { Command } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { publicUrlFor } from '#app/commands/public-url-for.ts'
import { setupUrl } from '#app/commands/welcome.ts'
import { doing, type WriterAndConfig } from '#app/commands/with-writer.ts'
import { Problem } from '#domain/problem.ts'

export function addSetupLinkCommand(program: Command, context: CommandContext): void {
  program
    .command('setup-link')
    .description('print a new setup link for the owner, while no password is set')
    .action(doing(context, printSetupLink))
}

async function printSetupLink({ writer, config }: WriterAndConfig) {
  const made = await writer.ask('setup.create-token', {})
  if (made === null) {
    const [first] = await writer.ask('account.list', {})
    const email = first?.email ?? 'EMAIL'
    const message = `a password is already set; to change it: roost account set-password ${email}`
    throw new Problem('CONFLICT', message)
  }
  const url = setupUrl(publicUrlFor(writer, config), made.token)
  const note = 'Open the link within a day; it works once. Earlier links no longer work.'
  const hint = writer.gateway === null ? ' The gateway is not running: start it first.' : ''
  return { json: { setupUrl: url, expiresAt: made.expiresAt }, text: url, note: note + hint }
}
