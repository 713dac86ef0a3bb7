/** Trees to test tidy with: a clean one, and single files that each break one rule. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

/** Path → text; null leaves the file out of the tree. */
export type Files = Readonly<Record<string, string | null>>

const CLEAN: Files = {
  'package.json': '{}',
  'package-lock.json': '{}',
  'tsconfig.json': '{}',
  'biome.json': '{}',
  'config.example.toml': '',
  LICENSE: '',
  'README.md': '',
  'GUIDE.md': '',
  'SECURITY.md': '',
  'CONTRIBUTING.md': '',
  'CHANGELOG.md': '',
  'ARCHITECTURE.md': 'Floors: `app`, `domain`, `storage/migrations` and `src/domain/`.\n',
  'build.mjs': 'export default {}\n',
  'bench/run.ts': 'export const runs = 1\n',
  'scripts/install.mjs': 'process.exit(0)\n',
  'src/main.ts': "import { serve } from '#app/serve.ts'\nserve(process.env)\n",
  'src/app/serve.ts':
    "import { read } from '#storage/read.ts'\nexport const serve = (env: object) => read(env)\n",
  'src/storage/read.ts':
    "import type { DatabaseSync } from 'node:sqlite'\nexport const read = (db: object) => db\n",
  'src/storage/migrations/001-initial.ts': "export const sql = ''\n",
  'src/domain/rule.ts': 'export const rule = (nowMs: number) => new Date(nowMs)\n',
  'test/domain/rule.test.ts': "import { rule } from '#domain/rule.ts'\nrule(1)\n",
}

/** Writes the clean tree with `changes` applied, and returns its path. It is removed after the test. */
export function plantTree(t: TestContext, changes: Files = {}): string {
  const top = temporaryDirectory(t)
  for (const [path, text] of Object.entries({ ...CLEAN, ...changes })) {
    if (text === null) continue
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }
  return top
}
