import type { CommandWriter } from '#app/commands/open-writer-for-command.ts'
import { publicUrlOf } from '#app/config/public-url.ts'
import type { Config } from '#contracts/config.ts'

/** The gateway's public URL: from the running gateway, or else from the configuration. */
export function publicUrlFor(writer: CommandWriter, config: Config): string {
  return writer.gateway?.about?.publicUrl ?? publicUrlOf(config)
}
