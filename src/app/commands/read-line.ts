import type { CommandIo } from '#app/command-io.ts'

/** The first line of standard input as UTF-8, or a little more than so many bytes of it. */
export async function readLine({ stdin }: Pick<CommandIo, 'stdin'>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk)
    chunks.push(part)
    bytes += part.length
    if (part.includes(10) || bytes > bytesMax) break
  }
  const [line = ''] = Buffer.concat(chunks).toString('utf8').split('\n')
  return line.replace(/\r$/, '')
}
