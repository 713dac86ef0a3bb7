const LINE_FEED = 10

/** A peer sent a line longer than allowed. */
export class LineTooLong extends Error {}

/**
 * Yields the lines of a stream without their line feeds. Text after the last line feed is dropped. Each line
 * is kept in memory, so its length is bounded.
 *
 * @throws LineTooLong for a line of more than `lineBytesMax` bytes
 */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  lineBytesMax: number,
): AsyncGenerator<string, void, undefined> {
  let partial: Buffer[] = []
  let partialBytes = 0
  for await (const chunk of stream) {
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const part = chunk.subarray(from, end)
      if (partialBytes + part.length > lineBytesMax) throw new LineTooLong('the line is too long')
      yield Buffer.concat([...partial, part]).toString('utf8')
      partial = []
      partialBytes = 0
      from = end + 1
    }
    partial.push(chunk.subarray(from))
    partialBytes += chunk.length - from
    if (partialBytes > lineBytesMax) throw new LineTooLong('the line is too long')
  }
}
