/** `roost webhook triggers`, `readings`, `settle` and `forget`: how the alerts of a webhook are read. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { findWebhook } from '#app/commands/find-webhook.ts'
import { since } from '#app/commands/since.ts'
import { type WriterAndConfig, withWriter } from '#app/commands/with-writer.ts'
import { SETTLED_ROLES, type SettledRoles } from '#contracts/alert-reading.ts'
import type { StoredTrigger } from '#contracts/seen-trigger.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { describeReading, describeTrigger } from '#domain/webhook/describe-webhook.ts'

const ID = 'id or name of the webhook, as listed'
const SEQ = 'number of the trigger, as listed by `roost webhook triggers`'

export function addReadingCommands(webhook: Command, context: CommandContext): void {
  webhook
    .command('triggers')
    .description('list the last triggers of a webhook, or the fields of one of them')
    .argument('<id>', ID)
    .argument('[number]', SEQ)
    .action(function (this: Command, id: string, seq?: string) {
      return seq === undefined ? listTriggers(context, id, this) : showTrigger(context, { id, seq }, this)
    })
  const settle = webhook
    .command('settle')
    .description('settle which fields say what, for all alerts with the fields of this one')
    .argument('<id>', ID)
    .argument('<number>', SEQ)
  for (const role of SETTLED_ROLES) settle.option(`--${role} <path>`, `field with the ${role}`)
  settle.action(function (this: Command, id: string, seq: string) {
    return settleReading(context, { id, seq }, this)
  })
  webhook
    .command('readings')
    .description('list what is settled about the alerts of a webhook')
    .argument('<id>', ID)
    .action((id: string, _: unknown, command: Command) => listReadings(context, id, command))
  webhook
    .command('forget')
    .description('forget what is settled for a shape, so that Roost reads such alerts by itself again')
    .argument('<id>', ID)
    .argument('<shape>', 'shape of the alerts, as listed by `roost webhook readings`')
    .action(function (this: Command, id: string, shape: string) {
      return forgetReading(context, { id, shape }, this)
    })
}

async function listTriggers({ io }: CommandContext, id: string, command: Command): Promise<void> {
  const options = optionsOf(command)
  const triggers = await withWriter(io, options, async opened => (await lookAt(opened, id)).triggers)
  const nowMs = Date.now()
  const listed = triggers.map(describeTrigger)
  const rows = listed.map(({ seq, at, address, outcome, guess, message }) => [
    String(seq),
    since(at, nowMs),
    address,
    outcome,
    guess ? 'guess' : '-',
    message ?? '-',
  ])
  const text = table(['NUMBER', 'WHEN', 'FROM', 'OUTCOME', 'READING', 'TEXT'], rows)
  answer(io, options, { json: { triggers: listed }, text })
}

interface Which {
  readonly id: string
  readonly seq: string
}

async function showTrigger({ io }: CommandContext, { id, seq }: Which, command: Command): Promise<void> {
  const options = optionsOf(command)
  const found = await withWriter(io, options, async opened => {
    return triggerOf((await lookAt(opened, id)).triggers, seq)
  })
  const json = describeTrigger(found)
  const rows = json.fields.map(({ path, value, role }) => [path, role ?? '-', value])
  const note = json.message === null ? '' : `${json.message}${json.guess ? ' (a guess)' : ''}`
  answer(io, options, { json, text: table(['PATH', 'ROLE', 'VALUE'], rows), note })
}

async function settleReading({ io }: CommandContext, { id, seq }: Which, command: Command): Promise<void> {
  const options = optionsOf<SettledRoles>(command)
  const { thing = null, state = null, reason = null } = options
  if (thing === null && state === null && reason === null)
    throw new Problem('INVALID_REQUEST', 'give --thing, --state or --reason with the path of a field')
  const json = await withWriter(io, options, async opened => {
    const { which, triggers } = await lookAt(opened, id)
    const { shape } = triggerOf(triggers, seq)
    if (shape === null) throw new Problem('CONFLICT', 'the body of this trigger was not read')
    return opened.writer.ask('webhook.settle', { ...which, shape, roles: { thing, state, reason } })
  })
  const note = `Settled for all alerts of the shape ${json.shape}, from the next one on.`
  answer(io, options, { json, text: '', note })
}

async function listReadings({ io }: CommandContext, id: string, command: Command): Promise<void> {
  const options = optionsOf(command)
  const stored = await withWriter(io, options, async opened => (await lookAt(opened, id)).readings)
  const readings = Object.entries(stored).map(([shape, reading]) => describeReading(shape, reading))
  const nowMs = Date.now()
  const rows = readings.map(({ shape, thing, state, reason, settledAt }) => [
    shape,
    thing ?? '-',
    state ?? '-',
    reason ?? '-',
    since(settledAt, nowMs),
  ])
  const text = table(['SHAPE', 'THING', 'STATE', 'REASON', 'SETTLED'], rows)
  answer(io, options, { json: { readings }, text })
}

async function forgetReading(
  { io }: CommandContext,
  { id, shape }: { readonly id: string; readonly shape: string },
  command: Command,
): Promise<void> {
  const options = optionsOf(command)
  const json = await withWriter(io, options, async opened => {
    return opened.writer.ask('webhook.forget', { ...(await findWebhook(opened, id)), shape })
  })
  answer(io, options, { json, text: '', note: `Roost reads alerts of the shape ${shape} by itself again.` })
}

async function lookAt(opened: WriterAndConfig, id: string) {
  const { readHistory } = await import('#app/commands/read-webhooks.ts')
  const which = await findWebhook(opened, id)
  return { which, ...readHistory(opened.writer.directory.database, which) }
}

function triggerOf(triggers: readonly StoredTrigger[], seq: string): StoredTrigger {
  const found = triggers.find(one => String(one.seq) === seq)
  if (found === undefined) throw notFound('trigger')
  return found
}
