import { createHash } from 'node:crypto'
import type { SMTPServerDataStream } from 'smtp-server'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { identityOfMail } from '#domain/alert/read/read-mail.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import { LARGE_BODY_BYTES, type LargeBodies } from '#transport/http/large-bodies.ts'
import { reply } from '#transport/smtp/reply.ts'

export const MAIL_BYTES_MAX = 2_097_152

export interface MailedPorts {
  readonly limiter: Pick<RateLimiter, 'take'>
  /** Shared with the server for HTTP of the same thread. */
  readonly large: Pick<LargeBodies, 'start' | 'end'>
}

/** By what a mail that comes again is known; null: by nothing. */
export function mailHashOf(mail: Buffer): Uint8Array | null {
  const identity = identityOfMail(mail)
  return identity === null ? null : createHash('sha256').update(identity).digest()
}

/** One mail as its accounts pay for it. What an account may not have is refused for that account alone. */
export class Mailed {
  /** The accounts that have mailed too often, or have too many large bodies. */
  readonly refused = new Set<string>()
  readonly #accounts: ReadonlySet<string>
  readonly #large: MailedPorts['large']

  constructor(accounts: readonly string[], { limiter, large }: MailedPorts) {
    this.#accounts = new Set(accounts)
    this.#large = large
    const { most } = ACCOUNT_BOUNDS.mailsPerMinute
    for (const one of this.#accounts)
      if (!limiter.take('account', `mails ${one}`, most).allowed) this.refused.add(one)
  }

  /** Reads the mail to its end, and keeps it while an account may have it. @throws Reply if it is too long */
  async read(stream: SMTPServerDataStream): Promise<Buffer> {
    const readers: object[] = []
    const chunks: Buffer[] = []
    try {
      for await (const chunk of stream) {
        if (stream.sizeExceeded) throw reply(552, `the mail is longer than ${MAIL_BYTES_MAX} bytes`)
        if (stream.byteLength > LARGE_BODY_BYTES && readers.length === 0) this.#grow(readers)
        if (this.refused.size < this.#accounts.size) chunks.push(chunk as Buffer)
        else chunks.length = 0
      }
    } finally {
      for (const one of readers) this.#large.end(one)
    }
    return Buffer.concat(chunks)
  }

  #grow(readers: object[]): void {
    for (const one of this.#accounts) {
      const reader = {}
      readers.push(reader)
      if (!this.refused.has(one) && !this.#large.start(reader, one)) this.refused.add(one)
    }
  }
}
