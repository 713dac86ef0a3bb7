/**
 * Real senders of alerts, by the handbook to the letter: `node scripts/check-senders.ts [NAME…]`. Each has
 * problems and their ends, at a webhook with a policy of two people. Ada must read each once, at once, with
 * the line that asks; Bob, whose turn is half an hour later, nothing; and the end must close its incident.
 * Prints what each read, and when. Exit code 1: a program failed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkPrograms, type DebianProgram, runInTree } from '#scripts/debian-programs.ts'
import { MACHINE_PROGRAMS } from '#scripts/senders/of-machines.ts'
import { MONITOR_PROGRAMS } from '#scripts/senders/of-monitors.ts'
import { BIN, CLOSED, type Program } from '#scripts/senders/program.ts'
import { UPTIME_KUMA } from '#scripts/senders/uptime-kuma.ts'
import { ZABBIX } from '#scripts/senders/zabbix.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { blockOf } from '#test/kit/recipe-shell.ts'

const PACKAGES = [
  'ca-certificates,curl,hostname,procps,collectd-core,icinga2-bin,icinga2-common,monit,nut-client',
  'nut-server,prometheus-alertmanager,smartmontools,snmp,snmptrapd',
].join()
const PROMPT = /\nReply \d+: I take it$/
/** A text that has not come by then does not come. */
const TEXT_MS_MAX = 300_000

const gateway = await startGateway({})
const { accountId, token } = await gateway.owner()
const phone = await PairedPhone.pair(gateway, accountId)
await phone.connect(gateway.url)
await phone.reportReceived({ id: 'first', from: '+14155550199', message: 'hello' })
let lastNumber = 14_155_550_200
const all = { ...MACHINE_PROGRAMS, ...MONITOR_PROGRAMS, zabbix: ZABBIX, 'uptime-kuma': UPTIME_KUMA }
const programs = Object.entries(all).map(([name, program]: [string, Program]) => {
  const { packages } = program
  return [name, { ...program, packages: packages ?? PACKAGES, tree: packages ? name : 'tree' }] as const
})
await checkPrograms({ work: 'dist/senders', programs: Object.fromEntries(programs), faultOf })
await phone.disconnect()
await gateway.stop()

async function made(path: string, json: object): Promise<Record<string, unknown>> {
  const answer = await gateway.call('POST', `/api/v1/${path}`, { token, json })
  if (answer.json?.data === undefined) throw new Error(answer.text)
  return answer.json.data
}

/** What is wrong with the problems of the program and their ends; null: nothing. */
async function faultOf(name: string, program: Program & DebianProgram, root: string): Promise<string | null> {
  const { texts, incidents = [CLOSED], asks = incidents.length, gather = false } = program
  const people = [`+${++lastNumber}`, `+${++lastNumber}`]
  const steps = people.map(async (phoneNumber, at) => {
    const { id } = await made('people', { name: `${at === 0 ? 'Ada' : 'Bob'} ${name}`, phoneNumber })
    return { afterMinutes: 30 * at, tell: [id] }
  })
  const { id: policyId } = await made('policies', { name, steps: await Promise.all(steps) })
  const webhook = await made('webhooks', { name, recipients: [], policyId, maxPerHour: 1000, gather })
  await writeFiles(program, root, `${gateway.url}${webhook['url']}`)
  const before = phone.sent.length
  const fault = await follow(program, root)
  const sent = phone.sent.slice(before)
  const { json } = await gateway.call('GET', `/api/v1/incidents?webhookId=${webhook['id']}`, { token })
  const opened = ((json?.data ?? []) as Record<string, unknown>[]).reverse()
  const right = texts.map((text, at) => `${at < asks} ${people[0]} ${text}`)
  const came = sent.map(({ phoneNumber, message }, at) => {
    const said = `${PROMPT.test(message)} ${phoneNumber} ${message.replace(PROMPT, '')}`
    return said.startsWith(right[at] ?? '') ? right[at] : said
  })
  const states = opened.map(({ state, closedBy }) => `${state} by ${closedBy}`)
  if (fault === null && came.join('\n') === right.join('\n') && states.join() === incidents.join())
    return null
  const path = `/api/v1/webhooks/${webhook['id']}/triggers`
  const triggers = await gateway.call('GET', path, { token })
  return [fault ?? 'it came otherwise', ...sent, ...opened, triggers.json?.data]
    .map(part => JSON.stringify(part))
    .join('\n  ')
}

/** Puts the files of a program into its tree, and `/run-program` with its commands. */
async function writeFiles({ files, problem, steps }: Program, root: string, address: string) {
  const values: Record<string, string> = {
    ADDRESS: address,
    GATEWAY: gateway.url,
    TOKEN: address.split('/').at(-1) ?? '',
    $port: String(await freePort()),
    $port2: String(await freePort()),
  }
  const waits = steps.map((step, at) => `until [ -e /told${at} ]; do sleep 0.2; done\n${step}`)
  const commands = ['set -eu', problem, ...waits, 'until [ -e /done ]; do sleep 0.2; done'].join('\n')
  const own = { [`${BIN}/text-me`]: blockOf('', 'text-me HOST'), '/run-program': commands }
  for (const [path, text] of Object.entries({ ...files, ...own })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    const filled = text.replaceAll(/\b(?:ADDRESS|GATEWAY|TOKEN)\b|\$port2?\b/g, found => values[found] ?? '')
    writeFileSync(join(root, path), filled, { mode: 0o755 })
  }
}

/** Lets the program run until all its texts have come. @returns why they did not */
async function follow({ texts }: Program, root: string): Promise<string | null> {
  const startedAt = performance.now()
  const before = phone.sent.length
  const { ended, stop } = runInTree(root, '/run-program')
  const quit = ended.then(({ code, output }) => `it ended with ${code}: ${output}`)
  for (const at of texts.keys()) {
    const told = phone.whenSent(before + at + 1).then(() => null)
    const late = new Promise<string>(resolve => setTimeout(resolve, TEXT_MS_MAX, 'it was too slow').unref())
    const fault = await Promise.race([told, quit, late])
    if (fault !== null) {
      stop()
      return fault
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`  ${seconds} s: ${JSON.stringify(phone.sent[before + at]?.message)}`)
    writeFileSync(join(root, `told${at}`), '')
  }
  writeFileSync(join(root, 'done'), '')
  await ended
  return null
}
