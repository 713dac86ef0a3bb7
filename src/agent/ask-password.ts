import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks for a password at the terminal, without echo. Without a terminal, reads a line of standard input. */
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
    // The end of the input, or Ctrl-C, counts as an empty answer.
    lines.once('close', () => {
      if (isTerminal) stderr.write('\n')
      input.pause?.()
      resolve(answer)
    })
  })
}
