import type { CommandIo } from '#app/command-io.ts'

/** Standard input as UTF-8, up to its end or a little beyond so many bytes, without the last line feed. */
export async function readInput({ stdin }: Pick<CommandIo, 'stdin'>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk)
    chunks.push(part)
    bytes += part.length
    if (bytes > bytesMax) break
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
