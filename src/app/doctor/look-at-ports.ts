import { findPort } from '#app/config/find-port.ts'
import type { Config } from '#contracts/config.ts'
import type { PortAnswer, PortFacts } from '#domain/doctor/facts.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

/** Checks the configured ports by opening each for a moment. */
export async function lookAtPorts({ http }: Config): Promise<PortFacts> {
  const { host } = http
  const endpoints = endpointsOf(http)
  const wanted = [endpoints.http, endpoints.https].filter(port => port !== null).filter(port => port > 0)
  const ports: { port: number; answer: PortAnswer }[] = []
  for (const port of wanted) {
    const answer = await findPort({ host, port }).then(() => 'free' as const, answerOf)
    ports.push({ port, answer })
  }
  return { host, ports, endpoints }
}

function answerOf(error: unknown): PortAnswer {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE') return 'used'
  if (code === 'EACCES' || code === 'EPERM') return 'forbidden'
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no-address'
  throw error
}
