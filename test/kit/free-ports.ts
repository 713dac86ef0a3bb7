import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { findPort } from '#app/config/find-port.ts'

const HOST = '127.0.0.1'

/**
 * A port that no other test gets while this process lives: until then it holds the UDP port of that number,
 * which nothing else uses. A port that was only found free could be another test's before it is opened, and
 * two gateways can open one port without an error.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await findPort({ host: HOST, port: 0 })
    const lock = createSocket('udp4')
    lock.bind({ port, address: HOST, exclusive: true })
    const isOurs = await once(lock, 'listening').then(
      () => true,
      () => false,
    )
    if (isOurs) {
      lock.unref()
      return port
    }
    lock.close()
  }
}

/** Such ports, each another one. */
export const freePorts = (count: number) => Promise.all(Array.from({ length: count }, freePort))
