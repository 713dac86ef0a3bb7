/**
 * Holds the rules of ARCHITECTURE.md that neither the compiler nor the linter knows: floors and arrows, who
 * may use which package, sizes, names. `node scripts/tidy.ts [FOLDER]` prints `path:line rule: what to do`
 * and exits 1 when there is anything to do.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkCode } from '#scripts/tidy/code.ts'
import { checkFloors } from '#scripts/tidy/floors.ts'
import { checkArchitecture, checkLayout, checkSizes } from '#scripts/tidy/layout.ts'
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
    ...checkFloors(sources),
    ...checkCode(sources),
  ].sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
}

if (process.argv[1] === import.meta.filename) {
  const findings = tidy(resolve(process.argv[2] ?? join(import.meta.dirname, '..')))
  for (const { path, line, rule, message } of findings) console.log(`${path}:${line} ${rule}: ${message}`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
