import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

/** A tree of its own, in which `node` only writes down how it was called, and ends with `exit-code`. */
function plant(t: TestContext) {
  const top = temporaryDirectory(t)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], {
      cwd: top,
      encoding: 'utf8',
    })
  mkdirSync(join(top, 'scripts'))
  mkdirSync(join(top, 'node_modules/.bin'), { recursive: true })
  copyFileSync('scripts/prove.sh', join(top, 'scripts/prove.sh'))
  const node = join(top, 'node_modules/.bin/node')
  writeFileSync(
    node,
    `#!/bin/sh
case $1 in *install*) exit ;; esac
echo "$*" >>dist/calls
exit "$(cat dist/exit-code 2>/dev/null || echo 0)"
`,
  )
  chmodSync(node, 0o755)
  writeFileSync(join(top, '.gitignore'), 'node_modules/\ndist/\n')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'first')
  const prove = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('bash', ['scripts/prove.sh', ...args], {
      cwd: top,
      encoding: 'utf8',
    })
    return { status, said: stdout + stderr }
  }
  const calls = () => {
    const file = join(top, 'dist/calls')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }
  const result = () => readFileSync(join(top, 'dist/prove', git('rev-parse', 'HEAD').trim()), 'utf8')
  return { top, git, prove, calls, result }
}

test('a part that has passed on a commit is run again only when asked, or on another commit', t => {
  const { git, prove, calls, result } = plant(t)
  assert.equal(prove('fuzz').status, 0)
  assert.match(result(), /^fuzz\tpassed\t\d+\n$/)
  assert.match(prove('fuzz').said, /fuzz +passed on this commit before/)
  assert.equal(calls().length, 1)
  assert.equal(prove('fuzz', '--again').status, 0)
  assert.equal(calls().length, 2)
  git('commit', '--quiet', '--allow-empty', '--message', 'second')
  assert.equal(prove('fuzz').status, 0)
  assert.equal(calls().length, 3)
})

test('a part that fails is run again, and the exit code is 1', t => {
  const { top, prove, calls, result } = plant(t)
  mkdirSync(join(top, 'dist'))
  writeFileSync(join(top, 'dist/exit-code'), '3')
  const { status, said } = prove('fuzz', 'power')
  assert.equal(status, 1, said)
  assert.match(result(), /^fuzz\tFAILED\t\d+\npower\tFAILED\t\d+\n$/)
  writeFileSync(join(top, 'dist/exit-code'), '0')
  assert.equal(prove('fuzz').status, 0)
  assert.match(result(), /^power\tFAILED\t\d+\nfuzz\tpassed\t\d+\n$/)
  assert.equal(calls().length, 3)
})

test('what was run on a tree with changes counts for nothing afterwards', t => {
  const { top, prove, calls } = plant(t)
  writeFileSync(join(top, 'new'), '')
  assert.match(prove('fuzz').said, /\+changes/)
  prove('fuzz')
  assert.equal(calls().length, 2)
})

test('each part has a line in the list, and another name is refused with the names that exist', t => {
  const { prove } = plant(t)
  const { status, said } = prove('--list')
  assert.equal(status, 0)
  const names = said
    .trim()
    .split('\n')
    .map(line => /^([a-z\d]+) +\S/.exec(line)?.[1])
  const source = readFileSync('scripts/prove.sh', 'utf8')
  assert.deepEqual(
    names.toSorted(),
    Array.from(source.matchAll(/^prove_(\w+)\(\)/gm), ([, name]) => name).toSorted(),
  )
  const refused = prove('nope')
  assert.equal(refused.status, 2)
  assert.match(refused.said, /nope is no part\. A part is one of: build /)
})

test('a part whose program is missing says what to install, and does not fail', t => {
  const { prove, top } = plant(t)
  const script = join(top, 'scripts/prove.sh')
  writeFileSync(
    script,
    readFileSync(script, 'utf8').replace("'power|", "'power|no-such-program:its-package "),
  )
  const { status, said } = prove('power')
  assert.equal(status, 0)
  assert.match(said, /power +skipped: apt-get install its-package/)
})
