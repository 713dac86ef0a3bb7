/** What the library for mail servers does not allow and real devices do. */
import type { Socket } from 'node:net'
import type { SMTPServer } from 'smtp-server'

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never

/** `MAIL FROM:<a@b> SIZE=9`: the address, with or without its brackets, and what follows it. */
const ADDRESS = /^\s*(mail from|rcpt to)\s*:?\s*(?:<([^>]*)>?|(\S*))(.*)$/is

/**
 * Lets a connection name its sender and recipients as it likes, and answers it also after the end of its
 * half: exim4 ends its half in the packet that ends its mail.
 */
export function tolerate(connection: Connection): void {
  const parse = connection._parseAddressCommand.bind(connection)
  connection._parseAddressCommand = (name, command) => parse(name, inStandardForm(String(command)))
  answerToTheEnd(connection, connection._socket)
}

/** The library writes only while the socket is `open`, which it is no longer once its client has ended. */
export function answerToTheEnd(connection: Connection, socket: Socket): void {
  Object.defineProperty(socket, 'readyState', { get: () => (socket.writable ? 'open' : 'closed') })
  socket.once('end', () => {
    if (connection._parser) connection._parser.once('finish', () => connection.close())
  })
}

/** The sender is not used, and of a recipient only what is before its `@`. */
function inStandardForm(command: string): string {
  const [, name = '', inside, bare = '', rest = ''] = ADDRESS.exec(command) ?? []
  if (name === '') return command
  const address = inside ?? bare
  const local = address.includes('@') ? address.slice(0, address.lastIndexOf('@')) : address
  const isSender = name.toLowerCase() === 'mail from'
  return `${name}:<${isSender || local === '' ? '' : `${local.trim()}@roost`}>${rest}`
}
