/** A phone and a caller behind each proxy, set up with the blocks of GUIDE.md. */

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { freePort } from '#test/kit/free-ports.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { type Program, roost, start } from '#test/kit/program.ts'
import { selfSigned } from '#test/kit/self-signed.ts'

const guide = readFileSync(new URL('../../GUIDE.md', import.meta.url), 'utf8')
const NAME = 'localhost'

interface Setup {
  /** Where the proxy's files go. */
  readonly folder: string
  readonly gatewayPort: string
  readonly port: number
  readonly certificate: string
  readonly key: string
}

interface Proxy {
  readonly name: string
  readonly block: RegExp
  /** The configuration file, with the block of the guide in it. */
  configure(block: string, setup: Setup): string
  readonly command: (file: string) => readonly string[]
  /** What it prints once it listens. */
  readonly ready: RegExp
}

/** The block, with the paths, ports and name of this test. */
function adapted(block: string, { gatewayPort, port, certificate, key }: Setup): string {
  return block
    .replace('127.0.0.1:8080', `127.0.0.1:${gatewayPort}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll('/etc/ssl/sms.pem', certificate)
    .replaceAll('/etc/ssl/sms.key', key)
    .replace('server_name sms.example.com', `server_name ${NAME}`)
    .replace('sms.example.com {', `https://${NAME}:${port} {\n  bind 127.0.0.1\n  tls ${certificate} ${key}`)
}

const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    block: /```nginx\n([\s\S]*?)```/,
    configure(block, setup) {
      const { folder } = setup
      const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map(kind => `${kind}_temp_path ${folder}/${kind};`)
        .join('\n')
      return `pid ${folder}/pid;\nerror_log stderr notice;\ndaemon off;\nevents {}
http {\naccess_log off;\n${scratch}\n${adapted(block, setup)}}\n`
    },
    command: file => ['nginx', '-p', '/tmp', '-e', 'stderr', '-c', file],
    ready: /start worker process/,
  },
  {
    name: 'caddy',
    block: /Caddy passes WebSockets on by itself:\n\n```\n([\s\S]*?)```/,
    configure: (block, setup) =>
      `{\n  admin off\n  auto_https off\n  storage file_system ${setup.folder}\n}\n${adapted(block, setup)}`,
    command: file => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
    ready: /serving initial configuration/,
  },
]

/** Starts a program that ends with the test, and says what it printed if the test fails. */
function running(t: TestContext, program: Program): Program {
  t.after(async () => {
    program.child.kill('SIGTERM')
    await program.ended
  })
  return program
}

suite('a phone behind a proxy set up as GUIDE.md says', () => {
  for (const proxy of proxies)
    test(`pairs and sends through ${proxy.name}`, async t => {
      const found = start(['sh', '-c', `command -v ${proxy.name}`], { cwd: '/' })
      if ((await found.ended) !== 0)
        return t.diagnostic(`${proxy.name} is not installed: its block was not tried`)
      const port = await freePort()
      const url = `https://${NAME}:${port}`
      const gateway = await GatewayProcess.start(t, {
        env: { ROOST_PUBLIC_URL: url, ROOST_HTTP__TRUSTED_PROXIES: '["127.0.0.1"]' },
      })
      const { cert, key } = selfSigned(NAME)
      const files = { certificate: join(gateway.folder, 'tls.pem'), key: join(gateway.folder, 'tls.key') }
      writeFileSync(files.certificate, cert)
      writeFileSync(files.key, key, { mode: 0o600 })
      const setup = { ...files, folder: gateway.folder, gatewayPort: new URL(gateway.url).port, port }
      const block = proxy.block.exec(guide)?.[1]
      assert.ok(block, `GUIDE.md has a block for ${proxy.name}`)
      const file = join(gateway.folder, `${proxy.name}.conf`)
      writeFileSync(file, proxy.configure(block, setup))
      const options = { cwd: gateway.folder, env: { HOME: gateway.folder } }
      const front = running(t, start(proxy.command(file), options))
      await front.stderr.until(proxy.ready)

      const { code } = await gateway.cli('device', 'pair')
      const env = { NODE_EXTRA_CA_CERTS: files.certificate }
      const args = ['agent', '--server', url, '--code', String(code), '--driver', 'log']
      const agent = running(t, roost([...args, '--state', 'phone.json'], { cwd: gateway.folder, env }))
      await agent.stderr.until(/^Connected/)
      await gateway.reached(await gateway.send('through the proxy'), 'sent')
      assert.match(agent.stdout.text + agent.stderr.text, /through the proxy/)
    })
})
