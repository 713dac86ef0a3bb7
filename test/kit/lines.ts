import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** The lines that a program prints. A test can wait for a line. */
export class Lines {
  readonly all: string[] = []
  readonly #news = new EventEmitter().setMaxListeners(0)
  #ended = false

  constructor(stream: Readable) {
    const lines = createInterface({ input: stream })
    lines.on('line', line => {
      this.all.push(line)
      this.#news.emit('news')
    })
    lines.on('close', () => {
      this.#ended = true
      this.#news.emit('news')
    })
  }

  get text(): string {
    return this.all.join('\n')
  }

  /**
   * The first line that matches, already printed or still to come. Fails when the program ends without one.
   */
  until(pattern: RegExp, from = 0): Promise<string> {
    return new Promise((resolve, reject) => {
      let at = from
      const look = () => {
        for (; at < this.all.length; at++) {
          const line = this.all[at] ?? ''
          if (!pattern.test(line)) continue
          this.#news.off('news', look)
          return resolve(line)
        }
        if (!this.#ended) return
        this.#news.off('news', look)
        reject(new Error(`the program ended without a line like ${pattern}; it printed:\n${this.text}`))
      }
      this.#news.on('news', look)
      look()
    })
  }
}

/** The lines of a file; none if it does not exist. */
export function linesOf(file: string): string[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
}
