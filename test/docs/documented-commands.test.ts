/** Runs what README.md and GUIDE.md tell people to paste, in the order in which it stands there. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { bundled } from '#test/kit/bundle.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { NO_CURL, start } from '#test/kit/program.ts'
import { SmsgatePhone } from '#test/kit/smsgate-phone.ts'

const top = new URL('../../', import.meta.url)

interface Block {
  readonly language: string
  readonly text: string
}

/** The fenced blocks of a document. */
function blocksOf(document: string): Block[] {
  // recipes.test.ts runs those for senders.
  const text = readFileSync(new URL(document, top), 'utf8').replace(/^### Senders\n[\s\S]*?(?=^### )/m, '')
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = '', language = '', body = '']) => ({
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}

const blocks = [...blocksOf('README.md'), ...blocksOf('GUIDE.md')]
const shell = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text)

/** Left out: test/e2e/npm-start.test.ts runs `npm start`, and this run is part of `npm test`. */
const OF_NPM = /^npm (start|test)/
/** Runs until it is stopped. */
const AGENT = / agent /
/** Left out: needs the commands of Termux. test/agent/standalone.test.ts tests the agent in it. */
const TERMUX = /^node agent\.mjs .*\n/m

interface House {
  readonly gateway: GatewayProcess
  readonly address: string
  /** Of a phone with SMSGate. */
  readonly phoneUrl: string
  readonly env: Readonly<Record<string, string>>
}

/** A gateway with a webhook, and a `roost` on the PATH, in a folder of its own. */
async function openHouse(t: TestContext): Promise<House> {
  const gateway = await GatewayProcess.start(t, { env: { ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '-1' } })
  const bin = join(gateway.folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'roost'), `#!/bin/sh\nexec '${process.execPath}' '${bundled('main')}' "$@"\n`, {
    mode: 0o755,
  })
  const phone = await SmsgatePhone.start()
  t.after(() => phone.stop())
  const env = { ROOST_PHONE_PASSWORD: phone.password, PATH: `${bin}:${process.env['PATH']}` }
  const made = await gateway.cli('webhook', 'create', 'docs', '--recipient', '+14155550123')
  const path = new URL(String(made['url'] ?? made['address']), gateway.url).pathname
  return { gateway, address: new URL(path, gateway.url).href, phoneUrl: phone.url, env }
}

async function filledIn(text: string, { gateway, address, phoneUrl }: House): Promise<string> {
  const port = new URL(gateway.url).port
  const { key } = text.includes('sk_test_…') ? await gateway.cli('key', 'create', '--test') : { key: '' }
  const { code } = text.includes('12345678') ? await gateway.cli('device', 'pair') : { code: '' }
  return text
    .replaceAll('sk_test_…', String(key))
    .replaceAll('12345678', String(code))
    .replaceAll(/(localhost|GATEWAY):8080/g, `127.0.0.1:${port}`)
    .replaceAll('http://192.168.1.20:8080', phoneUrl)
    .replaceAll('ADDRESS', address)
    .replaceAll('TOKEN', address.split('/').at(-1) ?? '')
}

async function runToEnd(command: readonly string[], house: House) {
  const program = start(command, { cwd: house.gateway.folder, env: house.env })
  program.child.stdin?.end()
  await once(program.child, 'close')
  return { code: await program.ended, stdout: program.stdout.text, stderr: program.stderr.text }
}

async function run(command: readonly string[], house: House): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(command, house)
  assert.equal(code, 0, `${command[0]}\n${command.at(-1)}\n${stderr}`)
  return stdout
}

suite('what README.md and GUIDE.md tell people to paste', () => {
  test('works', { timeout: HANGS_AFTER_MS, skip: NO_CURL }, async t => {
    const house = await openHouse(t)
    for (const block of shell.filter(text => !OF_NPM.test(text))) {
      const text = await filledIn(block.replace(TERMUX, ''), house)
      if (AGENT.test(text)) {
        const agent = start(['bash', '-c', `exec ${text}`], { cwd: house.gateway.folder, env: house.env })
        t.after(() => agent.child.kill('SIGKILL'))
        await agent.stderr.until(/^Connected/)
        continue
      }
      const said = await run(['bash', '-ec', text], house)
      if (/curl .*\/webhook\//.test(text)) assert.match(said, /"triggered":true/, text)
    }
  })

  test('in JavaScript, Python and PHP verifies a code, and shows the words of a refusal', {
    timeout: HANGS_AFTER_MS,
  }, async t => {
    const house = await openHouse(t)
    const { key } = await house.gateway.cli('key', 'create', '--test')
    const withKey = (ROOST_KEY: string) => ({ ...house, env: { ...house.env, ROOST_KEY } })
    const inLanguage = async (language: string) => {
      const [block] = blocks.filter(one => one.language === language)
      assert.ok(block, `GUIDE.md has a sample in ${language}`)
      return filledIn(block.text, house)
    }
    const js = `${await inLanguage('js')}\nif (!verified) process.exit(1)`
    const python = `${await inLanguage('python')}\nassert verified`
    const php = `${await inLanguage('php')}\nexit($verified ? 0 : 1);`
    for (const [command, ...args] of [
      [process.execPath, '--input-type=module', '-e', js],
      ['python3', '-c', python],
      // As php.ini has it on Debian: $_ENV is empty.
      ['php', '-d', 'variables_order=GPCS', '-d', 'display_errors=stderr', '-r', php],
    ] as const) {
      const found = start(['sh', '-c', `command -v '${command}'`], { cwd: house.gateway.folder })
      if ((await found.ended) !== 0) {
        t.diagnostic(`${command} is not installed: its sample was not run`)
        continue
      }
      await run([command, ...args], withKey(String(key)))
      const refused = await runToEnd([command, ...args], withKey('sk_test_wrong'))
      assert.notEqual(refused.code, 0)
      assert.match(refused.stderr, /send a valid API key: in the header X-API-Key/)
    }
  })
})
