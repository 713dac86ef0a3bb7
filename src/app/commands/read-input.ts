import type { CommandIo } from '#app/command-io.ts'
import { decodeText } from '#domain/decode-text.ts'

type Input = Pick<CommandIo, 'stdin'>
const LINE_FEED = 10

/** Standard input as text, without the last line feed. Stops soon after `bytesMax` bytes. */
export async function readInput({ stdin }: Input, bytesMax: number): Promise<string> {
  const text = await readUntil(stdin, (_, bytes) => bytes > bytesMax)
  return text.replace(/\r?\n$/, '')
}

/** The first line of standard input as text. Stops soon after `bytesMax` bytes. */
export async function readLine({ stdin }: Input, bytesMax: number): Promise<string> {
  const text = await readUntil(stdin, (part, bytes) => part.includes(LINE_FEED) || bytes > bytesMax)
  const [line = ''] = text.split('\n')
  return line.replace(/\r$/, '')
}

/** Reads until `isEnough` returns true. `isEnough` gets each part, and the number of bytes so far. */
async function readUntil(
  stdin: Input['stdin'],
  isEnough: (part: Buffer, bytes: number) => boolean,
): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk)
    chunks.push(part)
    bytes += part.length
    if (isEnough(part, bytes)) break
  }
  return decodeText(Buffer.concat(chunks))
}
