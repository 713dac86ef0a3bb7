// Runs before `npm start`, `npm test` and `npm run check`, with nothing installed yet and under any Node ≥ 20:
// installs what the lock file says when that was not done for this very lock file.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const top = fileURLToPath(new URL('..', import.meta.url))
const stampFile = `${top}node_modules/.roost-installed`
const wanted = createHash('sha256')
  .update(readFileSync(`${top}package-lock.json`))
  .digest('hex')

if (installed() !== wanted) {
  process.stderr.write('Installing packages (once)…\n')
  const npm = process.env.npm_execpath
  const [command, args] = npm ? [process.execPath, [npm, 'ci']] : ['npm', ['ci']]
  const done = spawnSync(command, args, { cwd: top, stdio: ['ignore', 'ignore', 'inherit'] })
  if (done.status !== 0) {
    process.stderr.write('npm ci failed; see above.\n')
    process.exit(1)
  }
  writeFileSync(stampFile, wanted)
}

function installed() {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return null
  }
}
