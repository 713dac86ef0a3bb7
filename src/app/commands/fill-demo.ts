/** What `roost demo` shows: a pretend phone, people, a policy, a webhook, and an alert that waits. */
import { join } from 'node:path'
import { logDriver } from '#agent/drivers/log/log-driver.ts'
import { runAgent } from '#agent/run-agent.ts'
import { type CommandIo, tell } from '#app/command-io.ts'
import { NEW_WEBHOOK } from '#app/commands/webhook.ts'
import type { Writer } from '#contracts/commands.ts'
import { PRETEND_DRIVER } from '#contracts/phone-orders.ts'

/** Fictional numbers. */
const ADA = '+14155550101'
const BOB = '+14155550102'
const ALERT = {
  title: 'nas',
  message: 'no answer to ping for 5 minutes',
  severity: 'critical',
  state: 'down',
}

export interface DemoPorts {
  readonly io: CommandIo
  /** Where the phone keeps its state. */
  readonly folder: string
  /** The address for programs on this machine. */
  readonly url: string
  readonly writer: Writer
  readonly stop: AbortSignal
  /** Called when all is there, before the alert comes. */
  readonly greet: (webhookUrl: string) => void
}

/** Resolves when the demo has ended. @throws Problem; Error when the alert is refused */
export async function fillDemo(ports: DemoPorts): Promise<void> {
  const { url, writer, stop, greet } = ports
  const [{ accountId } = { accountId: '' }] = await writer.ask('account.list', {})
  const webhookUrl = `${url}${(await makeWebhook(writer, accountId)).url}`
  const { code } = await writer.ask('device.create-pairing', { accountId, name: null })
  const { connected, ended } = playPhone(ports, code)
  await Promise.race([connected, ended])
  if (stop.aborted) return
  greet(webhookUrl)
  const response = await fetch(webhookUrl, { method: 'POST', body: JSON.stringify(ALERT) })
  if (!response.ok) throw new Error(`the alert was refused: ${await response.text()}`)
  await ended
}

/** Makes people, their policy and its webhook. */
async function makeWebhook(writer: Writer, accountId: string) {
  const person = async (name: string, phoneNumber: string) => {
    const fields = { name, phoneNumber, country: 'US', timeZone: null, quiet: null }
    return (await writer.ask('person.create', { accountId, fields })).id
  }
  const [ada, bob] = [await person('Ada', ADA), await person('Bob', BOB)]
  const steps = [
    { afterMinutes: 0, tell: [ada], ring: false },
    { afterMinutes: 5, tell: [bob], ring: true },
    { afterMinutes: 15, tell: ['everyone'], ring: false },
  ]
  const times = { rounds: 2, takenForMinutes: 240 }
  const policy = await writer.ask('policy.create', {
    accountId,
    fields: { name: 'Servers', steps, ...times },
  })
  const fields = { ...NEW_WEBHOOK, name: 'Monitoring', policyId: policy.id }
  return writer.ask('webhook.create', { accountId, fields })
}

/** Plays a phone that prints texts. It says that it receives, so that texts ask for an answer. */
function playPhone({ io, folder, url, stop }: DemoPorts, code: string) {
  const connected = Promise.withResolvers<void>()
  const print = (line: string) => tell(io, line)
  const incoming = async () => ({ messages: [], cursor: null })
  const ended = runAgent(
    {
      server: url,
      code,
      authority: null,
      stateFile: join(folder, 'phone'),
      name: 'Pretend phone',
      driver: { name: PRETEND_DRIVER },
    },
    {
      driver: { ...logDriver(print, true), incoming },
      log: line => {
        if (line === 'Connected.') connected.resolve()
      },
      fail: reason => tell(io, reason.message),
      print,
      signal: stop,
      env: {},
      askPassword: () => Promise.resolve(''),
      program: [],
    },
  )
  return { connected: connected.promise, ended }
}
