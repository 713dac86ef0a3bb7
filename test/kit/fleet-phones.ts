/** Phones of each kind, each in its own process, which a test can kill and restart on the same data. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundled } from '#test/kit/bundle.ts'
import { CloudApp } from '#test/kit/cloud-app.ts'
import type { CloudPhoneInput } from '#test/kit/cloud-phone.program.ts'
import type { GatewayProcess } from '#test/kit/gateway-process.ts'
import { linesOf } from '#test/kit/lines.ts'
import type { ModemWorld } from '#test/kit/modem/modem-world.ts'
import { type Program, roost, start } from '#test/kit/program.ts'
import type { Random } from '#test/kit/random.ts'
import { SmsgateProcess } from '#test/kit/smsgate-process.ts'

export interface FleetPhone {
  readonly kind: 'agent' | 'hosted' | 'cloud' | 'modem'
  readonly deviceId: string
  /** Starts the phone, also after a kill. `onOutput` is called whenever the phone prints something. */
  start(onOutput: () => void): Promise<void>
  /** Kills the phone with SIGKILL. */
  kill(): Promise<void>
  /**
   * Ids of the transmitted texts. SMSGate gets `msg_….2` for a second attempt, and so on. `idOf`: the id of
   * the message with this text.
   */
  transmitted(idOf: (text: string) => string): string[]
}

interface AgentPhoneOptions extends PhoneOptions {
  readonly isSlow?: boolean
}

interface PhoneOptions {
  readonly gateway: GatewayProcess
  /** The name of the phone, and of its folder below the folder of the gateway. */
  readonly name: string
}

/**
 * `roost agent` with a command that writes the message's id to a file. `isSlow`: one command in sixteen takes
 * seconds before it does so. If it outlived an agent that is killed, it would still run when the next agent
 * looks the message up in that file.
 */
export async function agentPhone({ gateway, name, isSlow = false }: AgentPhoneOptions): Promise<FleetPhone> {
  const folder = makeFolder(gateway, name)
  const transmittedFile = join(folder, 'transmitted.txt')
  const state = ['--state', join(folder, 'agent.json')]
  const send = `printf '%s\\n' "$ROOST_MESSAGE_ID" >>${transmittedFile}`
  const wait = 'case "$ROOST_MESSAGE_ID" in *[01]) sleep 3;; *) sleep 0.1;; esac'
  const lookUp = ['--exec-lookup', `grep -qx "$ROOST_MESSAGE_ID" ${transmittedFile}`]
  const command = isSlow ? [`${wait}; ${send}; sleep 0.1`, ...lookUp] : [send]
  const exec = ['--driver', 'exec', '--exec', ...command]
  writeFileSync(transmittedFile, '')
  const { data } = await gateway.asOwner('POST', '/devices/pairings', {})
  const pairing = ['--server', gateway.url, '--code', (data as { code: string }).code, '--name', name]
  let program = roost(['agent', ...pairing, ...state, ...exec], { cwd: folder })
  const line = await program.stderr.until(/^Device dev_/)
  return {
    kind: 'agent',
    deviceId: line.split(' ')[1] ?? '',
    transmitted: () => linesOf(transmittedFile),
    async start(onOutput) {
      await killProgram(program)
      program = roost(['agent', ...state, ...exec], { cwd: folder })
      watchOutput(program, onOutput)
      await program.stderr.until(/^Device dev_/)
    },
    kill: () => killProgram(program),
  }
}

/** SMSGate's local server, which the gateway calls. */
export async function hostedPhone({ gateway, name }: PhoneOptions, dice: Random): Promise<FleetPhone> {
  const phone = new SmsgateProcess(makeFolder(gateway, name), dice)
  await phone.start(null, false)
  const url = `http://127.0.0.1:${phone.port}`
  const body = { kind: 'smsgate', url, password: 'pa55w0rd', name }
  const { status, data, error } = await gateway.asOwner('POST', '/devices', body)
  if (status !== 200) throw new Error(`the phone was not added: ${JSON.stringify(error)}`)
  return {
    kind: 'hosted',
    deviceId: (data as { deviceId: string }).deviceId,
    transmitted: () => phone.records().transmitted,
    async start(onOutput) {
      await phone.kill()
      await phone.start(null, true)
      phone.watchOutput(onOutput)
    },
    kill: () => phone.kill(),
  }
}

/** SMSGate's cloud mode: the phone calls the gateway. */
export async function cloudPhone({ gateway, name }: PhoneOptions): Promise<FleetPhone> {
  const folder = makeFolder(gateway, name)
  const { data } = await gateway.asOwner('POST', '/devices/pairings', {})
  const app = new CloudApp(`${gateway.url}/smsgate/v1`)
  const { status } = await app.register(`Code ${(data as { code: string }).code}`)
  if (status !== 201) throw new Error(`the registration was answered ${status}`)
  const transmittedFile = join(folder, 'transmitted.txt')
  const { base, token, deviceId } = app
  const input: CloudPhoneInput = { base, token, file: join(folder, 'phone.jsonl'), transmittedFile }
  let program: Program | null = null
  return {
    kind: 'cloud',
    deviceId,
    transmitted: () => linesOf(transmittedFile),
    async start(onOutput) {
      await killProgram(program)
      program = start([process.execPath, bundled('cloud-phone'), JSON.stringify(input)], { cwd: folder })
      watchOutput(program, onOutput)
      await program.stdout.until(/^started/)
    },
    kill: () => killProgram(program),
  }
}

/** A modem of the gateway's machine. ModemManager is what is killed. */
export async function modemPhone({ gateway, name }: PhoneOptions, world: ModemWorld): Promise<FleetPhone> {
  const body = { kind: 'modem', imei: world.modem.imei, name }
  const { status, data, error } = await gateway.asOwner('POST', '/devices', body)
  if (status !== 200) throw new Error(`the modem was not added: ${JSON.stringify(error)}`)
  return {
    kind: 'modem',
    deviceId: (data as { deviceId: string }).deviceId,
    transmitted: idOf => world.modem.onAir.map(({ text }) => idOf(text)),
    async start() {
      await world.killManager()
      await world.startManager()
    },
    kill: () => world.killManager(),
  }
}

function makeFolder(gateway: GatewayProcess, name: string): string {
  const folder = join(gateway.folder, name)
  mkdirSync(folder)
  return folder
}

function watchOutput({ child }: Program, onOutput: () => void): void {
  child.stdout?.on('data', onOutput)
  child.stderr?.on('data', onOutput)
}

async function killProgram(program: Program | null): Promise<void> {
  program?.child.kill('SIGKILL')
  await program?.ended
}
