import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { DriverOptions } from '#agent/drivers/drivers.ts'
import { runAgent } from '#agent/run-agent.ts'
import { mayPassOf } from '#app/cluster/cluster-questions.ts'
import { guardedLookup, type PhoneRules, parseAllowedHosts } from '#app/phones/phone-hosts.ts'
import { redact } from '#app/redact.ts'
import type { HostedPhone, HostedPhoneNews, HostOrder } from '#contracts/thread-frames.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { makeDirectory } from '#storage/sync-directory.ts'

/** Starts and stops agents of phones in this thread, as the main thread orders. */
export function hostPhones(port: Pick<MessagePort, 'on' | 'postMessage'>): void {
  const stops = new Map<string, AbortController>()
  const tell = (news: HostedPhoneNews) => port.postMessage(news)
  port.on('message', (order: HostOrder) => {
    if (order.kind === 'end') return stops.get(order.deviceId)?.abort()
    const { deviceId } = order.phone
    const stop = new AbortController()
    stops.set(deviceId, stop)
    void hostPhone(order.phone, { tell, stop }).then(() => {
      stops.delete(deviceId)
      tell({ kind: 'ended', deviceId })
    })
  })
}

interface HostPorts {
  readonly tell: (news: HostedPhoneNews) => void
  readonly stop: AbortController
}

/** Runs the agent of a phone that the gateway connects to. Resolves when the agent has ended. */
async function hostPhone(phone: HostedPhone, { tell, stop }: HostPorts): Promise<void> {
  const { deviceId, name, socketUrl, token, access, allowedHosts, neighbours } = phone
  const { phones } = dataDirectory(phone.dataDir)
  makeDirectory(phones)
  const stateFile = join(phones, deviceId)
  const log = (level: 'debug' | 'warn') => (line: string) =>
    tell({ kind: 'log', entry: { level, event: 'phone.agent', fields: { deviceId, line: redact(line) } } })
  const mayTransmit = phone.leadership == null ? undefined : mayPassOf(phone.leadership)
  const identity = { version: 1, deviceId, token, socketUrl, name, pairedAt: '', isOwnGateway: true } as const
  const driver = driverOf(access, { allowed: parseAllowedHosts(allowedHosts), neighbours }, mayTransmit)
  await runAgent(
    { server: null, code: null, authority: null, stateFile, name, driver },
    {
      log: log('debug'),
      fail: reason => log('warn')(reason.message),
      print: () => {},
      askPassword: () => Promise.resolve(''),
      signal: stop.signal,
      env: {},
      program: [],
      identity,
    },
  )
  // Cancels timers and calls that still wait.
  stop.abort()
}

function driverOf(
  access: HostedPhone['access'],
  rules: PhoneRules,
  mayTransmit: (() => boolean) | undefined,
): DriverOptions {
  if ('imei' in access) {
    const { imei, ...known } = access
    return { name: 'modem', imei, pinFile: null, known: { ...known, mayTransmit } }
  }
  const { url, username, password, phoneId, ringer } = access
  const caller = ringer && { ...ringer, lookup: guardedLookup(ringer.url, rules), mayTransmit }
  const known = { password, phoneId, lookup: guardedLookup(url, rules), ringer: caller, mayTransmit }
  return { name: 'smsgate', url, username, passwordFile: null, known }
}
