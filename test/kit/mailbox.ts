/** A mail server that wants a login, and keeps the mails that it gets. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

const LOGIN = { user: 'roost', pass: 'mail-pass-word' }

export interface Mailbox {
  /** With the login. */
  readonly url: string
  /** As they came, headers and all. */
  readonly mails: readonly string[]
  close(): Promise<void>
}

export async function openMailbox(): Promise<Mailbox> {
  const mails: string[] = []
  const server = new SMTPServer({
    logger: false,
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) =>
      username === LOGIN.user && password === LOGIN.pass
        ? done(null, { user: username })
        : done(new Error('wrong login')),
    onData: (stream, _, done) => {
      void readText(stream).then(mail => {
        mails.push(mail)
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://${LOGIN.user}:${LOGIN.pass}@127.0.0.1:${port}`,
    mails,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}
