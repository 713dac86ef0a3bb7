/**
 * Checks on an x64 machine that the executable for arm64 starts and serves: `node scripts/check-arm64.ts
 * [FILE]`. Needs Debian's qemu-user-static, libc6-arm64-cross and libstdc++6-arm64-cross. Takes about ten
 * seconds.
 */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { freePort } from '#test/kit/free-ports.ts'

const QEMU = '/usr/bin/qemu-aarch64-static'
const LIBRARIES = '/usr/aarch64-linux-gnu'
/** Emulated start-up takes about five seconds on two cores. */
const DEADLINE_MS = 120_000

const file = resolve(process.argv[2] ?? join(import.meta.dirname, '..', 'dist', 'roost-linux-arm64'))
for (const [path, remedy] of [
  [QEMU, 'apt-get install qemu-user-static'],
  [`${LIBRARIES}/lib`, 'apt-get install libc6-arm64-cross libstdc++6-arm64-cross'],
  [file, 'node build.mjs --target linux-arm64'],
] as const) {
  if (!existsSync(path)) {
    console.error(`${path} is missing: ${remedy}`)
    process.exit(1)
  }
}

const home = mkdtempSync(join(tmpdir(), 'roost-arm64-'))
try {
  await check(await freePort())
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function check(port: number): Promise<void> {
  const startedAt = performance.now()
  const child = spawn(QEMU, ['-L', LIBRARIES, file, 'serve', '--data', join(home, 'data')], {
    cwd: home,
    env: {
      HOME: home,
      PATH: process.env['PATH'],
      ROOST_HTTP__HOST: '127.0.0.1',
      ROOST_HTTP__PORT: `${port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.timeout(DEADLINE_MS),
  })
  const exited = once(child, 'exit')
  try {
    const line = await Promise.race([
      firstListeningLine(child.stdout, port),
      firstListeningLine(child.stderr, port),
      exited.then(([code]) => assert.fail(`the gateway ended with exit code ${code} before it listened`)),
    ])
    console.log(`${line} (after ${Math.round(performance.now() - startedAt)} ms)`)
    const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(10_000) })
    console.log(`GET /healthz: ${response.status} ${await response.text()}`)
    assert.equal(response.status, 200)
  } finally {
    child.kill('SIGTERM')
  }
  const [code, signal] = await exited
  assert.equal(code, 0, `SIGTERM should end the gateway with 0, not ${code ?? signal}`)
  console.log('SIGTERM: exit code 0')
}

/** Prints the program's output. Resolves to the first line that names the port. */
function firstListeningLine(stream: Readable, port: number): Promise<string> {
  return new Promise(done => {
    let output = ''
    stream.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text)
      output += text
      const line = output.split('\n').find(one => one.includes(`:${port}`) || /listening/i.test(one))
      if (line !== undefined) done(line.trim())
    })
  })
}
