/**
 * Checks the rules of ARCHITECTURE.md that neither the compiler nor the linter checks: which floor may import
 * which, which floor may use which package, sizes, names. `node scripts/tidy.ts [FOLDER]` prints `path:line
 * rule: what to do` and exits with 1 if a rule is broken.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkCircles } from '#scripts/tidy/circles.ts'
import { checkCode } from '#scripts/tidy/code.ts'
import { checkFloors } from '#scripts/tidy/floors.ts'
import { checkArchitecture, checkLayout, checkRooms, checkSizes } from '#scripts/tidy/layout.ts'
import { type Finding, listFiles, readSources } from '#scripts/tidy/source.ts'

/** All findings about the tree at `top`, by path and line. */
export function tidy(top: string): Finding[] {
  const paths = listFiles(top)
  const { sources, findings } = readSources(top, paths)
  const document = 'ARCHITECTURE.md'
  const architecture = paths.includes(document)
    ? checkArchitecture(readFileSync(join(top, document), 'utf8'), paths)
    : []
  return [
    ...findings,
    ...architecture,
    ...checkLayout(paths),
    ...checkSizes(sources),
    ...checkRooms(sources, paths),
    ...checkFloors(sources),
    ...checkCircles(sources),
    ...checkCode(sources),
  ].sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
}

if (process.argv[1] === import.meta.filename) {
  const findings = tidy(resolve(process.argv[2] ?? join(import.meta.dirname, '..')))
  for (const { path, line, rule, message } of findings) console.log(`${path}:${line} ${rule}: ${message}`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
