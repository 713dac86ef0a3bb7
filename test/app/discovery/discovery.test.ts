import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { type Program, roost } from '#test/kit/program.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const ip = (...args: string[]) => {
  const { status, error, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  return { isDone: status === 0, message: error?.message ?? stderr }
}

/** Why network namespaces cannot be created on this machine; false if they can. */
const skip = whyNot()

function whyNot(): string | false {
  const probe = `roost-probe-${process.pid}`
  const { isDone, message } = ip('netns', 'add', probe)
  if (isDone) ip('netns', 'delete', probe)
  return !isDone && `network namespaces cannot be created here: ${message}`
}

/** Two machines on an isolated network. Returns the command prefix that runs a program on each. */
function twoMachines(t: TestContext) {
  const [a, b] = [`roost-a-${process.pid}`, `roost-b-${process.pid}`]
  t.after(() => {
    for (const name of [a, b]) ip('netns', 'delete', name)
  })
  const steps = [
    ['netns', 'add', a],
    ['netns', 'add', b],
    ['link', 'add', 'lan', 'netns', a, 'type', 'veth', 'peer', 'name', 'lan', 'netns', b],
    ...[a, b].flatMap((name, index) => [
      ['-n', name, 'addr', 'add', `10.77.0.${index + 1}/24`, 'dev', 'lan'],
      ['-n', name, 'link', 'set', 'lan', 'up'],
      ['-n', name, 'link', 'set', 'lo', 'up'],
    ]),
  ]
  for (const step of steps) {
    const { isDone, message } = ip(...step)
    assert.ok(isDone, `ip ${step.join(' ')}: ${message}`)
  }
  return { a: ['ip', 'netns', 'exec', a], b: ['ip', 'netns', 'exec', b] }
}

/**
 * Starts an agent that finds the gateway. Multicast is unreliable, so a search without an answer is repeated.
 * Fails after five such searches.
 */
async function findAgain(t: TestContext, under: readonly string[], code: string): Promise<Program> {
  const cwd = temporaryDirectory(t)
  for (let tries = 1; ; tries++) {
    const agent = roost(['agent', '--code', code, '--driver', 'log'], { cwd, under })
    t.after(() => agent.child.kill('SIGKILL'))
    const found = await agent.stderr.until(/found/i).catch((error: Error) => error)
    if (found instanceof Error && tries < 5) continue
    assert.match(String(found), /http:\/\/10\.77\.0\.1:\d+/)
    return agent
  }
}

test('an agent on another machine of an isolated network finds the gateway without an address', {
  skip,
}, async t => {
  const machines = twoMachines(t)
  const env = { ROOST_HTTP__HOST: '0.0.0.0' }
  const gateway = await GatewayProcess.startBare(t, { under: machines.a, env })
  const { code } = await gateway.cli('device', 'pair')
  const agent = await findAgain(t, machines.b, String(code))
  await agent.stderr.until(/connected/i)
  const { devices } = (await gateway.cli('status')) as { devices: { status: string }[] }
  assert.equal(devices[0]?.status, 'online')
})

test('a gateway that announces nothing is not found, and the error says what to do', { skip }, async t => {
  const machines = twoMachines(t)
  const env = { ROOST_HTTP__HOST: '0.0.0.0', ROOST_DISCOVERY__ENABLED: 'false' }
  await GatewayProcess.startBare(t, { under: machines.a, env })
  const agent = roost(['agent', '--code', 'ABCDEFGH', '--driver', 'log'], {
    cwd: temporaryDirectory(t),
    under: machines.b,
  })
  assert.equal(await agent.ended, 1)
  assert.match(agent.stderr.text, /no gateway announces itself .* --server /)
})
