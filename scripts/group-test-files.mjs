import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The tests of each of these folders run in one process, so that code is loaded and compiled once for all of
 * them. A file belongs to the first folder in which it lies. Files elsewhere have a process each: their tests
 * mostly wait for other processes, or would disturb others.
 */
const TOGETHER = [
  'test/contract/dialects',
  'test/contract',
  'test/app/commands',
  'test/app/threads',
  'test/app',
  'test/agent',
  'test/contracts',
  'test/docs',
  'test/domain',
  'test/pool',
  'test/rate-limit',
  'test/storage',
  'test/transport',
]

/**
 * Writes a program for each group of test files, in which each file is a suite. So a file's own `before` and
 * `after` apply to that file alone.
 *
 * @param {string} folder of the bundled files, as `bundleTestFiles` returns it
 * @param {readonly string[]} files relative to the top, `test/….test.ts`
 * @returns {string[]} absolute paths of the programs to run
 */
export function groupTestFiles(folder, files) {
  const groups = new Map()
  for (const file of files) {
    const group = TOGETHER.find(folder => file.startsWith(`${folder}/`)) ?? file
    groups.set(group, [...(groups.get(group) ?? []), file])
  }
  return [...groups].map(([group, members]) => {
    if (members.length === 1) return join(folder, bundledName(members[0]))
    const program = join(folder, `${group}.group.test.mjs`)
    writeFileSync(program, programOf(folder, members))
    return program
  })
}

function programOf(folder, files) {
  const suites = files.map(file => {
    const path = JSON.stringify(join(folder, bundledName(file)))
    return `describe(${JSON.stringify(file)}, async () => { await import(${path}) })`
  })
  return ["import { describe } from 'node:test'", ...suites, ''].join('\n')
}

const bundledName = file => file.replace(/\.ts$/, '.js')
