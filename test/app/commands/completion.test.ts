import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { runHere } from '#test/kit/run-roost.ts'

async function script(shell: string): Promise<string> {
  const { code, stdout } = await runHere(['completion', shell], { cwd: '/nowhere' })
  assert.equal(code, 0)
  return stdout
}

for (const [line, wanted] of [
  ['dev', ['device']],
  ['device re', ['rename', 'resume', 'remove']],
  ['person li', ['list']],
  ['message list --st', ['--status']],
] as const)
  test(`bash completes "roost ${line}"`, async () => {
    const words = `roost ${line}`.split(' ')
    const typed = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}`
    const ask = `${typed}; _roost; echo "\${COMPREPLY[@]}"`
    const { stdout } = spawnSync('bash', ['-c', `${await script('bash')}\n${ask}`], { encoding: 'utf8' })
    assert.deepEqual(stdout.trim().split(' '), wanted)
  })

test('each supported shell has a completion script; any other shell is refused as wrong usage', async () => {
  assert.match(await script('zsh'), /^autoload -U \+X bashcompinit/)
  assert.match(await script('fish'), /__roost_at "device"' -a 'rename'$/m)
  assert.equal((await runHere(['completion', 'csh'], { cwd: '/nowhere' })).code, 2)
})
