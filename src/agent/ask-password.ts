import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks a person without echo; without a terminal reads the first line of standard input. */
export function askPassword(
  stdin: AsyncIterable<Buffer | string>,
  stderr: { write(text: string): unknown },
  question: string,
): Promise<string> {
  const input = stdin as NodeJS.ReadStream
  const isTerminal = input.isTTY === true
  if (isTerminal) stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: isTerminal })
  return new Promise(resolve => {
    let answer = ''
    lines.once('line', line => {
      answer = line
      lines.close()
    })
    // The end of input is an answer, too, and so is Ctrl-C: an empty one.
    lines.once('close', () => {
      if (isTerminal) stderr.write('\n')
      input.pause?.()
      resolve(answer)
    })
  })
}
