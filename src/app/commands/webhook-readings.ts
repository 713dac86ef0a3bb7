/** `roost webhook triggers`, `readings`, `settle` and `forget`: how the alerts of a webhook are read. */
import type { Command } from 'commander'
import * as v from 'valibot'
import { type CommandContext, table } from '#app/command-io.ts'
import { since } from '#app/commands/since.ts'
import { doing, type Typed, type WriterAndConfig } from '#app/commands/with-writer.ts'
import { ReadingShape, SETTLED_ROLES, SettledRoles, type StoredReading } from '#contracts/alert-reading.ts'
import type { StoredTrigger } from '#contracts/seen-trigger.ts'
import type { WebhookReference } from '#contracts/webhook-commands.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { describeReading, describeTrigger } from '#domain/webhook/describe-webhook.ts'

const ID = 'id or name of the webhook, as listed'
const SEQ = 'number of the trigger, as listed by `roost webhook triggers`'
const SHAPE = 'shape of the alerts, as listed by `roost webhook readings`'

type Find = (opened: WriterAndConfig, idOrName: string) => Promise<WebhookReference>

/** `find`: the webhook that is given by its id or name. */
export function addReadingCommands(webhook: Command, context: CommandContext, find: Find): void {
  const lookAt = async (opened: WriterAndConfig, idOrName: string) => {
    const { readHistory } = await import('#app/commands/read-database.ts')
    const which = await find(opened, idOrName)
    return { which, ...readHistory(opened, which) }
  }
  const settleReading = async ({ options, ...opened }: Typed<object>, id: string, shapeOrSeq: string) => {
    const roles = readRoles(options)
    const { which, triggers } = await lookAt(opened, id)
    const shape = v.is(ReadingShape, shapeOrSeq) ? shapeOrSeq : triggerOf(triggers, shapeOrSeq).shape
    if (shape === null) throw new Problem('CONFLICT', 'the body of this trigger was not read')
    const json = await opened.writer.ask('webhook.settle', { ...which, shape, roles })
    const note = `Settled for all alerts of the shape ${json.shape}, from the next one on.`
    return { json, text: '', note }
  }
  webhook
    .command('triggers')
    .description('list the last triggers of a webhook, or the fields of one of them')
    .argument('<id>', ID)
    .argument('[number]', SEQ)
    .action(
      doing(context, async (opened, id: string, seq?: string) => {
        const { triggers } = await lookAt(opened, id)
        return seq === undefined ? listTriggers(triggers) : showTrigger(triggerOf(triggers, seq))
      }),
    )
  const settle = webhook
    .command('settle')
    .description('settle which fields say what; without options, as they are read now')
    .argument('<id>', ID)
    .argument('<shape-or-number>', `${SHAPE}, or ${SEQ}`)
  for (const role of SETTLED_ROLES) settle.option(`--${role} <path>`, `field with the ${role}`)
  settle
    .option('--over <value...>', 'values of the field with the state that mean that the problem is over')
    .action(doing(context, settleReading, readRoles))
  webhook
    .command('readings')
    .description('list what is settled about the alerts of a webhook')
    .argument('<id>', ID)
    .action(doing(context, async (opened, id: string) => listReadings((await lookAt(opened, id)).readings)))
  webhook
    .command('forget')
    .description('forget what is settled for a shape, so that Roost reads such alerts by itself again')
    .argument('<id>', ID)
    .argument('<shape>', SHAPE)
    .action(
      doing(context, async (opened, id: string, shape: string) => {
        const json = await opened.writer.ask('webhook.forget', { ...(await find(opened, id)), shape })
        return { json, text: '', note: `Roost reads alerts of the shape ${shape} by itself again.` }
      }),
    )
}

function listTriggers(triggers: readonly StoredTrigger[]) {
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
  return { json: { triggers: listed }, text }
}

function showTrigger(trigger: StoredTrigger) {
  const json = describeTrigger(trigger)
  const rows = json.fields.map(({ path, value, role }) => [path, role ?? '-', value])
  const note = json.message === null ? '' : `${json.message}${json.guess ? ' (a guess)' : ''}`
  return { json, text: table(['PATH', 'ROLE', 'VALUE'], rows), note }
}

/** @throws Problem INVALID_REQUEST that names the option */
function readRoles(options: object): SettledRoles {
  const parsed = v.safeParse(SettledRoles, options)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new Problem('INVALID_REQUEST', `--${issue.path?.[0].key} ${issue.message}`)
}

function listReadings(stored: Readonly<Record<string, StoredReading>>) {
  const readings = Object.entries(stored).map(([shape, reading]) => describeReading(shape, reading))
  const nowMs = Date.now()
  const rows = readings.map(({ shape, thing, state, reason, over, settledAt }) => [
    shape,
    thing ?? '-',
    state ?? '-',
    reason ?? '-',
    over.join(', ') || '-',
    since(settledAt, nowMs),
  ])
  const text = table(['SHAPE', 'THING', 'STATE', 'REASON', 'OVER', 'SETTLED'], rows)
  return { json: { readings }, text }
}

function triggerOf(triggers: readonly StoredTrigger[], seq: string): StoredTrigger {
  const found = triggers.find(one => String(one.seq) === seq)
  if (found === undefined) throw notFound('trigger')
  return found
}
