import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { saveIdentity } from '#agent/identity.ts'
import type { ChildInput } from '#test/kit/agent-child.program.ts'
import { bundled } from '#test/kit/bundle.ts'
import { DEVICE_ID, DEVICE_TOKEN, FakeGateway, messageIdOf, offerOf } from '#test/kit/fake-gateway.ts'
import { HonestGateway, MESSAGE_ID } from '#test/kit/honest-gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { onlyLong } from '#test/kit/test-size.ts'

const options = { timeout: HANGS_AFTER_MS }
/** The quick size has each write once, each time at another moment. */
const optionsIf = (isQuick: boolean) => ({ ...options, skip: !isQuick && onlyLong('sizes') })
const program = bundled('agent-child')

const SEND = 'echo "$ROOST_MESSAGE_ID $ROOST_ATTEMPT" >> "$RADIO"'
const LOOK_UP = 'grep -qx "$ROOST_MESSAGE_ID $ROOST_ATTEMPT" "$RADIO"'

class Stage {
  readonly gateway: FakeGateway
  readonly folder: string
  readonly #t: TestContext

  constructor(gateway: FakeGateway, t: TestContext) {
    this.gateway = gateway
    this.#t = t
    this.folder = temporaryDirectory(t)
    writeFileSync(this.#path('radio'), '')
    this.lead(0)
    const socketUrl = `${gateway.url.replace('http', 'ws')}/device/v1/socket`
    const identity = { deviceId: DEVICE_ID, token: DEVICE_TOKEN, socketUrl, name: 'child', pairedAt: '' }
    saveIdentity(this.#path('state'), { version: 1, ...identity })
    t.after(() => gateway.stop())
  }

  /** The texts that went over the radio, each a line with message and attempt. */
  get radio(): string[] {
    return readFileSync(this.#path('radio'), 'utf8').split('\n').slice(0, -1)
  }

  /** Sets how far the clocks of the child processes are ahead. */
  lead(ms: number): void {
    writeFileSync(this.#path('clock'), String(ms))
  }

  start(changes: Partial<ChildInput> = {}): ChildProcess {
    const input: ChildInput = {
      stateFile: this.#path('state'),
      clockFile: this.#path('clock'),
      exec: SEND,
      execLookUp: LOOK_UP,
      dieAt: 0,
      dieWhen: 'before',
      ...changes,
    }
    const env = { ...process.env, RADIO: this.#path('radio'), FOLDER: this.folder }
    const child = spawn(process.execPath, [program, JSON.stringify(input)], { env, stdio: 'ignore' })
    this.#t.after(() => child.kill('SIGKILL'))
    return child
  }

  #path(name: string): string {
    return join(this.folder, name)
  }
}

/** Serves the agent's connection; fails at once when the agent ends without one. */
async function serve(honest: HonestGateway, agent: ChildProcess): Promise<void> {
  const ended = once(agent, 'exit').then(([code, signal]) =>
    assert.fail(`the agent ended before it was connected: ${code ?? signal}`),
  )
  await Promise.race([honest.serveNext(), ended])
}

/** Sends a message with an agent that dies, then starts an agent that does not. */
async function dieAndComeBack(t: TestContext, changes: Partial<ChildInput>) {
  const stage = new Stage(await FakeGateway.start(), t)
  const honest = new HonestGateway(stage.gateway)
  const dying = stage.start(changes)
  const died = once(dying, 'exit')
  await serve(honest, dying)
  assert.deepEqual(await died, [null, 'SIGKILL'])
  const living = stage.start({ ...changes, dieAt: 0 })
  await serve(honest, living)
  const final = await honest.final
  living.kill('SIGTERM')
  const [exitCode] = await once(living, 'exit')
  assert.equal(exitCode, 0)
  assert.equal(new Set(stage.radio).size, stage.radio.length, 'a go was used twice')
  return { final, radio: stage.radio, goes: honest.goCount, folder: stage.folder }
}

for (const [dieAt, written] of [
  'accepted',
  'submitting',
  'command',
  'sent',
  'delivered',
  'finished',
].entries()) {
  for (const [moment, dieWhen] of (['before', 'torn', 'after'] as const).entries()) {
    test(
      `an agent killed ${dieWhen === 'torn' ? 'while' : dieWhen} "${written}" is journalled sends once`,
      optionsIf(moment === dieAt % 3),
      async t => {
        const { final, radio, goes } = await dieAndComeBack(t, { dieAt: dieAt + 1, dieWhen })
        assert.equal(final, 'delivered')
        assert.equal(radio.length, 1)
        assert.ok(goes <= 2)
      },
    )
  }
}

for (const [dieAt, dieWhen, sent] of [
  [2, 'after', 0],
  [3, 'after', 0],
  [4, 'torn', 1],
  [4, 'before', 1],
] as const) {
  test(
    `after a kill at write ${dieAt} (${dieWhen}) without a sent folder, the outcome is uncertain`,
    optionsIf(dieWhen !== 'before' && dieAt !== 2),
    async t => {
      const { final, radio, goes } = await dieAndComeBack(t, { dieAt, dieWhen, execLookUp: null })
      assert.equal(final, 'uncertain')
      assert.equal(radio.length, sent)
      assert.equal(goes, 1)
    },
  )
}

test('an agent killed by its command before sending sends once, in a second attempt', options, async t => {
  const exec = `if mkdir "$FOLDER/once" 2>&-; then kill -9 $PPID; else ${SEND}; fi`
  const { final, radio, goes } = await dieAndComeBack(t, { exec })
  assert.equal(final, 'delivered')
  assert.deepEqual(radio, [`${MESSAGE_ID} 2`])
  assert.equal(goes, 2)
})

test('an agent killed by its command after sending does not send again', options, async t => {
  const { final, radio, goes } = await dieAndComeBack(t, { exec: `${SEND}; kill -9 $PPID` })
  assert.equal(final, 'delivered')
  assert.deepEqual(radio, [`${MESSAGE_ID} 1`])
  assert.equal(goes, 1)
})

test('a command that outlives its agent is ended before its message is looked up', options, async t => {
  const wait = 'mkfifo "$FOLDER/wait"; kill -9 $PPID; read line <"$FOLDER/wait"'
  const exec = `if mkdir "$FOLDER/once" 2>&-; then ${wait}; fi; ${SEND}`
  const { final, radio, folder } = await dieAndComeBack(t, { exec })
  assert.equal(final, 'delivered')
  assert.deepEqual(radio, [`${MESSAGE_ID} 2`])
  const open = () => openSync(join(folder, 'wait'), constants.O_WRONLY | constants.O_NONBLOCK)
  assert.throws(open, { code: 'ENXIO' }, 'no process reads any more')
})

test('an agent that was frozen while its go came too late does not send', options, async t => {
  const stage = new Stage(await FakeGateway.start(), t)
  const child = stage.start()
  const phone = await stage.gateway.nextPhone()
  await phone.handshake()
  phone.sendFrame(offerOf(1))
  await phone.next('begin')
  child.kill('SIGSTOP')
  phone.go(1)
  stage.lead(10_001)
  child.kill('SIGCONT')
  const report = await phone.ackReport()
  assert.deepEqual([report.state, report.code], ['failed', 'GO_EXPIRED'])
  phone.sendFrame(offerOf(1, { attempt: 2 }))
  await phone.next('begin')
  phone.go(1, 2)
  assert.equal((await phone.next('report')).state, 'sent')
  assert.deepEqual(stage.radio, [`${messageIdOf(1)} 2`])
})

test(
  'a second agent on the same state file refuses to start, and a killed one leaves it free',
  options,
  async t => {
    const stage = new Stage(await FakeGateway.start(), t)
    const first = stage.start()
    const phone = await stage.gateway.nextPhone()
    await phone.handshake()
    const second = stage.start()
    assert.deepEqual(await once(second, 'exit'), [1, null])
    first.kill('SIGKILL')
    await once(first, 'exit')
    stage.start()
    await (await stage.gateway.nextPhone()).handshake()
  },
)
