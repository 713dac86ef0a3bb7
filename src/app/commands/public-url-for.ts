import type { CommandWriter } from '#app/commands/open-writer-for-command.ts'
import { publicUrlOf } from '#app/config/public-url.ts'
import type { Config } from '#contracts/config.ts'

/** How others reach the gateway: as the one that runs says, else as the configuration comes out. */
export function publicUrlFor(writer: CommandWriter, config: Config): string {
  return writer.gateway?.about?.publicUrl ?? publicUrlOf(config)
}
