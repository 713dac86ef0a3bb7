// Bundles the agent into one file that needs nothing but Node ≥ 20: node scripts/bundle-agent.mjs
// dist/agent.mjs
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const top = fileURLToPath(new URL('..', import.meta.url))

/** Writes the agent as one ES module to `outFile`. */
export async function bundleAgent(outFile) {
  await build({
    absWorkingDir: top,
    entryPoints: ['src/agent/standalone.ts'],
    outfile: outFile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    // ws is CommonJS: bundled into an ES module it calls a `require` that is not there otherwise.
    banner: {
      js: [
        '#!/usr/bin/env node',
        "import { createRequire } from 'node:module'",
        'const require = createRequire(import.meta.url)',
      ].join('\n'),
    },
    footer: { js: notices() },
    // Optional native parts of ws: it works without them.
    external: ['bufferutil', 'utf-8-validate'],
  })
}

/** The licences of what is bundled ask to go with it. */
function notices() {
  const bundled = { ws: 'LICENSE', valibot: 'LICENSE.md' }
  const texts = Object.entries(bundled).map(
    ([name, file]) => `${name}\n\n${readFileSync(`${top}node_modules/${name}/${file}`, 'utf8')}`,
  )
  return `/*\nThis file contains:\n\n${texts.join('\n\n').replaceAll('*/', '* /')}\n*/`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , outFile] = process.argv
  if (outFile === undefined) {
    process.stderr.write('usage: node scripts/bundle-agent.mjs OUT_FILE\n')
    process.exit(2)
  }
  await bundleAgent(outFile)
}
