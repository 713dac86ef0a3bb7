import { findPort } from '#app/config/find-port.ts'

/** A free port of this machine. */
export const freePort = () => findPort({ host: '127.0.0.1', port: 0 })

/** Free ports of this machine, each another one. */
export const freePorts = (count: number) => Promise.all(Array.from({ length: count }, freePort))
