/** `roost device add modem`: lists the modems of this machine, and makes one a phone. */
import type { Command } from 'commander'
import * as v from 'valibot'
import { answer, type CommandContext, type CommonOptions, optionsOf, table, tell } from '#app/command-io.ts'
import { type AccountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { readLine } from '#app/commands/read-input.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import { OutsideProblem } from '#app/exit-code.ts'
import { ModemConnections } from '#app/phones/modem-connections.ts'
import { AddModemRequest, type ModemItem } from '#contracts/modem.ts'
import { invalid } from '#domain/problem.ts'

interface AddModemOptions extends CommonOptions, AccountOption {
  readonly modem?: string
  readonly pinStdin?: boolean
  readonly name?: string
}

const PIN_LENGTH_MAX = 8

export async function addModem({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AddModemOptions>(command)
  const pin = options.pinStdin ? await readLine(io, PIN_LENGTH_MAX) : null
  const { added, isRunning } = await withWriter(io, options, async ({ writer, config }) => {
    const { accountId } = await chooseAccount(writer, options.account)
    const { directory } = writer
    const shareSecrets = () => writer.shareSecrets()
    const modems = new ModemConnections({ writer, directory, config, shareSecrets })
    const { modems: seen, trouble } = await modems.list(accountId)
    tell(io, trouble === null ? `ModemManager sees:\n${describe(seen)}` : `${trouble}.`)
    const imei = choose(seen, options.modem)
    const read = v.safeParse(AddModemRequest, { kind: 'modem', imei, pin, name: options.name })
    if (!read.success)
      throw invalid(read.issues.map(({ path, message }) => ({ path: pathOf(path), message })))
    const added = await modems.add({ accountId, imei, pin, name: options.name ?? null })
    return { added, isRunning: writer.gateway !== null }
  })
  const when = isRunning ? 'It can send in a moment' : 'It can send as soon as the gateway runs'
  answer(io, options, { json: added, text: added.deviceId, note: `Added ${oneLine(added.name)}. ${when}.` })
}

const pathOf = (path: readonly { readonly key: unknown }[] | undefined) => String(path?.[0]?.key ?? '')

/** @throws OutsideProblem if there is none, or more than one to choose from */
function choose(seen: readonly ModemItem[], imei: string | undefined): string {
  if (imei !== undefined) return imei
  const [only, ...others] = seen
  if (only === undefined) throw new OutsideProblem('NOT_FOUND', 'there is no modem to add', undefined)
  if (others.length > 0)
    throw new OutsideProblem('CONFLICT', 'there are several modems: name one with --modem IMEI', undefined)
  return only.imei
}

function describe(seen: readonly ModemItem[]): string {
  const rows = seen.map(({ imei, model, operator, phoneNumber, signal, state, locked }) => [
    imei,
    model,
    operator ?? '-',
    phoneNumber ?? '-',
    signal === null ? '-' : `${signal} %`,
    locked ? 'needs its PIN: --pin-stdin' : state,
  ])
  return table(['IMEI', 'MODEL', 'OPERATOR', 'NUMBER', 'SIGNAL', 'STATE'], rows)
}
